// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "residual_plot.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace vinculum::bench {
namespace {

constexpr double width = 760, height = 480, left = 70, right = 110, top = 40, bottom = 52;
constexpr double lowest = -16, highest = 1;  // decades of the residual
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

struct Axes {
  double first, last;  // decades of the time
  double x(double ms) const { return left + (width - left - right) * (std::log10(ms) - first) / (last - first); }
  double y(double residual) const {
    const double decade = residual > 0 ? std::clamp(std::log10(residual), lowest, highest) : lowest;
    return top + (height - top - bottom) * (highest - decade) / (highest - lowest);
  }
};

std::string grid(const Axes& axes) {
  std::string out;
  for (double k = axes.first; k <= axes.last; ++k) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4:g}</text>\n",
        axes.x(std::pow(10, k)), top, height - bottom, height - bottom + 16, std::pow(10, k));
  }
  for (double k = lowest; k <= highest; k += 2) {
    const double y = axes.y(std::pow(10, k));
    out += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">1e{5:g}</text>\n",
        left, y, width - right, left - 6, y + 4, k);
  }
  return out;
}

std::string draw(const Axes& axes, const Curve& curve, int index) {
  const char* colour = colours[static_cast<std::size_t>(index) % std::size(colours)];
  std::string path, marks;
  double last_y = -100;
  for (const Curve::Point& point : curve.points) {
    const double x = axes.x(point.time), y = axes.y(point.residual);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>", x, y, colour);
    if (std::abs(y - last_y) > 9 || &point == &curve.points.back()) {
      marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" font-size=\"9\">{}</text>", x + 6, y - 4,
                           colour, point.setting);
      last_y = y;
    }
    marks += "\n";
  }
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n{}<text x=\"{}\" y=\"{}\" "
      "fill=\"{}\">{}</text>\n",
      path, colour, marks, width - right + 12, top + 16 + 18 * index, colour, curve.name);
}

}  // namespace

std::string residual_plot(const std::string& title, const std::vector<Curve>& curves) {
  double least = 1e300, most = 0;
  for (const Curve& curve : curves) {
    for (const Curve::Point& point : curve.points) {
      least = std::min(least, point.time);
      most = std::max(most, point.time);
    }
  }
  if (!(most > 0)) least = most = 1;
  Axes axes{std::floor(std::log10(least)), std::ceil(std::log10(most))};
  if (axes.last <= axes.first) axes.last = axes.first + 1;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\"><rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"22\" font-size=\"14\">{3}</text>\n",
      width, height, left, title);
  out += grid(axes);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">CPU ms per step</text>\n",
                     0.5 * (left + width - right), height - 14);
  out += fmt::format("<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">residual</text>\n",
                     0.5 * (top + height - bottom));
  for (std::size_t k = 0; k < curves.size(); ++k) out += draw(axes, curves[k], static_cast<int>(k));
  return out + "</svg>\n";
}

}  // namespace vinculum::bench
