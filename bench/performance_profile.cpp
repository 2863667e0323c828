// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "performance_profile.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::bench {
namespace {

constexpr double width = 720, height = 420, left = 72, right = 140, top = 24, bottom = 48;
constexpr double most_decades = 4;
constexpr const char* colours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000"};

double x_of(double decades) { return left + (width - left - right) * std::clamp(decades / most_decades, 0.0, 1.0); }
double y_of(double part) { return height - bottom - (height - top - bottom) * part; }

}  // namespace

std::string performance_profile(const std::map<std::string, std::vector<double>>& times) {
  const std::size_t problems = times.empty() ? 0 : times.begin()->second.size();
  std::vector<double> best(problems, std::numeric_limits<double>::infinity());
  for (const auto& [name, list] : times) {
    for (std::size_t k = 0; k < problems; ++k) best[k] = std::min(best[k], list[k]);
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\"><rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  for (int k = 0; k <= 4; ++k) {
    const double x = x_of(k), y = y_of(0.25 * k);
    out += fmt::format(
        "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        x, top, height - bottom, height - bottom + 16, std::pow(10.0, k));
    out += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5} %</text>\n",
        left, y, width - right, left - 6, y + 4, 25 * k);
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">time over the fastest solver's</text>\n", x_of(2),
                     height - 10);
  out += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">problems solved</text>\n",
                     y_of(0.5));
  int index = 0;
  for (const auto& [name, list] : times) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < problems; ++k) {
      if (std::isfinite(list[k])) ratios.push_back(std::log10(list[k] / best[k]));
    }
    std::sort(ratios.begin(), ratios.end());
    std::string path;
    double part = 0;
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      path += k ? fmt::format("H{:.1f}", x_of(ratios[k])) : fmt::format("M{:.1f} {:.1f}", x_of(ratios[k]), y_of(0));
      part = static_cast<double>(k + 1) / static_cast<double>(problems);
      path += fmt::format("V{:.1f}", y_of(part));
    }
    if (!path.empty()) path += fmt::format("H{:.1f}", x_of(most_decades));
    const char* colour = colours[static_cast<std::size_t>(index) % std::size(colours)];
    out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, colour);
    out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{} ({} of {})</text>\n", width - right + 8,
                       top + 16 + 18 * index, colour, name, ratios.size(), problems);
    ++index;
  }
  return out + "</svg>\n";
}

}  // namespace vinculum::bench
