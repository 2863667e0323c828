// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Line plots as SVG, without a browser.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vinculum::cli {

/// Points in the order in which they are joined. A point that is not finite, or not positive on a log axis, breaks the
/// line.
struct Series {
  std::string name;
  std::vector<double> x, y;
};

struct Axis {
  std::string label;
  std::string unit;  // set in brackets after the label, unless it is 1
  bool log = false;
  std::optional<std::pair<double, double>> range;  // from the data unless given
};

struct Plot {
  std::string title, subtitle;
  Axis x, y;
  std::vector<Series> series;
  int width = 900, height = 540;  // px
};

/// A whole SVG file. Long series are thinned to the first, least, greatest and last point of every pixel column, so
/// that no spike is lost.
std::string line_plot_svg(const Plot& plot);

}  // namespace vinculum::cli
