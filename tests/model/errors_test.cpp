// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One test for each kind of wrong input; each compares the whole line.
#include "model/support.hpp"

#include <filesystem>
#include <fstream>

namespace vinculum::model {
namespace {

// `ball` has four lines, so that what is appended to it begins in line 5.

TEST(SceneErrors, a_syntax_error_says_what_was_seen_and_what_was_expected) {
  EXPECT_EQ(error_of("[[body]]\nname \"x\"\n"), "t.toml:2:6: syntax: found '\"', expected '='");
  EXPECT_EQ(error_of("a = "), "t.toml:1:5: syntax: found key-value pair: encountered end-of-file, expected valid TOML");
  EXPECT_EQ(error_of("a = 1\na = 2\n"),
            "t.toml:2:5: syntax: found key-value pair: cannot redefine existing integer 'a', expected valid TOML");
}

TEST(SceneErrors, characters_beyond_ascii_belong_into_strings_and_comments) {
  const std::string expected =
      "a character that is not ASCII, expected such characters only in strings (quoted keys included) and comments";
  EXPECT_EQ(error_of("# größe\nname = \"é\"  ü\n"), "t.toml:2:13: syntax: found " + expected);
  EXPECT_EQ(error_of("größe = 1\n"), "t.toml:1:3: syntax: found " + expected);
  const std::string fine = "[scene]\ndescription = \"\"\"é\n\\\"ü\"\" \u00e9 ...\"\"\"\"\"\nname = 'ö' # ß\n";
  EXPECT_EQ(error_of(fine + ball), "no error");
  EXPECT_EQ(error_of("\xef\xbb\xbf" + ball), "no error");
}

TEST(SceneErrors, an_empty_file_is_no_scene) {
  EXPECT_EQ(error_of(""), "t.toml: file: found an empty file, expected a scene");
  EXPECT_EQ(error_of(" \n\t\n"), "t.toml: file: found an empty file, expected a scene");
}

TEST(SceneErrors, a_scene_needs_a_body) {
  EXPECT_EQ(error_of("[scene]\nname = \"x\"\n"), "t.toml:1:1: body: found nothing, expected at least one [[body]]");
  EXPECT_EQ(error_of("body = []\n"), "t.toml:1:1: body: found nothing, expected at least one [[body]]");
}

TEST(SceneErrors, an_unknown_table_gets_a_guess) {
  EXPECT_EQ(error_of("[[bdoy]]\nname = \"x\"\n"),
            "t.toml:1:3: bdoy: found an unknown key, expected a key of a scene; did you mean body?");
}

TEST(SceneErrors, an_unknown_key_is_pointed_at_and_gets_a_guess) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\n  masss = 1\n"),
            "t.toml:3:3: body[0].masss: found an unknown key, expected a key of [[body]]; did you mean mass?");
}

TEST(SceneErrors, an_unknown_key_that_resembles_nothing_gets_the_list) {
  EXPECT_EQ(error_of(ball + "[[no_contact]]\ncolour = 1\n"),
            "t.toml:6:1: no_contact[0].colour: found an unknown key, expected a key of [[no_contact]]: bodies");
}

TEST(SceneErrors, a_key_of_another_shape_is_unknown) {
  EXPECT_EQ(error_of(ball + "[[shape]]\ntype = \"plane\"\nradius = 1\n"),
            "t.toml:7:1: shape[0].radius: found an unknown key, expected a key of a shape of type plane: name, type, "
            "body, position, quaternion, rotation, material, density, contype, conaffinity");
}

TEST(SceneErrors, a_wrong_type_says_what_was_found) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nmass = \"heavy\"\n"),
            "t.toml:3:8: body[0].mass: found \"heavy\", expected a positive number (kg)");
  EXPECT_EQ(
      error_of("[[body]]\nname = 3\n"),
      "t.toml:2:8: body[0].name: found 3, expected a name (a string that is not empty and has no control characters)");
  EXPECT_EQ(error_of("[scene]\nallow_penetration = 1\n"),
            "t.toml:2:21: scene.allow_penetration: found 1, expected true or false");
  EXPECT_EQ(error_of("[scene]\ndescription = 2020-01-01\n"),
            "t.toml:2:15: scene.description: found a date or time, expected a string");
  EXPECT_EQ(error_of("[run]\nthreads = 1.5\n"),
            "t.toml:2:11: run.threads: found 1.5, expected an integer from 0 to 4096");
}

