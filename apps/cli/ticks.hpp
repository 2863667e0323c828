// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Where an axis has its ticks and what stands beside them: steps of 1, 2 or 5 times a power of ten.
#pragma once

#include <string>
#include <vector>

namespace vinculum::cli {

struct Tick {
  double value;
  std::string label;  // empty: a minor tick
};

struct Ticks {
  std::vector<Tick> ticks;
  std::string factor;  // "×10⁻³" when all labels are to be multiplied by it
  std::string offset;  // "+ 9.81" when it is to be added to all labels
};

/// About `wanted` ticks in [low, high], low < high.
Ticks linear_ticks(double low, double high, int wanted);
/// Powers of ten in [low, high], 0 < low < high; labels for at most `wanted`.
Ticks log_ticks(double low, double high, int wanted);

}  // namespace vinculum::cli
