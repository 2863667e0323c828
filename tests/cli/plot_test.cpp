// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/plot.hpp"

#include "cli/svg.hpp"
#include "cli/svg_check.hpp"
#include "cli/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace vinculum::cli {
namespace {

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const auto& t : ticks.ticks) {
    if (!t.label.empty()) out.push_back(t.label);
  }
  return out;
}

using Labels = std::vector<std::string>;

TEST(Ticks, steps_are_one_two_or_five) {
  EXPECT_EQ(labels(linear_ticks(0, 10, 5)), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(linear_ticks(-1, 1, 5)), (Labels{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels(linear_ticks(0.13, 0.57, 4)), (Labels{"0.2", "0.4"}));
  EXPECT_EQ(labels(linear_ticks(0, 2000, 4)), (Labels{"0", "500", "1000", "1500", "2000"}));
}

TEST(Ticks, small_and_large_numbers_share_a_factor) {
  const auto small = linear_ticks(0, 4e-6, 4);
  EXPECT_EQ(small.factor, "×10⁻⁶");
  EXPECT_EQ(labels(small), (Labels{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(linear_ticks(0, 3e7, 4).factor, "×10⁷");
  EXPECT_EQ(linear_ticks(0, 300, 4).factor, "");
}

TEST(Ticks, a_small_drift_on_a_large_value_is_shown_as_an_offset) {
  const auto ticks = linear_ticks(123.456, 123.456 + 4e-9, 4);
  EXPECT_FALSE(ticks.offset.empty());
  for (const auto& label : labels(ticks)) EXPECT_LE(label.size(), 8u) << label;
}

TEST(Ticks, a_logarithmic_axis_has_powers_of_ten) {
  EXPECT_EQ(labels(log_ticks(1e-3, 1e3, 8)), (Labels{"10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹", "10²", "10³"}));
  EXPECT_EQ(labels(log_ticks(1e-12, 1e-1, 4)), (Labels{"10⁻¹⁰", "10⁻⁵"}));
}

Plot make_plot(std::size_t n) {
  Plot plot;
  plot.title = "a < b & c";
  plot.x = {"time", "s", false, {}};
  plot.y = {"height", "m", false, {}};
  Series s{"ball \"1\"", {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    s.x.push_back(1e-3 * static_cast<double>(i));
    s.y.push_back(std::sin(1e-2 * static_cast<double>(i)));
  }
  plot.series = {s};
  return plot;
}

TEST(Plot, names_axes_units_and_series_and_escapes_them) {
  const auto svg = line_plot_svg(make_plot(100));
  EXPECT_TRUE(well_formed(svg));
  for (const char* part : {"time (s)", "height (m)", "a &lt; b &amp; c", "ball &quot;1&quot;"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
}

TEST(Plot, one_spike_among_a_million_points_survives_and_the_file_stays_small) {
  auto plot = make_plot(1000000);
  plot.y.range = std::pair(-2.0, 2.0);
  plot.series[0].y[654321] = 1.5;
  const auto svg = line_plot_svg(plot);
  EXPECT_LT(svg.size(), 120000u);
  // The least y in pixels, that is the highest point of the curve, is that of the spike: 7/8 of the way up the frame,
  // above that of the sine (3/4).
  const auto path = svg.find("stroke-linecap=\"round\" d=\"");
  ASSERT_NE(path, std::string::npos);
  const char* at = svg.c_str() + path + std::string("stroke-linecap=\"round\" d=\"").size();
  double top = 1e9;
  int points = 0, near_top = 0;
  while (*at == 'M' || *at == 'L') {
    char* end = nullptr;
    std::strtod(at + 1, &end);
    const double y = std::strtod(end, &end);
    if (y < top - 1) near_top = 0;
    if (y < top + 1) ++near_top;
    top = std::min(top, y);
    at = end;
    ++points;
  }
  EXPECT_GT(points, 500);
  EXPECT_EQ(near_top, 1);
}

TEST(Plot, what_cannot_be_drawn_breaks_the_line) {
  auto plot = make_plot(100);
  plot.series[0].y[30] = std::numeric_limits<double>::quiet_NaN();
  plot.series[0].y[60] = std::numeric_limits<double>::infinity();
  const auto svg = line_plot_svg(plot);
  EXPECT_FALSE(has_bad_number(svg));
  const auto path = svg.substr(svg.find("stroke-linecap=\"round\" d=\""));
  EXPECT_EQ(count(path.substr(0, path.find("/>")), "M"), 3u);
  plot.y.log = true;  // half of the sine is negative
  EXPECT_FALSE(has_bad_number(line_plot_svg(plot)));
}

TEST(Plot, hard_data_still_make_a_picture) {
  const double big = std::numeric_limits<double>::max();
  for (const auto& y : {std::vector<double>{},
                        {1.0},
                        {0.0, 0.0},
                        {5.0, 5.0},
                        {-3.0, -3.0},
                        {1e-320, 2e-320},
                        {-big / 4, big / 4},
                        {std::nan(""), std::nan("")}}) {
    for (const bool log : {false, true}) {
      Plot plot;
      plot.y.log = log;
      Series s{"", {}, y};
      s.x.resize(y.size());
      std::iota(s.x.begin(), s.x.end(), 0.0);
      plot.series = {s};
      const auto svg = line_plot_svg(plot);
      EXPECT_TRUE(well_formed(svg));
      EXPECT_FALSE(has_bad_number(svg)) << svg;
      EXPECT_LT(svg.size(), 20000u);
    }
  }
  EXPECT_NE(line_plot_svg(Plot{}).find("no data"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::cli
