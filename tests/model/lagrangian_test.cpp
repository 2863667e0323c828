// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One test for each kind of wrong input of [lagrangian] and [[law]]; each compares the whole line.
#include "vinculum/parts/lagrangian.hpp"
#include "model/support.hpp"

namespace vinculum::model {
namespace {

/// As error_of, formulas compiled as well.
std::string fault(const std::string& text) {
  try {
    const Model model = parse_scene(text, "t.toml");
    if (model.lagrangian) const parts::Lagrangian part(*model.lagrangian, model.laws);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

// Three lines each, so that what is appended begins in line 4.
const std::string point = "[lagrangian]\ncoordinates = [\"y\"]\nT = \"y'^2/2\"\n";
const std::string plane = "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nT = \"(x'^2 + y'^2)/2\"\n";
const std::string floor = "[[law]]\nname = \"floor\"\ntype = \"unilateral\"\ngap = \"y\"\n";  // four lines

TEST(LagrangianErrors, the_texts_they_start_from_are_right) {
  EXPECT_EQ(fault(point), "no error");
  EXPECT_EQ(fault(plane + floor), "no error");
}

TEST(LagrangianErrors, a_syntax_error_points_to_the_character) {
  EXPECT_EQ(fault("[lagrangian]\ncoordinates = [\"y\"]\nT = \"y'^2/)\"\n"),
            "t.toml:3:11: lagrangian.T: found ')', expected a number, a name or '('");
  EXPECT_EQ(fault(point + "U = \"9.81*y +\"\n"),
            "t.toml:4:14: lagrangian.U: found the end, expected a number, a name or '('");
  EXPECT_EQ(fault(point + "U = \"sin y\"\n"), "t.toml:4:10: lagrangian.U: found y, expected '(' after sin");
  EXPECT_EQ(fault(point + "U = \"y/(1 - 1)\"\n"),
            "t.toml:4:8: lagrangian.U: found a division by 0, expected a divisor that is not 0");
  EXPECT_EQ(fault(plane + "forces = [\"1\", \"2 y\"]\n"),
            "t.toml:4:19: lagrangian.forces[1]: found y, expected an operator or the end");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"unilateral\"\n  gap = \"y y\"\n"),
            "t.toml:6:12: law[0].gap: found y, expected an operator or the end");
}

TEST(LagrangianErrors, a_syntax_error_behind_characters_beyond_ascii_counts_characters) {
  EXPECT_EQ(fault(point + "U = \"y + µ\"\n"), "t.toml:4:10: lagrangian.U: found 'µ', expected a number, a name or '('");
}

TEST(LagrangianErrors, a_syntax_error_in_a_text_of_several_lines_points_to_its_line) {
  EXPECT_EQ(fault(point + "U = \"\"\"y +\n   y )\"\"\"\n"),
            "t.toml:5:6: lagrangian.U: found ')', expected an operator or the end");
  EXPECT_EQ(fault(point + "U = \"\"\"\n  y )\"\"\"\n"),
            "t.toml:5:5: lagrangian.U: found ')', expected an operator or the end");
  EXPECT_EQ(fault(point + "U = '''y )'''\n"), "t.toml:4:10: lagrangian.U: found ')', expected an operator or the end");
  EXPECT_EQ(fault(point + "U = 'y )'\n"), "t.toml:4:8: lagrangian.U: found ')', expected an operator or the end");
}

TEST(LagrangianErrors, an_unknown_name_gets_a_guess) {
  EXPECT_EQ(fault(point + "U = \"mass*y\"\nparameters = { m = 1 }\n"),
            "t.toml:4:6: lagrangian.U: found mass, expected a known name");
  EXPECT_EQ(fault(point + "U = \"3*masss\"\nparameters = { mass = 1 }\n"),
            "t.toml:4:8: lagrangian.U: found masss, expected a known name; did you mean mass?");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"dry_friction\"\nload = 1\nrate = \"z'\"\n"),
            "t.toml:7:9: law[0].rate: found z', expected a known name; did you mean y'?");
}

