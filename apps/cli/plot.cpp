// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/plot.hpp"

#include "cli/svg.hpp"
#include "cli/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace vinculum::cli {

namespace {

constexpr double title_size = 19, label_size = 14.5, tick_size = 13;
constexpr std::string_view ink = "#1f2730", soft_ink = "#5a6570", grid_colour = "#e3e7eb", minor_colour = "#f1f3f5";

using Out = std::back_insert_iterator<std::string>;

// One axis: data -> pixels.
struct Scale {
  double low = 0, high = 1;  // data, logarithms for a log axis
  double from = 0, to = 1;   // pixels
  bool log = false;
  bool shows(double v) const { return std::isfinite(v) && (!log || v > 0); }
  double at(double v) const { return from + ((log ? std::log10(v) : v) - low) / (high - low) * (to - from); }
  double low_value() const { return log ? std::pow(10.0, low) : low; }
  double high_value() const { return log ? std::pow(10.0, high) : high; }
};

struct Frame {
  Scale x, y;
  Ticks x_ticks, y_ticks;
  double left, right, top, bottom;
};

Scale make_scale(const Plot& plot, const Axis& axis, std::vector<double> Series::*values, double margin) {
  Scale s;
  s.log = axis.log;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& series : plot.series) {
    for (const double v : series.*values) {
      if (!s.shows(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  if (axis.range) std::tie(low, high) = *axis.range;
  if (!(low <= high)) std::tie(low, high) = axis.log ? std::pair(0.1, 1.0) : std::pair(0.0, 1.0);
  if (axis.log) {
    low = std::log10(low);
    high = std::log10(high);
  }
  const double least = axis.log ? 0.3 : std::max(1e-12 * std::max(std::abs(low), std::abs(high)), 1e-300);
  if (high - low < least) {  // a constant: show it in the middle
    const double half = axis.log ? 0.5 : low == 0 ? 1.0 : 0.1 * std::abs(low);
    low -= half;
    high += half;
  } else if (!axis.range) {
    const double room = margin * (high - low);
    // Zero is a natural edge: no room below it.
    low = !axis.log && low == 0 ? 0 : low - room;
    high = !axis.log && high == 0 ? 0 : high + room;
  }
  s.low = low;
  s.high = high;
  return s;
}

std::string axis_title(const Axis& axis) {
  return axis.unit.empty() || axis.unit == "1" ? axis.label : fmt::format("{} ({})", axis.label, axis.unit);
}

void text(Out out, double x, double y, double size, std::string_view anchor, std::string_view colour,
          std::string_view content, std::string_view extra = "") {
  fmt::format_to(out, "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                 number(x), number(y), number(size), anchor, colour, extra, escape(content));
}

void line(Out out, double x1, double y1, double x2, double y2, std::string_view colour, double width) {
  fmt::format_to(out, "<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", number(x1), number(y1),
                 number(x2), number(y2), colour, number(width));
}

// The legend stands in rows above the frame: there it never covers data.
struct Legend {
  struct Entry {
    double x;
    int row;
  };
  std::vector<Entry> entries;
  int rows = 0;
};

constexpr double legend_row = 22, legend_swatch = 26, legend_gap = 22;

Legend make_legend(const Plot& plot, double left, double right) {
  Legend legend;
  const bool named =
      std::any_of(plot.series.begin(), plot.series.end(), [](const Series& s) { return !s.name.empty(); });
  if (!named) return legend;
  double x = left;
  for (const auto& s : plot.series) {
    const double width = legend_swatch + 8 + text_width(s.name, label_size);
    if (legend.rows == 0) legend.rows = 1;
    if (x > left && x + width > right) {
      ++legend.rows;
      x = left;
    }
    legend.entries.push_back({x, legend.rows - 1});
    x += width + legend_gap;
  }
  return legend;
}

std::string style_of(std::size_t series) {
  const int i = static_cast<int>(series);
  static constexpr const char* dashes[] = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};
  return fmt::format("stroke=\"{}\"{}", to_hex(palette(i)), dashes[(i / palette_size) % 3]);
}

void draw_legend(Out out, const Plot& plot, const Legend& legend, double top) {
  for (std::size_t i = 0; i < legend.entries.size(); ++i) {
    const auto& e = legend.entries[i];
    const double y = top + legend_row * e.row;
    fmt::format_to(out, "<path d=\"M{} {}h{}\" {} stroke-width=\"3\" fill=\"none\"/>\n", number(e.x), number(y),
                   number(legend_swatch), style_of(i));
    text(out, e.x + legend_swatch + 8, y + 5, label_size, "start", ink, plot.series[i].name);
  }
}

void draw_axes(Out out, const Plot& plot, const Frame& f) {
  for (const bool minor : {true, false}) {
    for (const auto& t : f.x_ticks.ticks) {
      if (t.label.empty() == minor)
        line(out, f.x.at(t.value), f.top, f.x.at(t.value), f.bottom, minor ? minor_colour : grid_colour, 1);
    }
    for (const auto& t : f.y_ticks.ticks) {
      if (t.label.empty() == minor)
        line(out, f.left, f.y.at(t.value), f.right, f.y.at(t.value), minor ? minor_colour : grid_colour, 1);
    }
  }
  if (!plot.y.log && f.y.low < 0 && f.y.high > 0) line(out, f.left, f.y.at(0), f.right, f.y.at(0), "#9aa3ad", 1.2);
  for (const auto& t : f.x_ticks.ticks)
    text(out, f.x.at(t.value), f.bottom + 21, tick_size, "middle", soft_ink, t.label);
  for (const auto& t : f.y_ticks.ticks)
    text(out, f.left - 9, f.y.at(t.value) + 4.5, tick_size, "end", soft_ink, t.label);
  line(out, f.left, f.bottom, f.right, f.bottom, soft_ink, 1.4);
  line(out, f.left, f.top, f.left, f.bottom, soft_ink, 1.4);

  const auto note = [](const Ticks& t) {
    return t.offset.empty() ? t.factor : t.factor + (t.factor.empty() ? "" : " ") + t.offset;
  };
  text(out, f.left - 9, f.top - 12, tick_size, "start", soft_ink, note(f.y_ticks));
  text(out, f.right, f.bottom + 40, tick_size, "end", soft_ink, note(f.x_ticks));
  text(out, 0.5 * (f.left + f.right), f.bottom + 46, label_size, "middle", ink, axis_title(plot.x));
  const double x = 22, y = 0.5 * (f.top + f.bottom);
  text(out, x, y, label_size, "middle", ink, axis_title(plot.y),
       fmt::format(" transform=\"rotate(-90 {} {})\"", number(x), number(y)));
}

// Joins points; keeps four of each pixel column: first, least, greatest, last. Points whose x goes back and forth
// (phase curves) all belong to columns of their own.
class Curve {
 public:
  explicit Curve(Out out) : out_(out) {}
  void add(double x, double y) {
    const double column = std::floor(x);
    if (count_ > 0 && column != column_) finish();
    if (count_ == 0) {
      column_ = column;
      first_ = low_ = high_ = {x, y, 0};
    }
    last_ = {x, y, count_++};
    if (y < low_.y) low_ = last_;
    if (y > high_.y) high_ = last_;
  }
  void lift() {
    finish();
    down_ = false;
  }

 private:
  struct Point {
    double x, y;
    int order;
  };
  void finish() {
    if (count_ == 0) return;
    Point points[] = {first_, low_, high_, last_};
    if (low_.order > high_.order) std::swap(points[1], points[2]);
    int drawn = -1;
    for (const auto& p : points) {
      if (p.order <= drawn) continue;
      fmt::format_to(out_, "{}{} {}", down_ ? 'L' : 'M', number(p.x), number(p.y));
      down_ = true;
      drawn = p.order;
    }
    count_ = 0;
  }
  Out out_;
  double column_ = 0;
  int count_ = 0;
  bool down_ = false;
  Point first_{}, low_{}, high_{}, last_{};
};

void draw_series(Out out, const Series& s, std::size_t index, const Frame& f) {
  const std::size_t n = std::min(s.x.size(), s.y.size());
  // Far outside the frame nothing needs to be exact, but it must stay a number that every viewer can read.
  const auto pixel = [](const Scale& scale, double v) { return std::clamp(scale.at(v), -20000.0, 20000.0); };
  fmt::format_to(out,
                 "<path fill=\"none\" {} stroke-width=\"2\" stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"",
                 style_of(index));
  Curve curve(out);
  for (std::size_t i = 0; i < n; ++i) {
    if (f.x.shows(s.x[i]) && f.y.shows(s.y[i])) {
      curve.add(pixel(f.x, s.x[i]), pixel(f.y, s.y[i]));
    } else {
      curve.lift();
    }
  }
  curve.lift();
  fmt::format_to(out, "\"/>\n");
  if (n > 40) return;
  for (std::size_t i = 0; i < n; ++i) {
    if (!f.x.shows(s.x[i]) || !f.y.shows(s.y[i])) continue;
    fmt::format_to(out, "<circle cx=\"{}\" cy=\"{}\" r=\"3.4\" fill=\"#fff\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                   number(pixel(f.x, s.x[i])), number(pixel(f.y, s.y[i])), to_hex(palette(static_cast<int>(index))));
  }
}

Frame make_frame(const Plot& plot, double top) {
  Frame f;
  f.top = top;
  f.bottom = plot.height - 64.0;
  f.right = plot.width - 28.0;
  f.x = make_scale(plot, plot.x, &Series::x, 0);
  f.y = make_scale(plot, plot.y, &Series::y, 0.05);
  const auto ticks = [](const Scale& s, int wanted) {
    return s.log ? log_ticks(s.low_value(), s.high_value(), wanted) : linear_ticks(s.low, s.high, wanted);
  };
  f.y_ticks = ticks(f.y, std::max(3, static_cast<int>((f.bottom - f.top) / (f.y.log ? 40 : 62))));
  double widest = 0;
  for (const auto& t : f.y_ticks.ticks) widest = std::max(widest, text_width(t.label, tick_size));
  f.left = 50 + widest;
  f.x_ticks = ticks(f.x, std::max(3, static_cast<int>((f.right - f.left) / 95)));
  f.x.from = f.left;
  f.x.to = f.right;
  f.y.from = f.bottom;
  f.y.to = f.top;
  return f;
}

}  // namespace

std::string line_plot_svg(const Plot& plot) {
  double y = 20;
  const double title_y = y + title_size * 0.8;
  if (!plot.title.empty()) y += 28;
  const double subtitle_y = y + 12;
  if (!plot.subtitle.empty()) y += 22;
  const double margin = 26;
  const Legend legend = make_legend(plot, margin, plot.width - 28.0);
  const double legend_y = y + 12;
  const Frame frame = make_frame(plot, y + legend_row * legend.rows + 26);

  std::string svg;
  Out out(svg);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                 "font-family=\"{2}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
                 plot.width, plot.height, font_family);
  if (!plot.title.empty()) text(out, margin, title_y, title_size, "start", ink, plot.title, " font-weight=\"600\"");
  if (!plot.subtitle.empty()) text(out, margin, subtitle_y, label_size, "start", soft_ink, plot.subtitle);
  draw_legend(out, plot, legend, legend_y);
  draw_axes(out, plot, frame);
  fmt::format_to(out, "<clipPath id=\"frame\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                 number(frame.left - 4), number(frame.top - 4), number(frame.right - frame.left + 8),
                 number(frame.bottom - frame.top + 8));
  fmt::format_to(out, "<g clip-path=\"url(#frame)\">\n");
  bool any = false;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    draw_series(out, plot.series[i], i, frame);
    any = any || !plot.series[i].x.empty();
  }
  fmt::format_to(out, "</g>\n");
  if (!any)
    text(out, 0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom), 16, "middle", soft_ink, "no data");
  svg += "</svg>\n";
  return svg;
}

}  // namespace vinculum::cli
