// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/control_table.hpp"

#include "vinculum/base/nearest.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace vinculum::model {

using reader::quote;
using reader::Value;

namespace {

struct Cell {
  std::string text;
  int column = 1;
};

// Cells between commas, without blanks around them.
std::vector<Cell> split(const std::string& line) {
  std::vector<Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::size_t first = begin, last = end;
    const auto blank = [&](std::size_t i) { return line[i] == ' ' || line[i] == '\t' || line[i] == '\r'; };
    while (first < last && blank(first)) ++first;
    while (last > first && blank(last - 1)) --last;
    cells.push_back({line.substr(first, last - first), static_cast<int>(first) + 1});
    begin = end + 1;
  }
  return cells;
}

double number_in(const Cell& cell, const std::string& file, int line, const std::string& head) {
  double x = 0;
  const char* end = cell.text.data() + cell.text.size();
  const auto [at, error] = std::from_chars(cell.text.data(), end, x);
  if (error != std::errc() || at != end || !std::isfinite(x))
    throw base::InputError({file, line, cell.column}, head, quote(cell.text), "a finite number");
  return x;
}

// Actuator of each column behind the first.
std::vector<std::size_t> read_head(const std::vector<Cell>& head, const std::string& file, const Model& model) {
  if (head[0].text != "t") throw base::InputError({file, 1, 1}, "t", quote(head[0].text), "t, the column of times (s)");
  std::vector<std::string_view> names;
  for (const Actuator& actuator : model.actuators) names.push_back(actuator.name);
  std::vector<std::size_t> columns;
  for (std::size_t k = 1; k < head.size(); ++k) {
    const auto it = std::find(names.begin(), names.end(), head[k].text);
    const auto index = static_cast<std::size_t>(it - names.begin());
    const base::Place place{file, 1, head[k].column};
    if (it == names.end()) {
      const std::string guess = base::nearest(head[k].text, names);
      throw base::InputError(place, head[k].text, quote(head[k].text),
                             "the name of an actuator" +
                                 (guess.empty() ? std::string() : fmt::format("; did you mean {}?", quote(guess))));
    }
    if (std::find(columns.begin(), columns.end(), index) != columns.end())
      throw base::InputError(place, head[k].text, "a second column for this actuator", "one");
    columns.push_back(index);
  }
  return columns;
}

}  // namespace

void read_control_file(const std::string& path, const Value& where, const Model& model, Control& control) {
  const std::string file = (std::filesystem::path(model.file).parent_path() / path).string();
  std::ifstream stream(file);
  std::string line;
  if (!stream || !std::getline(stream, line)) where.fail(quote(path), "a CSV file that can be read");
  const std::vector<Cell> head = split(line);
  const std::vector<std::size_t> columns = read_head(head, file, model);
  std::vector<double> start;
  for (const Actuator& actuator : model.actuators) start.push_back(actuator.ctrl);
  for (int number = 2; std::getline(stream, line); ++number) {
    const std::vector<Cell> cells = split(line);
    if (cells.size() == 1 && cells[0].text.empty()) continue;
    if (cells.size() != head.size())
      throw base::InputError({file, number, 1}, "row", fmt::format("{} columns", cells.size()),
                             fmt::format("{} as in the head", head.size()));
    const double t = number_in(cells[0], file, number, "t");
    if (!control.times.empty() && !(t > control.times.back()))
      throw base::InputError({file, number, cells[0].column}, "t", fmt::format("{} after {}", t, control.times.back()),
                             "ascending times (s)");
    std::vector<double> row = start;
    for (std::size_t k = 1; k < cells.size(); ++k)
      row[columns[k - 1]] = number_in(cells[k], file, number, head[k].text);
    control.times.push_back(t);
    control.values.push_back(std::move(row));
  }
  if (control.times.empty()) where.fail(quote(path), "a CSV file with at least one row below its head");
}

double control_value(const Control& control, std::size_t i, double t) {
  const std::vector<double>& times = control.times;
  if (t <= times.front()) return control.values.front()[i];
  if (t >= times.back()) return control.values.back()[i];
  const auto k = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  const double s = (t - times[k - 1]) / (times[k] - times[k - 1]);
  return control.values[k - 1][i] + s * (control.values[k][i] - control.values[k - 1][i]);
}

}  // namespace vinculum::model