TEST(LagrangianErrors, coordinates_are_needed) {
  EXPECT_EQ(fault("[lagrangian]\nT = \"1\"\n"),
            "t.toml:1:1: lagrangian.coordinates: found nothing, expected an array of names");
  EXPECT_EQ(fault("[lagrangian]\ncoordinates = []\nT = \"1\"\n"),
            "t.toml:2:15: lagrangian.coordinates: found an empty array, expected one coordinate or more");
  EXPECT_EQ(fault("[lagrangian]\ncoordinates = \"y\"\nT = \"1\"\n"),
            "t.toml:2:15: lagrangian.coordinates: found \"y\", expected an array of names");
  EXPECT_EQ(fault("[lagrangian]\ncoordinates = [1]\nT = \"1\"\n"),
            "t.toml:2:16: lagrangian.coordinates[0]: found 1, expected a string");
}

TEST(LagrangianErrors, reserved_names_are_taken) {
  const std::string expected =
      "expected a name of letters, digits and _, a letter first, that means nothing else in expressions";
  for (const std::string name : {"t", "pi", "sin", "sqrt", "y'", "2y", "", "a b", "a-b"}) {
    EXPECT_EQ(fault("[lagrangian]\ncoordinates = [\"x\", \"" + name + "\"]\nT = \"x'^2\"\n"),
              "t.toml:2:21: lagrangian.coordinates[1]: found \"" + name + "\", " + expected);
  }
  EXPECT_EQ(fault(point + "parameters = { t = 1 }\n"),
            "t.toml:4:20: lagrangian.parameters.t: found \"t\", " + expected);
  EXPECT_EQ(fault(point + "parameters = { m = 1, cos = 2 }\n"),
            "t.toml:4:29: lagrangian.parameters.cos: found \"cos\", " + expected);
}

TEST(LagrangianErrors, a_name_is_used_once_among_coordinates_and_parameters) {
  EXPECT_EQ(fault("[lagrangian]\ncoordinates = [\"x\", \"x\"]\nT = \"x'^2\"\n"),
            "t.toml:2:21: lagrangian.coordinates[1]: found \"x\" twice, expected different names of coordinates and "
            "parameters");
  EXPECT_EQ(fault(point + "parameters = { y = 1 }\n"),
            "t.toml:4:20: lagrangian.parameters.y: found \"y\" twice, expected different names of coordinates and "
            "parameters");
}

TEST(LagrangianErrors, parameters_are_finite_numbers_or_expressions_of_those_before) {
  EXPECT_EQ(fault(point + "parameters = { m = nan }\n"),
            "t.toml:4:20: lagrangian.parameters.m: found nan, expected a finite number");
  EXPECT_EQ(fault(point + "parameters = { m = true }\n"),
            "t.toml:4:20: lagrangian.parameters.m: found true, expected a finite number");
  EXPECT_EQ(fault(point + "parameters = { m = 0, J = \"1/m\" }\n"),
            "t.toml:4:27: lagrangian.parameters.J: found \"1/m\" = inf, expected a finite number");
  EXPECT_EQ(fault(point + "parameters = { J = \"2*m\", m = 1 }\n"),
            "t.toml:4:23: lagrangian.parameters.J: found m, expected a known name");
  EXPECT_EQ(fault(point + "parameters = 3\n"),
            "t.toml:4:14: lagrangian.parameters: found 3, expected a table of numbers: { m = 2, g = 9.81 }");
}

TEST(LagrangianErrors, kinetic_energy_or_mass_matrix_but_not_both) {
  const std::string head = "[lagrangian]\ncoordinates = [\"x\", \"y\"]\n";
  EXPECT_EQ(fault(head),
            "t.toml:1:1: lagrangian.T: found nothing, expected the kinetic energy T, or the mass matrix M");
  EXPECT_EQ(fault(plane + "M = [[1, 0], [0, 1]]\n"),
            "t.toml:4:5: lagrangian.M: found an array of 2, expected either T or M, not both");
  EXPECT_EQ(fault(head + "M = [[1, 0], [0, 1]]\n"), "no error");
}

