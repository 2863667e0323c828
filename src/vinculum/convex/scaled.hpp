// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/convex/set.hpp"

namespace vinculum::convex {

/// s C = { s y : y ∈ C }, s > 0: forces over a time s are impulses.
SetPtr make_scaled(const SetPtr& set, double s);

}  // namespace vinculum::convex
