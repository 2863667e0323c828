// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of URDF files.
#pragma once

#include "interchange/support.hpp"

namespace vinculum::interchange {

inline const std::string inertial =
    "<inertial><origin xyz='0 0 .5'/><mass value='2'/><inertia ixx='.1' iyy='.1' izz='.1'/></inertial>";

inline std::string link(const std::string& name, const std::string& more = inertial) {
  return "<link name='" + name + "'>" + more + "</link>\n";
}
inline std::string joint(const std::string& type, const std::string& parent, const std::string& child,
                         const std::string& more = "<limit lower='-1' upper='2' effort='7' velocity='3'/>") {
  return "<joint name='" + parent + "_" + child + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + more + "</joint>\n";
}
inline std::string robot(const std::string& text) { return "<robot name='r'>\n" + text + "</robot>\n"; }

}  // namespace vinculum::interchange