TEST(LagrangianErrors, a_mass_matrix_is_square_and_symmetric) {
  const std::string head = "[lagrangian]\ncoordinates = [\"x\", \"y\"]\nM = ";
  EXPECT_EQ(fault(head + "[[1, 0, 0], [0, 1, 0]]\n"),
            "t.toml:3:6: lagrangian.M[0]: found an array of 3, expected 2 rows of 2 expressions");
  EXPECT_EQ(fault(head + "[[1, 0]]\n"),
            "t.toml:3:5: lagrangian.M: found an array of 1, expected 2 rows of 2 expressions");
  EXPECT_EQ(fault(head + "[1, 2]\n"), "t.toml:3:6: lagrangian.M[0]: found 1, expected 2 rows of 2 expressions");
  EXPECT_EQ(fault(head + "3\n"), "t.toml:3:5: lagrangian.M: found 3, expected 2 rows of 2 expressions");
  EXPECT_EQ(fault(head + "[[2, \"cos(x)\"], [0, 1]]\n"),
            "t.toml:3:22: lagrangian.M[1][0]: found \"0\", expected a symmetric matrix: the same as M[0][1]");
}

TEST(LagrangianErrors, energies_have_the_powers_of_velocities_that_they_must_have) {
  EXPECT_EQ(fault("[lagrangian]\ncoordinates = [\"y\"]\nT = \"y'^3\"\n"),
            "t.toml:3:6: lagrangian.T: found \"y'^3\", expected a kinetic energy quadratic in the velocities");
  EXPECT_EQ(fault(point + "U = \"y*y'\"\n"),
            "t.toml:4:6: lagrangian.U: found \"y*y'\", expected a potential that does not depend on velocities");
  EXPECT_EQ(fault(point + "U = \"y'^2 - y'*y'\"\n"), "no error");  // it does not
}

TEST(LagrangianErrors, one_force_for_each_coordinate) {
  EXPECT_EQ(fault(plane + "forces = [\"1\"]\n"),
            "t.toml:4:10: lagrangian.forces: found an array of 1, expected an array of 2 expressions");
  EXPECT_EQ(fault(plane + "forces = \"1\"\n"),
            "t.toml:4:10: lagrangian.forces: found \"1\", expected an array of 2 expressions");
}

TEST(LagrangianErrors, a_start_has_one_number_for_each_coordinate) {
  EXPECT_EQ(fault(plane + "q = [1]\n"),
            "t.toml:4:5: lagrangian.q: found an array of 1, expected an array of 2 numbers, one for each coordinate");
  EXPECT_EQ(fault(plane + "u = [1, 2, 3]\n"),
            "t.toml:4:5: lagrangian.u: found an array of 3, expected an array of 2 numbers, one for each coordinate");
  EXPECT_EQ(fault(plane + "q = 3\n"),
            "t.toml:4:5: lagrangian.q: found 3, expected an array of 2 numbers, one for each coordinate");
  EXPECT_EQ(fault(plane + "q = [0, inf]\n"), "t.toml:4:9: lagrangian.q[1]: found inf, expected a finite number");
  EXPECT_EQ(fault(plane + "q = [0, \"sqrt(-1)\"]\n"),
            "t.toml:4:10: lagrangian.q[1]: found a number that is not finite, expected a finite value");
  EXPECT_EQ(fault(plane + "q = [0, \"2*L\"]\n"), "t.toml:4:12: lagrangian.q[1]: found L, expected a known name");
}

TEST(LagrangianErrors, an_unknown_key_gets_a_guess) {
  EXPECT_EQ(fault(point + "force = [\"1\"]\n"),
            "t.toml:4:1: lagrangian.force: found an unknown key, expected a key of [lagrangian]; did you mean forces?");
  EXPECT_EQ(
      fault(point + floor + "lod = 2\n"),
      "t.toml:8:1: law[0].lod: found an unknown key, expected a key of [[law]]: name, type, gap, rate, normal, e");
}

TEST(LagrangianScene, may_hold_bodies_and_fixed_shapes_too) {
  const Model model = parse_scene(point + ball + "[[shape]]\nname = 'floor'\ntype = 'plane'\n", "t.toml");
  EXPECT_TRUE(model.lagrangian.has_value());
  EXPECT_EQ(model.bodies.size(), 1u);
  EXPECT_EQ(model.shapes.back().name, "floor");
}

