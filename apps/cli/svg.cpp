// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace vinculum::cli {

Colour mix(const Colour& a, const Colour& b, double t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

std::string to_hex(const Colour& c) {
  const auto byte = [](double x) { return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(c.r), byte(c.g), byte(c.b));
}

Colour palette(int index) {
  static constexpr std::array<unsigned, palette_size> colours{0x0072b2, 0xd55e00, 0x009e73, 0xb8529a,
                                                              0xe69f00, 0x4aa8de, 0x7a5230, 0x5b5f97};
  const unsigned rgb = index < 0 ? 0x9aa3ad : colours[static_cast<std::size_t>(index) % colours.size()];
  return {(rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

std::string number(double x) {
  std::string out = fmt::format("{:.1f}", x);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return out;
}

double text_width(std::string_view text, double font_size) {
  double ems = 0;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if ((u & 0xC0) == 0x80) continue;  // inside a UTF-8 sequence
    if (std::string_view("ijl.,:;'|! ()[]ft").find(c) != std::string_view::npos) {
      ems += 0.33;
    } else if (std::string_view("mwMW%@").find(c) != std::string_view::npos) {
      ems += 0.88;
    } else {
      ems += u >= 'A' && u <= 'Z' ? 0.68 : 0.57;
    }
  }
  return ems * font_size;
}

std::string power_of_ten(int exponent) {
  static constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = "10";
  if (exponent < 0) out += "⁻";
  for (const char c : std::to_string(std::abs(exponent))) out += digits[static_cast<std::size_t>(c - '0')];
  return out;
}

}  // namespace vinculum::cli
