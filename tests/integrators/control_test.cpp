// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Who moves the actuators: keyframes with PD, tables, tendons, a program. Predictions are closed forms of the scheme
//   M (v⁺ − v) = dt f(q̄, v̄),   v̄ = (v + v⁺)/2,   q̄ = q + dt/2 v̄,   q⁺ = q + dt v̄
// or of the motion itself, with the order in dt.
#include "support/simulate.hpp"

namespace vinculum::test {
namespace {

constexpr double dt = 1e-3;

/// Sliders along x without gravity, one per mass.
std::string sliders(const std::vector<double>& masses, const std::string& more, const std::string& start = "") {
  std::string text = "[scene]\ngravity = [0, 0, 0]\n" + start;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    text += fmt::format("[[body]]\nname = 'b{0}'\nmass = {1}\ninertia = [1, 1, 1]\nposition = [0, {0}, 0]\n", i,
                        num(masses[i]));
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    text += fmt::format("[[joint]]\nname = 's{0}'\ntype = 'prismatic'\nchild = 'b{0}'\naxis = [1, 0, 0]\n", i);
  }
  return text + more;
}

/// x⁺, v⁺ of m ẍ = k (target − x) − c ẋ.
struct Oscillator {
  double m, k, c, target, x = 0, v = 0;
  void step() {
    const double a = 0.5 * dt * (c + 0.5 * dt * k);
    const double next = ((m - a) * v + dt * k * (target - x)) / (m + a);
    x += 0.5 * dt * (v + next);
    v = next;
  }
};

TEST(Control, a_key_with_kp_and_kd_is_a_damped_oscillator) {
  const double m = 2, kp = 50, kd = 3, target = 0.3;
  Simulation sim(sliders({m}, "[[keyframe]]\nname = 'home'\nq = [0.3]\n[control]\nkey = 'home'\nkp = 50\nkd = 3\n"),
                 {.dt = dt});
  Oscillator discrete{m, kp, kd, target};
  for (int i = 0; i < 1000; ++i) {
    sim.step();
    discrete.step();
    // Both round a thousand steps of about 1 ulp of their sizes.
    ASSERT_NEAR(sim.state.q.tree[0], discrete.x, 1e-13) << i;
    ASSERT_NEAR(sim.state.tree_v[0], discrete.v, 1e-12) << i;
  }
  // x(t) = target (1 − e^(−δt)(cos wt + δ/w sin wt)); the midpoint rule's error is (w dt)²/24 of the phase w t.
  const double delta = kd / (2 * m), w = std::sqrt(kp / m - delta * delta), t = 1;
  const double exact = target * (1 - std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t)));
  EXPECT_NEAR(sim.state.q.tree[0], exact, target * w * t * w * w * dt * dt / 12);
}

// f = (gain₀ + gain₁ x + gain₂ ẋ) ctrl: the control sets how stiff and how damped the slider is.
TEST(Control, a_gain_that_depends_on_place_and_speed_is_a_spring_and_a_damper_of_adjustable_strength) {
  const double m = 2, ctrl = 1.5;
  for (const auto& [gain, k, c, target] :
       {std::tuple("[4, -40, -2]", 40 * ctrl, 2 * ctrl, 0.1),
        std::tuple("[0, 0, -3e6]", 0.0, 3e6 * ctrl, 0.0)}) {  // the last one is stiff
    Simulation sim(sliders({m}, fmt::format("[[actuator]]\njoint = 's0'\ntype = 'general'\ngain = {}\nctrl = 7\n"
                                            "ctrl_range = [0, {}]\n",
                                            gain, ctrl)),
                   {.dt = dt});
    Oscillator discrete{m, k, c, target, 0, 0.4};
    sim.state.tree_v[0] = discrete.v;
    for (int i = 0; i < 500; ++i) {
      sim.step();
      discrete.step();
      ASSERT_NEAR(sim.state.q.tree[0], discrete.x, 1e-13) << gain << " " << i;
      ASSERT_NEAR(sim.state.tree_v[0], discrete.v, 1e-12) << gain << " " << i;
    }
  }
}

/// u(t) of the table below, and its first and second integral.
struct Ramp {
  std::vector<double> t{0.1, 0.2, 0.5}, u{1, 3, -2};
  double value(double at) const {
    if (at <= t.front()) return u.front();
    for (std::size_t k = 1; k < t.size(); ++k) {
      if (at <= t[k]) return u[k - 1] + (at - t[k - 1]) / (t[k] - t[k - 1]) * (u[k] - u[k - 1]);
    }
    return u.back();
  }
  /// ∫u and ∫∫u from 0 to `end`, piece by piece: u = a + b s gives a s + b s²/2 and a s²/2 + b s³/6.
  std::pair<double, double> integrals(double end) const {
    double v = 0, x = 0, from = 0;
    for (const double to : {t[0], t[1], t[2], end}) {
      const double stop = std::min(to, end), s = stop - from;
      if (s <= 0) break;
      const double a = value(from), b = (value(stop) - a) / s;
      x += v * s + a * s * s / 2 + b * s * s * s / 6;
      v += a * s + b * s * s / 2;
      from = stop;
    }
    return {v, x};
  }
};