TEST(LawErrors, a_law_needs_coordinates) {
  EXPECT_EQ(fault(ball + floor),
            "t.toml:5:1: law[0]: found a law without coordinates, expected a table [lagrangian] that it acts on");
}

TEST(LawErrors, an_unknown_type_gets_a_guess) {
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"unilaterl\"\ngap = \"y\"\n"),
            "t.toml:5:8: law[0].type: found \"unilaterl\", expected a law such as \"unilateral\"");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"zzz\"\ngap = \"y\"\n")
                .find("t.toml:5:8: law[0].type: found \"zzz\", expected one of: constant_force, spring, "),
            0u);
  EXPECT_EQ(fault(point + "[[law]]\ngap = \"y\"\n"),
            "t.toml:4:1: law[0].type: found nothing, expected the name of a law (vinculum list laws)");
}

TEST(LawErrors, a_type_that_is_not_known_is_reported_before_its_parameters) {
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"dry_frction\"\nrate = \"y'\"\nload = 2\n"),
            "t.toml:5:8: law[0].type: found \"dry_frction\", expected a law such as \"dry_friction\"");
}

TEST(LawErrors, parameters_are_given_and_in_range) {
  const std::string rough = point + "[[law]]\ntype = \"dry_friction\"\nrate = \"y'\"\n";
  EXPECT_EQ(fault(rough),
            "t.toml:4:1: law[0].load: found nothing, expected friction coefficient times normal force (N)");
  EXPECT_EQ(fault(rough + "load = -2\n"), "t.toml:7:8: law[0].load: found -2, expected a number >= 0 (N)");
  EXPECT_EQ(fault(rough + "load = nan\n"), "t.toml:7:8: law[0].load: found nan, expected a finite number");
  EXPECT_EQ(fault(rough + "load = \"mu\"\n"), "t.toml:7:9: law[0].load: found mu, expected a known name");
  EXPECT_EQ(fault(rough + "load = [2]\n"), "t.toml:7:8: law[0].load: found an array of 1, expected a finite number");
  EXPECT_EQ(fault(point + floor + "e = 1.5\n"), "t.toml:8:5: law[0].e: found 1.5, expected a number from 0 to 1");
  EXPECT_EQ(fault(point + floor + "e = nan\n"), "t.toml:8:5: law[0].e: found nan, expected a number from 0 to 1");
}

TEST(LawErrors, a_displacement_law_needs_a_gap_and_a_velocity_law_a_rate) {
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"unilateral\"\n"),
            "t.toml:4:1: law[0].gap: found nothing, expected the gap coordinate of a displacement law");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"unilateral\"\nrate = \"y'\"\n"),
            "t.toml:4:1: law[0].gap: found nothing, expected the gap coordinate of a displacement law");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"clutch\"\n"),
            "t.toml:4:1: law[0].rate: found nothing, expected the velocity that the law acts on, or a gap whose rate "
            "it is");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"clutch\"\ngap = \"y\"\nrate = \"y'\"\n"),
            "t.toml:7:8: law[0].rate: found \"y'\", expected either gap or rate, not both");
}

TEST(LawErrors, a_gap_does_not_depend_on_velocities) {
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"unilateral\"\ngap = \"y + y'\"\n"),
            "t.toml:6:8: law[0].gap: found \"y + y'\", expected a gap that does not depend on velocities");
}

TEST(LawErrors, a_rate_is_linear_in_the_velocities) {
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"viscous\"\ndamping = 1\nrate = \"y'^2\"\n"),
            "t.toml:7:9: law[0].rate: found \"y'^2\", expected a rate that is linear in the velocities");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"viscous\"\ndamping = 1\nrate = \"abs(y')\"\n"),
            "t.toml:7:9: law[0].rate: found \"abs(y')\", expected a rate that is linear in the velocities");
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"viscous\"\ndamping = 1\nrate = \"y*y' - sin(t)\"\n"), "no error");
}

