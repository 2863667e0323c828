// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vinculum::base {

constexpr const char* version = "0.1.0";

}  // namespace vinculum::base
