// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What every bench shares at its edges: arguments, tables for people, JSON for programs.
#pragma once

#include "scene_peers.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vinculum::bench {

struct Arguments {
  std::string json;     // file; empty: none
  std::string engine;   // only engines whose name contains this
  std::string setting;  // only this tolerance or number of iterations, where an engine has several
  std::string scene;    // only scenes whose name contains this
  std::string solver;   // ours; empty: the scene's, or the default
  std::string data;     // folder of problems; empty: found upward of the working directory
  std::string plots;    // folder for pictures; empty: none
  double budget = 120;  // CPU seconds for one engine on one scene
  int repeat = 1;       // runs of each engine on a pyramid; their steps are pooled
  double scale = 1;     // part of the full number of bodies, of scenes that are generated
};
/// --json FILE --engine TEXT --setting TEXT --scene TEXT --budget S --repeat N --solver NAME --data FOLDER --plots
/// FOLDER --scale X; prints usage and exits on anything else.
Arguments parse_arguments(int count, char** values);

/// A scene of the source tree.
model::Model load_scene(const std::string& name);

/// A table that is printed as its rows come and kept for JSON. Every cell is a text and a value.
class Table {
 public:
  struct Column {
    std::string key;      // in JSON
    std::string heading;  // with unit
    std::size_t width = 10;
  };
  struct Cell {
    std::string text;
    nlohmann::json value;
  };
  using Row = std::vector<Cell>;
  Table(std::string title, std::vector<Column> columns);
  void add(const Row& cells);
  const nlohmann::json& rows() const { return rows_; }
  const std::string& title() const { return title_; }

 private:
  std::string title_;
  std::vector<Column> columns_;
  nlohmann::json rows_ = nlohmann::json::array();
};

Table::Cell cell(const std::string& text);
Table::Cell cell(std::size_t count);
/// Three digits; "-" for NaN.
Table::Cell cell(double value);
/// median [low, high] of seconds in ms.
Table::Cell cell_ms(double low, double median, double high);

/// CPU, compiler, flags, engines.
nlohmann::json describe_machine();
void print_machine();

/// Writes the machine and the tables to arguments.json, if given.
void write_json(const Arguments& arguments, const std::string& bench, const std::vector<const Table*>& tables);

}  // namespace vinculum::bench
