// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/core.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace vinculum::bench {

Arguments parse_arguments(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string key = values[i];
    const char* value = i + 1 < count ? values[++i] : nullptr;
    if (value && key == "--json") {
      arguments.json = value;
    } else if (value && key == "--engine") {
      arguments.engine = value;
    } else if (value && key == "--scene") {
      arguments.scene = value;
    } else if (value && key == "--setting") {
      arguments.setting = value;
    } else if (value && key == "--solver") {
      arguments.solver = value;
    } else if (value && key == "--data") {
      arguments.data = value;
    } else if (value && key == "--plots") {
      arguments.plots = value;
    } else if (value && key == "--scale") {
      arguments.scale = std::atof(value);
    } else if (value && key == "--budget") {
      arguments.budget = std::atof(value);
    } else if (value && key == "--repeat") {
      arguments.repeat = std::max(1, std::atoi(value));
    } else {
      fmt::print(
          stderr,
          "usage: {} [--json FILE] [--engine TEXT] [--setting TEXT] [--scene TEXT] [--budget SECONDS] [--repeat N] "
          "[--solver NAME] [--data FOLDER] [--plots FOLDER] [--scale X]\n",
          values[0]);
      std::exit(2);
    }
  }
  return arguments;
}

model::Model load_scene(const std::string& name) {
  return model::read_scene(std::string(VINCULUM_SCENES) + "/" + name + ".toml");
}

Table::Table(std::string title, std::vector<Column> columns) : title_(std::move(title)), columns_(std::move(columns)) {
  fmt::print("\n{}\n", title_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    column.width = std::max(column.width, column.heading.size());
    i == 0 ? fmt::print("{:<{}}", column.heading, column.width) : fmt::print("  {:>{}}", column.heading, column.width);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

void Table::add(const Row& cells) {
  nlohmann::json row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns_[i];
    i == 0 ? fmt::print("{:<{}}", cells[i].text, column.width) : fmt::print("  {:>{}}", cells[i].text, column.width);
    row[column.key] = cells[i].value;
  }
  fmt::print("\n");
  std::fflush(stdout);
  rows_.push_back(row);
}

Table::Cell cell(const std::string& text) { return {text, text}; }
Table::Cell cell(std::size_t count) { return {fmt::format("{}", count), count}; }
Table::Cell cell(double value) {
  if (std::isnan(value)) return {"-", nullptr};
  return {fmt::format("{:.3g}", value), value};
}
Table::Cell cell_ms(double low, double median, double high) {
  return {fmt::format("{:.3g} [{:.3g}, {:.3g}]", 1e3 * median, 1e3 * low, 1e3 * high),
          {{"median", 1e3 * median}, {"low", 1e3 * low}, {"high", 1e3 * high}}};
}

namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string model = "unknown";
  int cores = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    model = line.substr(line.find(':') + 2);
    ++cores;
  }
  return fmt::format("{}, {} cores", model, cores);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

std::string load_average() {
  double load[1] = {0};
  return getloadavg(load, 1) == 1 ? fmt::format("{:.2f}", load[0]) : "unknown";
}

}  // namespace

nlohmann::json describe_machine() {
  return {{"date", today()},
          {"cpu", cpu_model()},
          {"compiler", VINCULUM_BENCH_COMPILER},
          {"flags", VINCULUM_BENCH_FLAGS},
          {"engines", peer_versions()},
          {"load", load_average()}};
}

void print_machine() {
  const nlohmann::json machine = describe_machine();
  fmt::print("{}; {}; {} {}; load {}\n", machine["date"].get<std::string>(), machine["cpu"].get<std::string>(),
             machine["compiler"].get<std::string>(), machine["flags"].get<std::string>(),
             machine["load"].get<std::string>());
  for (const auto& engine : machine["engines"]) fmt::print("  {}\n", engine.get<std::string>());
}

void write_json(const Arguments& arguments, const std::string& bench, const std::vector<const Table*>& tables) {
  if (arguments.json.empty()) return;
  nlohmann::json out{{"bench", bench}, {"machine", describe_machine()}, {"tables", nlohmann::json::array()}};
  for (const Table* table : tables) out["tables"].push_back({{"title", table->title()}, {"rows", table->rows()}});
  std::ofstream(arguments.json) << out.dump(1) << "\n";
}

}  // namespace vinculum::bench
