// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `[lagrangian]` and `[[law]]` as the user wrote them: names, numbers, and texts of expressions with their places.
// What the texts mean is settled where they are compiled (parts/lagrangian), with errors at the same places.
#pragma once

#include "vinculum/base/error.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vinculum::expr {
class ParseError;
}

namespace vinculum::model {

/// An expression as written.
struct Formula {
  std::string text;
  base::Place place;  // of the first character of the text
  std::string path;   // law[2].gap
};

/// The error of a text as an error of the scene file.
base::InputError at_place(const expr::ParseError& error, const Formula& formula);

struct Symbol {
  std::string name;
  double value = 0;
};

/// Kinetic energy T(t, q, u) or mass matrix M(t, q); potential U(t, q); applied generalised forces F(t, q, u).
struct Lagrangian {
  base::Place place;
  std::vector<std::string> coordinates;
  std::vector<Symbol> parameters;
  std::optional<Formula> T;
  std::vector<Formula> M;  // row by row, n · n; empty when T is given
  std::optional<Formula> U;
  std::vector<Formula> forces;                      // n, or none
  std::vector<double> q, u;                         // at the start
  std::vector<std::string> velocity_names() const;  // q' of each coordinate q
};

/// A force law on one to three rows of a Lagrangian system.
struct ForceLaw {
  std::string name;
  base::Place place;
  std::string path;           // law[2]
  std::string type;           // a name of potentials/
  std::vector<Formula> gap;   // x of a displacement law; its rate follows
  std::vector<Formula> rate;  // γ of a velocity law, affine in the velocities
  std::string normal;         // friction: the law whose reaction is its load
  base::Place normal_place;
  double e = 0;                                       // Newton restitution of a unilateral gap, in [0, 1]
  std::map<std::string, double, std::less<>> values;  // parameters of the type
};

}  // namespace vinculum::model