TEST(SceneErrors, a_vector_of_wrong_length_or_content_is_named) {
  EXPECT_EQ(error_of("[scene]\ngravity = [0, -9.81]\n"),
            "t.toml:2:11: scene.gravity: found an array of 2, expected an array of 3 numbers (m/s^2)");
  EXPECT_EQ(error_of("[scene]\ngravity = [0, \"x\", -9.81]\n"),
            "t.toml:2:15: scene.gravity[1]: found \"x\", expected a finite number (m/s^2)");
  EXPECT_EQ(error_of("[scene]\ngravity = 9.81\n"),
            "t.toml:2:11: scene.gravity: found 9.81, expected an array of 3 numbers (m/s^2)");
}

TEST(SceneErrors, a_table_where_an_array_of_tables_belongs_is_reported_and_the_reverse) {
  EXPECT_EQ(error_of("[body]\nname = \"x\"\n"),
            "t.toml:1:1: body: found a table, expected an array of tables [[body]]");
  EXPECT_EQ(error_of("[[scene]]\nname = \"x\"\n"), "t.toml:1:1: scene: found an array of 1, expected a table [scene]");
  EXPECT_EQ(error_of("body = [ 7 ]\n"), "t.toml:1:10: body[0]: found 7, expected a table [[body]]");
}

TEST(SceneErrors, a_missing_key_is_reported_at_the_header_of_its_table) {
  EXPECT_EQ(error_of("[scene]\n\n[[body]]\nmass = 1\n"),
            "t.toml:3:1: body[0].name: found nothing, expected the name of the body");
  EXPECT_EQ(error_of(ball + "[[shape]]\nname = \"floor\"\n"),
            "t.toml:5:1: shape[0].type: found nothing, expected one of sphere, box, capsule, cylinder, plane, hull, "
            "mesh, height_field");
  EXPECT_EQ(error_of(ball + "[[force]]\nbody = \"ball\"\n"),
            "t.toml:5:1: force[0].force: found nothing, expected a force (N) or a torque (N m)");
}

TEST(SceneErrors, a_missing_body_gets_a_guess) {
  EXPECT_EQ(error_of(ball + "[[force]]\nbody = \"bal\"\nforce = [0, 0, 1]\n"),
            "t.toml:6:8: force[0].body: found \"bal\", expected the name of a body; did you mean \"ball\"?");
  EXPECT_EQ(error_of(ball + "[[shape]]\ntype = \"sphere\"\nradius = 1\nbody = \"cabinet\"\n"),
            "t.toml:8:8: shape[0].body: found \"cabinet\", expected the name of a body");
  EXPECT_EQ(
      error_of(ball + "[[no_contact]]\nbodies = [\"ball\", \"blal\"]\n"),
      "t.toml:6:19: no_contact[0].bodies[1]: found \"blal\", expected the name of a body; did you mean \"ball\"?");
  EXPECT_EQ(error_of(ball + "[[rod]]\na = \"boll\"\n"),
            "t.toml:6:5: rod[0].a: found \"boll\", expected the name of a body; did you mean \"ball\"?");
}

TEST(SceneErrors, a_missing_material_gets_a_guess) {
  EXPECT_EQ(
      error_of(
          "[[material]]\nname = \"steel\"\n[[body]]\nname = \"x\"\nmass = 1\nparticle = true\nmaterial = \"stele\"\n"),
      "t.toml:7:12: body[0].material: found \"stele\", expected the name of a material; did you mean \"steel\"?");
  EXPECT_EQ(error_of("[[contact]]\nmaterials = [\"default\", \"ice\"]\n" + ball),
            "t.toml:2:25: contact[0].materials[1]: found \"ice\", expected the name of a material");
}

