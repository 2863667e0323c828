// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The few words of SVG that our pictures need.
#pragma once

#include <string>
#include <string_view>

namespace vinculum::cli {

/// Red, green, blue in [0, 1].
struct Colour {
  double r = 0, g = 0, b = 0;
};
Colour mix(const Colour& a, const Colour& b, double t);  // a at t = 0, b at t = 1
std::string to_hex(const Colour& colour);

/// Colours that stay apart on a light background, also for most colour-blind eyes (after Okabe and Ito). Any index; a
/// negative one is the neutral grey of things that do not move.
Colour palette(int index);
constexpr int palette_size = 8;

/// A coordinate with a tenth of a pixel, without superfluous zeros.
std::string number(double x);
/// Text made safe for SVG: & < > " and control characters.
std::string escape(std::string_view text);
/// Width of a text of the given font size in pixels, estimated for a sans-serif font.
double text_width(std::string_view text, double font_size);
/// 10 to the given power in Unicode superscripts: 10⁻³.
std::string power_of_ten(int exponent);

constexpr std::string_view font_family = "'Inter','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif";

}  // namespace vinculum::cli