const std::string motor = "[[actuator]]\nname = 'motor'\ntype = 'torque'\njoint = 's0'\n";
const std::string ramp_table = "[control]\ntable = [[0.1, 1], [0.2, 3], [0.5, -2]]\n";

TEST(Control, a_table_is_a_force_that_is_linear_between_its_rows) {
  const double m = 0.5;
  Simulation sim(sliders({m}, motor + ramp_table), {.dt = dt});
  const Ramp ramp;
  for (int i = 1; i <= 700; ++i) {
    sim.step();
    EXPECT_NEAR(sim.record.ctrl.at(0), ramp.value((i - 0.5) * dt), 1e-13);
    // The midpoint rule is exact for a piecewise linear force whose kinks are nodes; the trapezoidal rule of v, whose
    // derivative is continuous and piecewise linear, is off by dt²/12 (a(t) − a(0)), exactly (Euler and Maclaurin).
    const auto [v, x] = ramp.integrals(i * dt);
    const double error = dt * dt / 12 * (ramp.value(i * dt) - ramp.value(0));
    ASSERT_NEAR(sim.state.tree_v[0], v / m, 1e-12) << i;
    ASSERT_NEAR(sim.state.q.tree[0], (x + error) / m, 1e-12) << i;
  }
}

TEST(Control, a_tendon_is_a_spring_and_a_damper_along_its_length) {
  const double m_1 = 2, m_2 = 3, c_1 = 1, c_2 = -2;
  // 1e3: dt/2 c/μ = 1.8, more than a repetition can take that knows nothing of the tendon.
  for (const double stiff : {1.0, 1e3}) {
    const double k = 40 * stiff, c = 2 * stiff, rest = 0.1;
    Simulation sim(
        sliders({m_1, m_2}, fmt::format("[[tendon]]\nname = 'cord'\njoints = ['s0', 's1']\ncoefficients = [1, -2]\n"
                                        "stiffness = {}\ndamping = {}\nrest = [0.1, 0.1]\n",
                                        num(k), num(c))),
        {.dt = dt});
    // Along c the mass is μ = (Σ c²/m)⁻¹; what is across keeps its momentum: m_1 v_1 / c_1 = m_2 v_2 / c_2.
    Oscillator discrete{1 / (c_1 * c_1 / m_1 + c_2 * c_2 / m_2), k, c, rest};
    for (int i = 0; i < 500; ++i) {
      sim.step();
      discrete.step();
      const auto &q = sim.state.q.tree, &v = sim.state.tree_v;
      // The repetition that finds v⁺ ends at a tenth of 1e-8 of velocities up to 1 m/s, once per step.
      ASSERT_NEAR(c_1 * q[0] + c_2 * q[1], discrete.x, 1e-9) << stiff << " " << i;
      ASSERT_NEAR(m_1 * v[0] / c_1, m_2 * v[1] / c_2, 1e-8) << stiff << " " << i;
      ASSERT_EQ(sim.record.solver.status, solvers::Status::solved);
    }
  }
}

TEST(Control, a_slack_tendon_does_nothing_and_its_limit_stops_both_ends) {
  // l = q_0 + q_1 runs from 0 towards its upper limit 0.2 at 1 m/s, free of its spring below 0.5; there both masses
  // stop along l: equal masses with velocities 1 and 0 go on with 1/2 and −1/2.
  Simulation sim(sliders({1, 1},
                         "[[tendon]]\nname = 'cord'\njoints = ['s0', 's1']\ncoefficients = [1, 1]\nstiffness = 9\n"
                         "rest = [-1, 0.5]\nupper = 0.2\n"),
                 {.dt = dt});
  sim.state.tree_v << 1, 0;
  sim.run(150);
  EXPECT_NEAR(sim.state.q.tree[0], 0.15, 1e-13);
  EXPECT_EQ(sim.state.q.tree[1], 0);
  sim.run(150);
  EXPECT_NEAR(sim.state.tree_v[0], 0.5, 1e-12);
  EXPECT_NEAR(sim.state.tree_v[1], -0.5, 1e-12);
  EXPECT_NEAR(sim.state.q.tree.sum(), 0.2, 1e-8);
}