TEST(SceneErrors, a_copied_body_is_referred_to_by_one_of_its_copies) {
  const std::string row = ball + "copies = { line = 3, step = [1, 0, 0] }\n";
  EXPECT_EQ(error_of(row + "[[force]]\nbody = \"ball\"\nforce = [0, 0, 1]\n"),
            "t.toml:7:8: force[0].body: found \"ball\", expected one of its copies, \"ball[0]\" to \"ball[2]\"");
  EXPECT_EQ(error_of(row + "[[rod]]\na = \"ball\"\npoint_b = [0, 0, 1]\n"),
            "t.toml:7:5: rod[0].a: found \"ball\", expected one of its copies, \"ball[0]\" to \"ball[2]\"");
}

TEST(SceneErrors, a_mass_is_positive) {
  EXPECT_EQ(error_of(ball + "[[body]]\nname = \"x\"\nmass = -1\n"),
            "t.toml:7:8: body[1].mass: found -1, expected a positive number (kg)");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nmass = 0.0\n"),
            "t.toml:3:8: body[0].mass: found 0, expected a positive number (kg)");
}

TEST(SceneErrors, mass_and_inertia_must_come_from_somewhere) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\n"),
            "t.toml:1:1: body[0].mass: found nothing, expected mass (kg), or density (kg/m^3) with a shape");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nshape = { type = \"sphere\", radius = 1 }\n"),
            "t.toml:1:1: body[0].mass: found nothing, expected mass (kg), or a density (kg/m^3) for body[0].shape");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nmass = 1\n"),
            "t.toml:1:1: body[0].inertia: found nothing, expected moments of inertia (kg m^2), a shape to compute them "
            "from, or particle = true");
  EXPECT_EQ(error_of(ball + "density = 3\n"),
            "t.toml:5:11: body[0].density: found mass as well, expected one of mass and density");
}

TEST(SceneErrors, shapes_beyond_the_range_of_numbers_make_no_body) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\ndensity = 1\nshape = { type = \"sphere\", radius = 1e200 }\n"),
            "t.toml:1:1: body[0]: found shapes of mass inf, expected a positive finite mass (kg)");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\ndensity = 1\nshape = { type = \"sphere\", radius = 1e-200 }\n"),
            "t.toml:1:1: body[0]: found shapes of mass 0, expected a positive finite mass (kg)");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nmass = 1\nshape = { type = \"sphere\", radius = 1e200 }\n"),
            "t.toml:1:1: body[0]: found shapes of such size and place that the inertia is not a positive definite "
            "matrix, expected shapes of a body's size");
}

TEST(SceneErrors, an_inertia_is_positive_definite) {
  const std::string x = "[[body]]\nname = \"x\"\nmass = 1\ninertia = ";
  EXPECT_EQ(error_of(x + "[1, 1, -0.5]\n"),
            "t.toml:4:11: body[0].inertia: found principal moments -0.5, 1, 1, expected positive ones (kg m^2)");
  EXPECT_EQ(error_of(x + "[1, 1, 0]\n"),
            "t.toml:4:11: body[0].inertia: found principal moments 0, 1, 1, expected positive ones (kg m^2)");
  EXPECT_EQ(error_of(x + "[2, 2, 2, 3, 0, 0]\n"),
            "t.toml:4:11: body[0].inertia: found principal moments -1, 2, 5, expected positive ones (kg m^2)");
  EXPECT_EQ(error_of(x + "[1, 1]\n"),
            "t.toml:4:11: body[0].inertia: found an array of 2, expected an array of 3 or 6 numbers (kg m^2)");
}

TEST(SceneErrors, only_a_link_may_be_a_rod_or_a_point) {
  const std::string x = "[[body]]\nname = \"x\"\nmass = 1\ninertia = ";
  const auto joint = [](const std::string& type) {
    return "[[joint]]\nname = \"j\"\ntype = \"" + type + "\"\nchild = \"x\"\n";
  };
  EXPECT_EQ(error_of(x + "[1, 1, 0]\n" + joint("revolute")), "no error");
  EXPECT_EQ(error_of(x + "[0, 0, 0]\n" + joint("prismatic")), "no error");
  EXPECT_EQ(error_of(x + "[1, 1, 0]\n" + joint("free")),
            "t.toml:4:11: body[0].inertia: found principal moments 0, 1, 1, expected positive ones (kg m^2)");
  EXPECT_EQ(error_of(x + "[1, 1, -1e-9]\n" + joint("revolute")),
            "t.toml:4:11: body[0].inertia: found principal moments -1e-09, 1, 1, expected positive ones (kg m^2)");
  EXPECT_EQ(error_of(x + "[0, 0, 1]\n" + joint("revolute")),
            "t.toml:4:11: body[0].inertia: found principal moments 0, 0, 1, expected none larger than the sum of the "
            "other two (kg m^2)");
}

