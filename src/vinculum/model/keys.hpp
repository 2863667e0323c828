// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Every table of a scene and the keys it may have; docs/scene.md describes each (a test holds the two together).
// The keys of a shape's geometry come from the registry of shapes.
#pragma once

#include "vinculum/shapes/shape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace vinculum::model {

using Keys = std::vector<std::string_view>;

const Keys& root_keys();
const Keys& scene_keys();
const Keys& run_keys();
const Keys& material_keys();
const Keys& contact_keys();
const Keys& body_keys();
const Keys& frame_keys();
const Keys& rotation_keys();
const Keys& copies_keys();
const Keys& force_keys();
const Keys& rod_keys();
const Keys& spring_keys();
const Keys& no_contact_keys();
const Keys& joint_keys();
const Keys& connect_keys();
const Keys& weld_keys();
const Keys& coupling_keys();
const Keys& tendon_keys();
const Keys& actuator_keys();
const Keys& keyframe_keys();
const Keys& control_keys();
const Keys& lagrangian_keys();
const Keys& law_keys();  // of every law; the parameters of its type come on top

/// Keys of a `[[shape]]` of this type; those of the inline shape of a body lack `body`.
Keys shape_keys(const shapes::ShapeType& type, bool inline_shape);

/// All of them as `table.key`, sorted: `body.mass`, `shape.radius`, `copies.grid`, ...
std::vector<std::string> known_keys();

}  // namespace vinculum::model
