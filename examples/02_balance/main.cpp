// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <vinculum/audit/audit.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

using namespace vinculum;

constexpr double cart = 1, pole = 0.2, l = 0.5, I = 0.02, g = 9.81;  // masses, half the pole, its inertia, gravity

// Gains that put all four poles of  ẋ = A x + B u,  x = (s, θ, ṡ, θ̇),  to `where` (Ackermann 1972):
//   K = (0 0 0 1) [B, A B, A² B, A³ B]⁻¹ (A − where)⁴
// Upright the mass matrix is [m_c + m_p, m_p l; m_p l, I + m_p l²], and gravity gives m_p g l θ.
Eigen::RowVector4d gains(double where) {
  Eigen::Matrix2d M;
  M << cart + pole, pole * l, pole * l, I + pole * l * l;
  const Eigen::Matrix2d inverse = M.inverse();
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero(), C;
  A.topRightCorner<2, 2>().setIdentity();
  A.block<2, 1>(2, 1) = inverse * Eigen::Vector2d(0, pole * g * l);
  Eigen::Vector4d B = Eigen::Vector4d::Zero();
  B.tail<2>() = inverse.col(0);
  C << B, A * B, A * A * B, A * A * A * B;
  const Eigen::Matrix4d shifted = A - where * Eigen::Matrix4d::Identity();
  return Eigen::RowVector4d(0, 0, 0, 1) * C.inverse() * shifted * shifted * shifted * shifted;
}

int main() {
  const model::Model model = model::parse_scene(R"(
    [[contact]]
    mu = 0.5
    e_N = 0.3
    [[body]]
    name = "cart"
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    [[body]]
    name = "pole"
    mass = 0.2
    inertia = [0.02, 0.02, 0.001]
    com = [0, 0, 0.5]
    shape = { type = "capsule", radius = 0.03, length = 1, position = [0, 0, 0.5] }
    [[body]]
    name = "ball"
    position = [-0.18, 0, 0.8]
    velocity = [3, 0, 1]
    mass = 0.05
    shape = { type = "sphere", radius = 0.05 }
    [[joint]]
    name = "rail"
    type = "prismatic"
    child = "cart"
    axis = [1, 0, 0]
    [[joint]]
    name = "hinge"
    type = "revolute"
    parent = "cart"
    child = "pole"
    axis = [0, 1, 0]
    q = 0.2
    [[actuator]]
    name = "motor"
    type = "torque"
    joint = "rail"
    force_range = [-40, 40]
  )",
                                                "balance");
  const system::System system(model);
  system::State state = make_initial_state(model, system);

  // The controller: looked up by name once, asked once per step.
  const Eigen::RowVector4d K = gains(-4);
  const int s = system::find_q(system, "rail"), theta = system::find_q(system, "hinge");
  const int motor = system::find_actuator(system, "motor");
  const auto controller = [&](const system::Sight& sight, std::span<double> ctrl) {
    const auto &q = sight.state.q.tree, &v = sight.state.tree_v;
    ctrl[static_cast<std::size_t>(motor)] = -K * Eigen::Vector4d(q[s], q[theta], v[s], v[theta]);
  };
  const integrators::Settings settings{
      .dt = 1e-3, .tol = 1e-8, .solver = solvers::find_solver_type("auto"), .controller = controller};
  const auto moreau = integrators::find_integrator_type("moreau")->make(system, settings);

  // Every step goes into a trace, with the controls that were applied.
  const std::string file = (std::filesystem::temp_directory_path() / "vinculum_balance.h5").string();
  double most = 0, struck = 0;
  {
    trace::Writer writer(file, trace::make_header(model, system, settings));
    trace::Rows rows(system);
    integrators::StepRecord record;
    while (state.t < 5) {
      const trace::Row before = rows(state);
      moreau->step(state, record);
      writer.add(before, record, rows(state));
      most = std::max(most, std::abs(record.ctrl[0]));
      for (const auto& contact : record.contacts) struck = std::max(struck, contact.Lambda.x());
    }
  }
  const audit::Result result = audit::audit(file);
  std::filesystem::remove(file);
  std::printf("the ball strikes the pole: %s\n", struck > 0.05 ? "yes" : "no");
  std::printf("upright and at home after 5 s: %s\n", state.q.tree.norm() < 1e-3 ? "yes" : "no");
  std::printf("the motor was asked for more than it can give: %s\n", most > 40 ? "yes" : "no");
  std::printf("the audit says: %s\n", std::string(to_string(result.verdict)).c_str());
  for (const auto& check : result.checks) {
    if (check.name == "control") std::printf("  control: %s\n", check.why_not.c_str());
  }
  return 0;
}