TEST(SceneErrors, an_inertia_obeys_the_triangle_inequality) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nmass = 1\ninertia = [1, 1, 2.00001]\n"),
            "t.toml:4:11: body[0].inertia: found principal moments 1, 1, 2.00001, expected none larger than the sum of "
            "the other two (kg m^2)");
}

TEST(SceneErrors, nan_and_infinity_are_no_numbers) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nmass = inf\n"),
            "t.toml:3:8: body[0].mass: found inf, expected a positive number (kg)");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nposition = [0, nan, 0]\n"),
            "t.toml:3:16: body[0].position[1]: found nan, expected a finite number (m)");
  EXPECT_EQ(error_of("[run]\nuntil = inf\n"), "t.toml:2:9: run.until: found inf, expected a number >= 0 (s)");
  EXPECT_EQ(error_of(ball + "[[force]]\nbody = \"ball\"\nforce = [1, 0, 0]\nto = inf\n"),
            "t.toml:8:6: force[0].to: found inf, expected a finite number (s)");
}

TEST(SceneErrors, a_name_is_used_once_among_things_of_its_kind) {
  EXPECT_EQ(error_of(ball + ball),
            "t.toml:6:8: body[1].name: found \"ball\" a second time, expected a name that no other body has (line 2)");
  EXPECT_EQ(
      error_of("[[material]]\nname = \"a\"\n[[material]]\nname = \"a\"\n" + ball),
      "t.toml:4:8: material[1].name: found \"a\" a second time, expected a name that no other material has (line 2)");
  EXPECT_EQ(error_of(ball + "[[shape]]\nname = \"f\"\ntype = \"plane\"\n[[shape]]\nname = \"f\"\ntype = \"plane\"\n"),
            "t.toml:9:8: shape[1].name: found \"f\" a second time, expected a name that no other shape has (line 6)");
  const std::string push = "[[force]]\nname = \"push\"\nbody = \"ball\"\nforce = [1, 0, 0]\n";
  EXPECT_EQ(
      error_of(ball + push + push),
      "t.toml:10:8: force[1].name: found \"push\" a second time, expected a name that no other force has (line 6)");
  const std::string rod = "[[rod]]\nname = \"r\"\na = \"ball\"\npoint_b = [0, 0, 1]\n";
  EXPECT_EQ(error_of(ball + rod + rod),
            "t.toml:10:8: rod[1].name: found \"r\" a second time, expected a name that no other rod has (line 6)");
}

TEST(SceneErrors, a_copy_may_not_take_the_name_of_another_body) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x[1]\"\nmass = 1\nparticle = true\n"
                     "[[body]]\nname = \"x\"\nmass = 1\nparticle = true\ncopies = { line = 2, step = [1, 0, 0] }\n"),
            "t.toml:6:8: body[1].name: found \"x[1]\" a second time, expected a name that no other body has (line 2)");
}

TEST(SceneErrors, world_is_a_reserved_name) {
  EXPECT_EQ(error_of("[[body]]\nname = \"world\"\nmass = 1\nparticle = true\n"),
            "t.toml:2:8: body[0].name: found \"world\", expected another name for a body; \"world\" is reserved");
}

TEST(SceneErrors, friction_is_not_negative) {
  EXPECT_EQ(error_of("[[contact]]\nmu = -0.1\n"), "t.toml:2:6: contact[0].mu: found -0.1, expected a number >= 0");
}

TEST(SceneErrors, restitution_lies_between_zero_and_one) {
  EXPECT_EQ(error_of("[[contact]]\ne_N = 1.1\n"),
            "t.toml:2:7: contact[0].e_N: found 1.1, expected a number from 0 to 1");
  EXPECT_EQ(error_of("[[contact]]\ne_T = -1\n"), "t.toml:2:7: contact[0].e_T: found -1, expected a number from 0 to 1");
}

