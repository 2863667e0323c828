// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of two cylinders.
#pragma once

#include "vinculum/collide/emitter.hpp"

namespace vinculum::collide {

void collide_cylinders(const shapes::Shape& a, const shapes::Shape& b, Emitter& out);

}  // namespace vinculum::collide
