// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `vinculum solve` and the problems that `vinculum run` leaves for it.
#include "cli/run_program.hpp"
#include "fclib/sample.hpp"

#include <gtest/gtest.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace vinculum;
using test::Ended;
using test::run_program;

namespace {

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST(Solve, json_has_the_promised_fields) {
  const sample::Folder folder;
  const std::string path = folder / "p.hdf5";
  for (const auto& p : {sample::local_problem(3, false), sample::local_problem(2, true),
                        sample::global_problem(5, false), sample::global_problem(3, true)}) {
    fclib::write_problem(path, p);
    const Ended ended = run_program("solve " + path + " --json");
    ASSERT_EQ(ended.status, 0) << ended.out;
    const auto json = nlohmann::json::parse(ended.out);
    EXPECT_EQ(json["status"], "solved");
    EXPECT_EQ(json["solver"], "auto");
    EXPECT_EQ(json["contacts"], 3);
    EXPECT_EQ(json["dimension"], p.dimension);
    EXPECT_EQ(json["symmetric"], true);
    EXPECT_LE(json["residual"].get<double>(), 1e-8);
    EXPECT_LE(json["residual_scaled"].get<double>(), 1e-8);
    EXPECT_GE(json["wall_s"].get<double>(), 0);
    EXPECT_TRUE(json["iterations"].is_number_integer());
    EXPECT_TRUE(json["method"].is_string());
    EXPECT_TRUE(json.contains("residual_over_q"));
  }
}

TEST(Solve, a_matrix_that_is_not_symmetric_is_solved_as_given_and_flagged) {
  const sample::Folder folder;
  auto p = sample::local_problem(3, false);
  p.W.coeffRef(0, 4) += .01;
  fclib::write_problem(folder / "p.hdf5", p);
  const Ended text = run_program("solve " + (folder / "p.hdf5"));
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_NE(text.out.find("not symmetric"), std::string::npos) << text.out;
  EXPECT_EQ(nlohmann::json::parse(run_program("solve --json " + (folder / "p.hdf5")).out)["symmetric"], false);
}

TEST(Solve, out_holds_the_problem_and_a_solution_of_it) {
  const sample::Folder folder;
  for (const auto& p : {sample::local_problem(3, true), sample::global_problem(3, true)}) {
    fclib::write_problem(folder / "p.hdf5", p);
    ASSERT_EQ(run_program("solve " + (folder / "p.hdf5") + " --out " + (folder / "s.hdf5")).status, 0);
    const auto solved = fclib::read_problem(folder / "s.hdf5");
    const contact::Vector& r = solved.solution.r;
    ASSERT_EQ(r.size(), 9);
    EXPECT_EQ(solved.solution.l.size(), 2);
    std::vector<double> u;
    const auto errors = contact::measure(contact::condense(p, ""), {r.data(), 9}, u);
    EXPECT_LE(errors.judged, 1e-8);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(solved.solution.u[k], u[k], 1e-12);
  }
}

TEST(Solve, every_solver_answers_to_its_name) {
  const sample::Folder folder;
  fclib::write_problem(folder / "p.hdf5", sample::local_problem(3, false));
  for (const char* name : {"auto", "nsgs", "prox_newton"}) {
    const Ended ended = run_program("solve --json --solver " + std::string(name) + " " + (folder / "p.hdf5"));
    EXPECT_EQ(ended.status, 0) << ended.out;
    EXPECT_EQ(nlohmann::json::parse(ended.out)["solver"], name);
  }
}

TEST(Solve, ends_where_the_budget_does_and_says_so) {
  const sample::Folder folder;
  fclib::write_problem(folder / "p.hdf5", sample::local_problem(3, false));
  const std::string words = "solve --json --solver nsgs --tol 1e-15 " + (folder / "p.hdf5") + " --iterations ";
  const Ended short_one = run_program(words + "1"), long_one = run_program(words + "1000");
  EXPECT_EQ(short_one.status, 3) << short_one.out;
  EXPECT_LE(nlohmann::json::parse(short_one.out)["iterations"], 1);
  EXPECT_GT(nlohmann::json::parse(long_one.out)["iterations"], 1);
}

TEST(Solve, a_contradiction_is_shown_with_its_witness_whatever_the_solver) {
  // A point pressed from both sides: u_N1 = r_1 - r_2 - 1 >= 0 and u_N2 = r_2 - r_1 - 1 >= 0 add up to -2 >= 0.
  const sample::Folder folder;
  contact::FrictionProblem p;
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W(0, 3) = W(3, 0) = -1;
  p.W = W.sparseView();
  p.q = contact::Vector::Zero(6);
  p.q[0] = p.q[3] = -1;
  p.mu = contact::Vector::Constant(2, .5);
  fclib::write_problem(folder / "p.hdf5", p);
  for (const char* name : {"auto", "nsgs", "apgd"}) {
    const Ended ended = run_program("solve --json --solver " + std::string(name) + " " + (folder / "p.hdf5"));
    EXPECT_EQ(ended.status, 1) << ended.out;
    const nlohmann::json json = nlohmann::json::parse(ended.out);
    EXPECT_EQ(json["status"], "infeasible");
    // Both normals alike, no tangents: the sum of the two inequalities.
    const std::vector<double> y = json["witness"];
    EXPECT_NEAR(y[0] / y[3], 1, 1e-9);
    EXPECT_EQ(std::vector<double>({y[1], y[2], y[4], y[5]}), std::vector<double>(4, 0.0));
  }
  const Ended refused = run_program("solve --json --solver lemke " + (folder / "p.hdf5"));
  EXPECT_EQ(refused.status, 3) << refused.out;
  EXPECT_EQ(nlohmann::json::parse(refused.out)["status"], "inapplicable");
}

TEST(Solve, least_norm_shares_what_is_not_determined) {
  // One point on two contacts alike: u_N = r_1 + r_2 - 1 at both. The least norm is a half each.
  const sample::Folder folder;
  contact::FrictionProblem p;
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  for (int k = 0; k < 3; ++k) W(k, k + 3) = W(k + 3, k) = 1;
  p.W = W.sparseView();
  p.q = contact::Vector::Zero(6);
  p.q[0] = p.q[3] = -1;
  p.mu = contact::Vector::Constant(2, .5);
  fclib::write_problem(folder / "p.hdf5", p);
  const Ended ended =
      run_program("solve --json --minimum-norm --out " + (folder / "s.hdf5") + " " + (folder / "p.hdf5"));
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_TRUE(nlohmann::json::parse(ended.out)["minimum_norm"]);
  const contact::Vector r = fclib::read_problem(folder / "s.hdf5").solution.r;
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(r[k], k % 3 == 0 ? .5 : 0, 1e-10);
}

TEST(Solve, bad_input_is_one_line_and_status_two) {
  const sample::Folder folder;
  std::ofstream(folder / "text.hdf5") << "hello\n";
  fclib::write_problem(folder / "p.hdf5", sample::local_problem(3, false));
  for (const std::string& words :
       {std::string("solve"), "solve " + (folder / "none.hdf5"), "solve " + (folder / "text.hdf5"),
        "solve " + folder.path.string(), "solve --solver newton " + (folder / "p.hdf5"),
        "solve --tol 0 " + (folder / "p.hdf5"), "solve --tol nan " + (folder / "p.hdf5"),
        "solve --iterations 0 " + (folder / "p.hdf5"), "solve --iterations 2.5 " + (folder / "p.hdf5"),
        "solve --out " + (folder / "no/folder.hdf5") + " " + (folder / "p.hdf5")}) {
    const Ended ended = run_program(words);
    EXPECT_EQ(ended.status, 2) << words << ended.out;
    EXPECT_EQ(lines(ended.out), 1u) << ended.out;
  }
}

TEST(Solve, hard_steps_of_a_run_become_problems_that_it_solves) {
  const sample::Folder folder;
  const std::string scene = std::string(VINCULUM_SOURCE_DIR) + "/scenes/slope_stick.toml ";
  const std::string dumps = folder / "dumps";
  const Ended ended =
      run_program("run " + scene + "--until 0.01 --json --dump-problems " + dumps + " --dump-when 'residual>0'");
  ASSERT_EQ(ended.status, 0) << ended.out;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dumps)) {
    ++count;
    EXPECT_EQ(run_program("solve " + entry.path().string()).status, 0);
    EXPECT_EQ(fclib::read_problem(entry.path()).contacts(), 4u);  // a box on its face
  }
  EXPECT_EQ(nlohmann::json::parse(ended.out)["problems_dumped"], count);
  EXPECT_GT(count, 0u);
  const Ended none = run_program("run " + scene + "--until 0.01 --json --dump-problems " + (folder / "none"));
  EXPECT_EQ(nlohmann::json::parse(none.out)["problems_dumped"], 0);
  for (const char* wrong : {"residual", "residual>", "residual>x", "residual>-1", "error>1"}) {
    EXPECT_EQ(run_program("run " + scene + "--dump-problems " + dumps + " --dump-when '" + wrong + "'").status, 2);
  }
  EXPECT_EQ(run_program("run " + scene + "--dump-when 'residual>0'").status, 2);
}