TEST(SceneErrors, a_pair_of_materials_has_one_contact) {
  EXPECT_EQ(
      error_of("[[material]]\nname = \"a\"\n[[contact]]\nmaterials = [\"a\", \"default\"]\n"
               "[[contact]]\nmaterials = [\"default\", \"a\"]\n" +
               ball),
      "t.toml:6:13: contact[1].materials: found \"default\" and \"a\" a second time, expected one [[contact]] for a "
      "pair (line 4)");
  EXPECT_EQ(error_of("[[contact]]\nmu = 1\n[[contact]]\nmu = 2\n" + ball),
            "t.toml:3:1: contact[1]: found a second [[contact]] without materials, expected one default for all pairs "
            "not given");
  EXPECT_EQ(error_of("[[contact]]\nmaterials = [\"default\"]\n" + ball),
            "t.toml:2:13: contact[0].materials: found an array of 1, expected an array of 2 names of materials");
}

TEST(SceneErrors, the_run_has_a_positive_step_and_tolerance_and_no_negative_end) {
  EXPECT_EQ(error_of("[run]\ndt = 0\n"), "t.toml:2:6: run.dt: found 0, expected a positive number (s)");
  EXPECT_EQ(error_of("[run]\nuntil = -1\n"), "t.toml:2:9: run.until: found -1, expected a number >= 0 (s)");
  EXPECT_EQ(error_of("[run]\ntol = 0\n"), "t.toml:2:7: run.tol: found 0, expected a positive number");
  EXPECT_EQ(error_of("[run]\nrecord_every = 0\n"),
            "t.toml:2:16: run.record_every: found 0, expected an integer from 1 to 1000000000");
}

TEST(SceneErrors, a_quaternion_has_norm_one) {
  EXPECT_EQ(
      error_of("[[body]]\nname = \"x\"\nquaternion = [1, 1, 0, 0]\n"),
      "t.toml:3:14: body[0].quaternion: found a quaternion of norm 1.4142135623730951, expected norm 1 (w, x, y, z)");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nquaternion = [1, 0, 0]\n"),
            "t.toml:3:14: body[0].quaternion: found an array of 3, expected an array of 4 numbers (w, x, y, z)");
}

TEST(SceneErrors, a_rotation_has_an_axis_and_one_angle) {
  const std::string x = "[[body]]\nname = \"x\"\nrotation = ";
  EXPECT_EQ(error_of(x + "{ axis = [0, 0, 0], degrees = 3 }\n"),
            "t.toml:3:21: body[0].rotation.axis: found a zero axis, expected a direction");
  EXPECT_EQ(error_of(x + "{ degrees = 3 }\n"),
            "t.toml:3:12: body[0].rotation.axis: found nothing, expected an array of 3 numbers, not all zero");
  EXPECT_EQ(error_of(x + "{ axis = [0, 0, 1] }\n"),
            "t.toml:3:12: body[0].rotation.degrees: found nothing, expected an angle: degrees or radians");
  EXPECT_EQ(error_of(x + "{ axis = [0, 0, 1], degrees = 1, radians = 2 }\n"),
            "t.toml:3:55: body[0].rotation.radians: found degrees as well, expected one of degrees and radians");
  EXPECT_EQ(error_of(x + "{ axis = [0, 0, 1], degrees = 1 }\nquaternion = [1, 0, 0, 0]\n"),
            "t.toml:3:12: body[0].rotation: found quaternion as well, expected one of quaternion and rotation");
}

TEST(SceneErrors, an_unknown_shape_type_gets_the_list_and_a_guess) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nshape = { type = \"shpere\" }\n"),
            "t.toml:3:18: body[0].shape.type: found \"shpere\", expected one of sphere, box, capsule, cylinder, plane, "
            "hull, mesh, height_field; did you mean \"sphere\"?");
}

TEST(SceneErrors, the_sizes_of_a_shape_are_positive) {
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nshape = { type = \"sphere\", radius = 0 }\n"),
            "t.toml:3:37: body[0].shape.radius: found 0, expected a positive number (m)");
  EXPECT_EQ(error_of("[[body]]\nname = \"x\"\nshape = { type = \"box\", size = [1, -1, 1] }\n"),
            "t.toml:3:36: body[0].shape.size[1]: found -1, expected a positive number (m)");
}