TEST(LawErrors, a_law_has_as_many_rows_as_its_type) {
  EXPECT_EQ(fault(plane + "[[law]]\ntype = \"unilateral\"\ngap = [\"x\", \"y\"]\n"),
            "t.toml:6:9: law[0].gap[0]: found 2 rows, expected 1 rows, as the law \"unilateral\" has");
  EXPECT_EQ(fault(plane + "[[law]]\ntype = \"disc_friction\"\nload = 1\nrate = \"x'\"\n"),
            "t.toml:7:9: law[0].rate: found 1 rows, expected 2 rows, as the law \"disc_friction\" has");
  EXPECT_EQ(fault(plane + "[[law]]\ntype = \"bilateral\"\ngap = [\"x\", \"y\", \"x\", \"y\"]\n"),
            "t.toml:6:7: law[0].gap: found an array of 4, expected an expression, or an array of up to 3");
  EXPECT_EQ(fault(plane + "[[law]]\ntype = \"bilateral\"\ngap = []\n"),
            "t.toml:6:7: law[0].gap: found an array of 0, expected an expression, or an array of up to 3");
}

TEST(LawErrors, friction_is_loaded_by_a_unilateral_law) {
  const std::string grip = "[[law]]\nname = \"grip\"\ntype = \"coulomb\"\nmu = 0.3\nrate = \"x'\"\n";  // from line 8
  EXPECT_EQ(
      fault(plane + floor + grip),
      "t.toml:8:1: law[1].normal: found nothing, expected the name of the law whose reaction loads this friction");
  EXPECT_EQ(fault(plane + floor + grip + "normal = \"flor\"\n"),
            "t.toml:13:10: law[1].normal: found \"flor\", expected the name of a law of type \"unilateral\"");
  EXPECT_EQ(fault(plane + floor + grip + "normal = \"grip\"\n"),
            "t.toml:13:10: law[1].normal: found \"grip\", expected the name of a law of type \"unilateral\"");
  EXPECT_EQ(
      fault(plane + "[[law]]\nname = \"floor\"\ntype = \"bilateral\"\ngap = \"y\"\n" + grip + "normal = \"floor\"\n"),
      "t.toml:13:10: law[1].normal: found \"floor\", expected the name of a law of type \"unilateral\"");
  EXPECT_EQ(fault(plane + floor + grip + "normal = 3\n"), "t.toml:13:10: law[1].normal: found 3, expected a string");
  EXPECT_EQ(fault(plane + floor + grip + "normal = \"floor\"\n"), "no error");
}

TEST(LawErrors, keys_that_a_type_does_not_use_are_refused) {
  EXPECT_EQ(fault(point + "[[law]]\ntype = \"bilateral\"\ngap = \"y\"\ne = 0.5\n"),
            "t.toml:7:5: law[0].e: found 0.5, expected restitution only of a law of type \"unilateral\"");
  EXPECT_EQ(fault(plane + floor + "[[law]]\ntype = \"dry_friction\"\nload = 1\nrate = \"x'\"\nnormal = \"floor\"\n"),
            "t.toml:12:10: law[1].normal: found \"floor\", expected a normal law only for a law of type \"coulomb\"");
}

TEST(LawErrors, friction_acts_on_one_or_two_directions) {
  EXPECT_EQ(fault(plane + floor +
                  "[[law]]\ntype = \"coulomb\"\nmu = 0.3\nrate = [\"x'\", \"x'\", \"x'\"]\nnormal = \"floor\"\n"),
            "t.toml:11:10: law[1].rate[0]: found 3 rows, expected 1 or 2 rows, as the law \"coulomb\" has");
}

TEST(LawErrors, one_contact_has_one_friction) {
  const std::string grip = "[[law]]\ntype = \"coulomb\"\nmu = 0.3\nrate = \"x'\"\nnormal = \"floor\"\n";
  EXPECT_EQ(fault(plane + floor + grip + grip),
            "t.toml:17:10: law[2].normal: found \"floor\" a second time, expected one law of friction for each normal "
            "law (with two rows for two directions)");
}

TEST(LawErrors, a_name_is_used_once) {
  EXPECT_EQ(fault(point + floor + floor),
            "t.toml:9:8: law[1].name: found \"floor\" a second time, expected a name that no other law has (line 5)");
}

}  // namespace
}  // namespace vinculum::model