TEST(Control, a_planar_joint_lets_a_puck_fly_and_spin_in_its_plane) {
  // a = y, b = x: e_1 = x, e_2 = a × e_1 = −z. Gravity has parts along the plane and across it.
  const std::string text =
      "[scene]\ngravity = [1, 5, -3]\n[[body]]\nname = 'puck'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n{}"
      "[[joint]]\nname = 'table'\ntype = 'planar'\nchild = 'puck'\naxis = [0, 1, 0]\naxis_2 = [1, 0, 0]\n"
      "q = [0.1, 0.2, 0.3]\nv = [1, 2, 4]\n";
  auto error = [&](const std::string& com, double step) {
    Simulation sim(fmt::format(fmt::runtime(text), com), {.dt = step});
    const Vec3 x_0 = sim.x();
    const Vec3 arm = sim.R() * (com.empty() ? Vec3(Vec3::Zero()) : Vec3(0.3, 0, 0));
    const Vec3 v_0 = Vec3(1, 0, -2) + Vec3(0, 4, 0).cross(arm);
    sim.run_until(0.5);
    const Vec3 x = x_0 + 0.5 * v_0 + 0.125 * Vec3(1, 0, -3);  // the plane takes what is across
    EXPECT_NEAR(sim.x().y(), 0, 1e-15);
    return (sim.x() - x).norm() + std::abs(sim.state.q.tree[2] - 2.3);
  };
  EXPECT_LT(error("", dt), 1e-13);  // a parabola and a steady turn: the scheme is exact
  // Turning about a point beside the centre of mass the velocities of the joint change: second order.
  const double coarse = error("com = [0.3, 0, 0]\n", dt), fine = error("com = [0.3, 0, 0]\n", dt / 2);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_NEAR(order(coarse, fine), 2, 0.05);
}

TEST(Control, a_body_on_six_joint_coordinates_is_a_free_body) {
  // A ball (I = 0.2) turns steadily about w; angles x, y, z and their rates at the start follow from R(0) = 1, where
  // the rates are w itself.
  const Vec3 w(0.7, -1.1, 1.9), v(0.3, -0.2, 0.5), g(0, 0, -9.81);
  auto error = [&](double step) {
    Simulation sim(fmt::format("[scene]\ngravity = {}\n[[body]]\nname = 'ball'\nmass = 2\ninertia = [0.2, 0.2, 0.2]\n"
                               "[[joint]]\nname = 'all'\ntype = 'six_dof'\nchild = 'ball'\nv = [{}, {}, {}, {}, {}, "
                               "{}]\n",
                               vec(g), num(v.x()), num(v.y()), num(v.z()), num(w.x()), num(w.y()), num(w.z())),
                   {.dt = step});
    sim.run_until(0.4);
    EXPECT_LT((sim.x() - (0.4 * v + 0.08 * g)).norm(), 1e-13);
    const Quat turned(Eigen::AngleAxisd(0.4 * w.norm(), w.normalized()));
    return sim.R().angularDistance(turned);
  };
  const double coarse = error(dt), fine = error(dt / 2);
  EXPECT_LT(coarse, 1e-6);
  EXPECT_NEAR(order(coarse, fine), 2, 0.05);
}

TEST(Control, a_program_is_asked_once_per_step_with_the_state_at_its_start) {
  const double m = 0.5;
  std::vector<double> times, places;
  Simulation* watched = nullptr;
  auto controller = [&](const system::Sight& sight, std::span<double> ctrl) {
    times.push_back(sight.t);
    places.push_back(sight.state.q.tree[system::find_q(sight.system, "s0")]);
    EXPECT_EQ(&sight.state, &watched->state);
    EXPECT_EQ(sight.dt, dt);
    ASSERT_EQ(ctrl.size(), 1u);
    EXPECT_NEAR(ctrl[0], Ramp().value(sight.t + 0.5 * dt), 1e-13);  // what the scene says
    ctrl[0] = 2 - 5 * sight.t;
  };
  Simulation sim(sliders({m}, motor + ramp_table), {.dt = dt, .controller = controller});
  watched = &sim;
  double v = 0, x = 0;
  for (int i = 0; i < 300; ++i) {
    const double before = x;
    sim.step();
    const double next = v + dt / m * (2 - 5 * i * dt);  // held through the step
    x += 0.5 * dt * (v + next);
    v = next;
    ASSERT_EQ(times.size(), static_cast<std::size_t>(i) + 1);
    EXPECT_NEAR(times.back(), i * dt, 1e-15);
    EXPECT_NEAR(places.back(), before, 1e-13);
    EXPECT_EQ(sim.record.ctrl.at(0), 2 - 5 * sim.record.t);
    ASSERT_NEAR(sim.state.tree_v[0], v, 1e-12);
    ASSERT_NEAR(sim.state.q.tree[0], x, 1e-12);
  }
}

TEST(Control, what_a_program_does_wrong_is_one_line) {
  auto nothing = [](const system::Sight&, std::span<double>) {};
  auto bad = [](const system::Sight& sight, std::span<double> ctrl) { ctrl[0] = sight.t > 0.0045 ? NAN : 0; };
  Simulation sim(sliders({1}, motor), {.dt = dt, .controller = bad});
  sim.run(5);
  try {
    sim.step();
    FAIL() << "took a control that is no number";
  } catch (const base::InputError& error) {
    EXPECT_STREQ(error.what(), "controller: actuator motor: t = 0.005000 s: found nan, expected a finite number");
  }
  EXPECT_THROW(Simulation(sliders({1}, ""), {.controller = nothing}), base::InputError);
  try {
    (void)system::find_actuator(sim.system, "mottor");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_STREQ(error.what(), "actuator: found \"mottor\", expected the name of one; did you mean \"motor\"?");
  }
}

}  // namespace
}  // namespace vinculum::test