TEST(SceneErrors, a_point_of_a_hull_is_named) {
  EXPECT_EQ(error_of(ball + "[[shape]]\ntype = \"hull\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1]]\n"),
            "t.toml:7:44: shape[0].points[3]: found an array of 2, expected an array of 3 numbers (m)");
  EXPECT_EQ(error_of(ball + "[[shape]]\ntype = \"hull\"\npoints = [[0, 0, 0], [1, nan, 0]]\n"),
            "t.toml:7:26: shape[0].points[1][1]: found nan, expected a finite number (m)");
}

TEST(SceneErrors, what_a_shape_refuses_is_reported_at_its_place) {
  const std::string line = error_of(ball + "[[shape]]\ntype = \"hull\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n");
  EXPECT_TRUE(line.starts_with("t.toml:7:10: shape[0].points: found ")) << line;
  EXPECT_NE(line.find(", expected "), std::string::npos) << line;
}

TEST(SceneErrors, a_plane_does_not_move) {
  EXPECT_EQ(error_of(ball + "[[shape]]\ntype = \"plane\"\nbody = \"ball\"\n"),
            "t.toml:6:8: shape[0].type: found \"plane\", expected a bounded shape on a moving body");
}

TEST(SceneErrors, a_particle_has_neither_box_nor_inertia_nor_spin) {
  const std::string p = "[[body]]\nname = \"p\"\nmass = 1\nparticle = true\n";
  EXPECT_EQ(
      error_of(p + "shape = { type = \"box\", size = [1, 1, 1] }\n"),
      "t.toml:5:18: body[0].shape.type: found \"box\", expected \"sphere\", the only shape that a particle may have");
  EXPECT_EQ(error_of(p + "inertia = [1, 1, 1]\n"),
            "t.toml:5:1: body[0].inertia: found an array of 3, expected no such key on a particle");
  EXPECT_EQ(error_of(p + "angular_velocity = [1, 1, 1]\n"),
            "t.toml:5:1: body[0].angular_velocity: found an array of 3, expected no such key on a particle");
  EXPECT_EQ(error_of(p + "[[force]]\nbody = \"p\"\ntorque = [1, 0, 0]\n"),
            "t.toml:7:1: force[0].torque: found an array of 3, expected no such key on a particle");
}

TEST(SceneErrors, a_fixed_shape_has_no_density) {
  EXPECT_EQ(error_of(ball + "[[shape]]\ntype = \"plane\"\ndensity = 3\n"),
            "t.toml:7:1: shape[0].density: found 3, expected no such key on a fixed shape");
}

TEST(SceneErrors, copies_are_of_one_kind_and_of_a_sane_number) {
  EXPECT_EQ(error_of(ball + "copies = { spacing = [1, 1, 1] }\n"),
            "t.toml:5:10: body[0].copies: found 0 of grid, pyramid and line, expected one of them");
  EXPECT_EQ(error_of(ball + "copies = { grid = [1000, 1000, 1000], spacing = [1, 1, 1] }\n"),
            "t.toml:5:19: body[0].copies.grid: found a grid of too many copies, expected at most 10000000 copies");
  EXPECT_EQ(error_of(ball + "copies = { line = 0, step = [1, 1, 1] }\n"),
            "t.toml:5:19: body[0].copies.line: found 0, expected an integer from 1 to 10000000");
  EXPECT_EQ(error_of(ball + "copies = { line = 2, step = [1, 1, 1], jitter = 1 }\n"),
            "t.toml:5:40: body[0].copies.jitter: found 1, expected no such key beside line");
  EXPECT_EQ(error_of(ball + "copies = { pyramid = 3 }\n"),
            "t.toml:5:10: body[0].copies.spacing: found nothing, expected an array of 2 numbers (m)");
}

