// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Residual against time, both logarithmic, one line per engine through its settings.
#pragma once

#include <string>
#include <vector>

namespace vinculum::bench {

struct Curve {
  std::string name;
  struct Point {
    double time, residual;  // ms; zero residuals are drawn at the lower edge
    std::string setting;
  };
  std::vector<Point> points;
};

/// A picture (SVG).
std::string residual_plot(const std::string& title, const std::vector<Curve>& curves);

}  // namespace vinculum::bench