TEST(SceneErrors, a_force_acts_on_a_body_for_some_time) {
  EXPECT_EQ(error_of(ball + "[[force]]\nbody = \"ball\"\nforce = [1, 0, 0]\nfrom = 2\nto = 1\n"),
            "t.toml:9:6: force[0].to: found 1, expected a time after from = 2 (s)");
  EXPECT_EQ(error_of(ball + "[[force]]\nbody = \"ball\"\nforce = [1, 0, 0]\naxes = \"earth\"\n"),
            "t.toml:8:8: force[0].axes: found \"earth\", expected \"world\" or \"body\"");
  EXPECT_EQ(error_of(ball + "[[force]]\nbody = \"world\"\nforce = [1, 0, 0]\n"),
            "t.toml:6:8: force[0].body: found \"world\", expected the name of a body");
}

TEST(SceneErrors, a_spring_does_something_between_two_things_at_a_distance) {
  EXPECT_EQ(error_of(ball + "[[spring]]\nstiffness = 1\n"),
            "t.toml:5:1: spring[0].a: found nothing, expected the name of a body; a spring from world to world does "
            "nothing");
  EXPECT_EQ(error_of(ball + "[[spring]]\na = \"ball\"\nstiffness = 1\n"),
            "t.toml:5:1: spring[0]: found ends at distance 0, expected ends apart from each other (m)");
  EXPECT_EQ(error_of(ball + "[[spring]]\na = \"ball\"\npoint_b = [0, 0, 1]\n"),
            "t.toml:5:1: spring[0].stiffness: found nothing, expected a positive stiffness (N/m) or damping (N s/m)");
  EXPECT_EQ(error_of(ball + "[[spring]]\na = \"ball\"\npoint_b = [0, 0, 1]\nstiffness = -1\n"),
            "t.toml:8:13: spring[0].stiffness: found -1, expected a number >= 0 (N/m)");
}

TEST(SceneErrors, a_rod_joins_two_things_at_a_distance) {
  EXPECT_EQ(error_of(ball + "[[rod]]\nname = \"r\"\n"),
            "t.toml:5:1: rod[0].a: found nothing, expected the name of a body; a rod from world to world does nothing");
  EXPECT_EQ(error_of(ball + "[[rod]]\na = \"ball\"\nb = \"ball\"\npoint_b = [0, 0, 1]\n"),
            "t.toml:7:5: rod[0].b: found \"ball\", expected another body than a");
  EXPECT_EQ(error_of(ball + "[[rod]]\na = \"ball\"\n"),
            "t.toml:5:1: rod[0]: found ends at distance 0, expected ends apart from each other (m)");
  EXPECT_EQ(error_of(ball + "[[rod]]\na = \"ball\"\npoint_b = [0, 0, 1]\nlength = -1\n"),
            "t.toml:8:10: rod[0].length: found -1, expected a positive number (m)");
}

TEST(SceneErrors, a_body_always_misses_itself) {
  EXPECT_EQ(error_of(ball + "[[no_contact]]\nbodies = [\"ball\", \"ball\"]\n"),
            "t.toml:6:19: no_contact[0].bodies[1]: found \"ball\", expected another body than the first");
}

TEST(SceneErrors, a_message_stays_one_line_whatever_the_scene_says) {
  EXPECT_EQ(error_of("[[body]]\nname = \"a\\nb\\u0007\"\n"),
            "t.toml:2:8: body[0].name: found \"a\\nb\\x07\", expected a name (a string that is not empty and has no "
            "control characters)");
}

std::string file_error_of(const std::string& file) {
  try {
    read_scene(file);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SceneErrors, a_file_that_cannot_be_read_is_no_scene) {
  EXPECT_EQ(file_error_of("/nowhere/x.toml"), "/nowhere/x.toml: file: found no such file, expected a scene");
  EXPECT_EQ(file_error_of("/tmp"), "/tmp: file: found a directory, expected a scene");
  namespace fs = std::filesystem;
  const std::string locked = fs::path(VINCULUM_BINARY_DIR) / "locked_scene.toml";
  std::ofstream(locked) << ball;
  fs::permissions(locked, fs::perms::none);
  const bool all_powerful = std::ifstream(locked).good();  // root reads everything
  if (!all_powerful) {
    EXPECT_EQ(file_error_of(locked), locked + ": file: found a file that cannot be read, expected a scene");
  }
  fs::remove(locked);
}

}  // namespace
}  // namespace vinculum::model
