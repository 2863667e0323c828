// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Theorems that every registered superpotential must meet, on random parameters and states with fixed seeds.
// Sums stand beside the registered laws. Numbers in brackets: Glocker (1998).
#include "vinculum/base/error.hpp"
#include "vinculum/potentials/compose.hpp"
#include "vinculum/potentials/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

using namespace vinculum::potentials;
using vinculum::base::InputError;
using vinculum::convex::vec;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  Vec vector(int rows, double size = 1) {
    Vec x(rows);
    for (int i = 0; i < rows; ++i) x[i] = size * uniform(-1, 1) * std::pow(10, uniform(-1, 0));
    return x;
  }
  double value(const Parameter& p) {
    const double size = std::pow(10, uniform(-.5, .5));
    if (p.integer) return std::floor(uniform(p.low, p.high + 1));
    if (std::isfinite(p.low)) return p.low + size;
    return uniform(0, 1) < .3 ? -size : size;
  }
  // Combinations that the law refuses are drawn again.
  LawPtr law(const PotentialType& type) {
    for (;;) {
      Values values;
      for (const Parameter& p : type.factory.parameters) values[std::string(p.name)] = value(p);
      try {
        return make_potential(type.name, values);
      } catch (const InputError&) {
      }
    }
  }
  LawPtr law(const char* name) { return law(*find_potential(name)); }
};

struct Case {
  std::string name;
  std::function<LawPtr(Random&)> make;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const PotentialType& type : potential_types()) {
    all.push_back({std::string(type.name), [&type](Random& r) { return r.law(type)->with_load(1.5); }});
  }
  const auto damper = [](int n) { return make_potential("viscous", {{"damping", .7}, {"rows", n}}); };
  all.push_back({"spring + step", [](Random& r) {
                   return make_sum({r.law("spring"), make_potential("step", {{"force", r.uniform(0, 2)}})});
                 }});
  all.push_back({"play spring + contact", [](Random& r) {
                   return make_sum({r.law("play_spring"), make_potential("unilateral", {})});
                 }});
  all.push_back({"friction + clutch", [](Random& r) {
                   return make_sum({r.law("dry_friction"), make_potential("clutch", {})});
                 }});
  all.push_back({"disc + damper", [=](Random& r) { return make_sum({r.law("disc_friction"), damper(2)}); }});
  all.push_back({"ellipse + damper", [=](Random& r) { return make_sum({r.law("ellipse_friction"), damper(2)}); }});
  all.push_back({"Contensou + damper", [=](Random& r) { return make_sum({r.law("contensou"), damper(3)}); }});
  all.push_back({"inside a round cone", [](Random& r) {
                   const auto cone = vinculum::convex::make_second_order_region(3, r.uniform(.2, 3));
                   return make_indicator(Level::velocity, cone, true);
                 }});
  all.push_back({"ellipse + disc", [](Random& r) {
                   return make_sum({r.law("ellipse_friction"), r.law("disc_friction")});
                 }});
  return all;
}

// Every law, some parameters each, some states each. States come from prox: they lie on kinks and edges of domains.
void for_each_state(unsigned seed, int laws, int states,
                    const std::function<void(const Superpotential&, const Vec& x, Random&)>& body) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Random random(seed);
    for (int k = 0; k < laws; ++k) {
      const LawPtr law = c.make(random);
      for (int j = 0; j < states; ++j) {
        const Vec start = j == 0 ? Vec(Vec::Zero(law->rows())) : random.vector(law->rows(), 4);
        const Vec x = law->prox(start, std::pow(10, random.uniform(-1, 1)));
        if (!law->is_convex() && x.hasNaN()) continue;  // no minimum: P falls faster than any parabola
        ASSERT_TRUE(x.allFinite());
        body(*law, x, random);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// A rate in the domain of Φ and an acceleration in that of Ψ, often on their kinks.
Vec rate_of(const Superpotential& law, const Vec& x, Random& random) {
  return law.velocity_law(x, 1e-12)->prox(random.vector(law.rows()), 1);
}
Vec acceleration_of(const Superpotential& law, const Vec& x, const Vec& u, Random& random) {
  return law.acceleration_law(x, u, {1e-12, 1e-12, 1e-12})->prox(random.vector(law.rows()), 1);
}

bool same(const SetPtr& a, const SetPtr& b, Random& random, double tol) {
  if (a->empty() || b->empty()) return a->empty() == b->empty();
  for (int k = 0; k < 4; ++k) {
    const Vec y = random.vector(a->dimension(), 5);
    if (!((a->project(y) - b->project(y)).norm() <= tol)) return false;
  }
  return true;
}

constexpr Tolerances kTol{1e-12, 1e-12, 1e-12};

}  // namespace

TEST(Potentials, the_registry_is_complete_and_every_parameter_is_described) {
  std::set<std::string_view> names;
  for (const PotentialType& type : potential_types()) {
    SCOPED_TRACE(type.name);
    EXPECT_TRUE(names.insert(type.name).second);
    EXPECT_FALSE(type.text.empty());
    for (const Parameter& p : type.factory.parameters) {
      EXPECT_FALSE(p.name.empty() || p.unit.empty() || p.text.empty());
      EXPECT_LT(p.low, p.high);
    }
    Random random(1);
    const LawPtr law = random.law(type);
    EXPECT_EQ(law->level(), type.factory.level);
    EXPECT_GE(law->rows(), 1);
    EXPECT_LE(law->rows(), 3);
  }
}

TEST(Potentials, every_wrong_parameter_has_a_message_of_its_own) {
  const auto message = [](std::string_view type, const Values& values) -> std::string {
    try {
      make_potential(type, values);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  for (const PotentialType& type : potential_types()) {
    SCOPED_TRACE(type.name);
    std::set<std::string> seen;
    Random random(2);
    Values good;
    for (const Parameter& p : type.factory.parameters) good[std::string(p.name)] = 1;
    ASSERT_EQ(message(type.name, good), "no error");
    Values extra = good;
    extra["colour"] = 1;
    EXPECT_NE(message(type.name, extra).find("found unknown key colour"), std::string::npos);
    for (const Parameter& p : type.factory.parameters) {
      std::vector<double> wrong = {std::nan(""), kInf};
      if (std::isfinite(p.low)) wrong.push_back(p.low - 1);
      if (std::isfinite(p.high)) wrong.push_back(p.high + 1);
      if (p.integer) wrong.push_back(1.5);
      if (p.open) wrong.push_back(p.low);
      for (double value : wrong) {
        Values bad = good;
        bad[std::string(p.name)] = value;
        const std::string text = message(type.name, bad);
        EXPECT_EQ(text.find(std::string(type.name) + "." + std::string(p.name) + ": found "), 0u) << text;
        EXPECT_NE(text.find(", expected "), std::string::npos);
        EXPECT_TRUE(seen.insert(text).second) << text;
      }
      if (!p.fallback) {
        Values missing = good;
        missing.erase(std::string(p.name));
        EXPECT_NE(message(type.name, missing).find("found nothing"), std::string::npos);
      }
    }
  }
  EXPECT_NE(message("glue", {}).find("found glue, expected one of "), std::string::npos);
}

// (2.7) (2.9): y ∈ ∂P(x) iff ⟨y, p⟩ ≤ P^(x; p) for all p.
TEST(Potentials, the_gradient_set_is_what_the_upper_derivative_allows) {
  for_each_state(3, 10, 20, [](const Superpotential& law, const Vec& x, Random& random) {
    const SetPtr set = law.gradient_set(x, 1e-12);
    ASSERT_FALSE(set->empty());
    const Vec y = random.vector(law.rows(), 5), inside = set->project(y);
    for (int k = 0; k < 5; ++k) {
      const Vec p = random.vector(law.rows());
      ASSERT_LE(inside.dot(p), law.derivative(x, p, 1e-12) + 1e-11);
    }
    const Vec off = y - inside;
    if (off.norm() > 1e-6) {
      ASSERT_GT(y.dot(off), law.derivative(x, off, 1e-12) + .5 * off.squaredNorm());
      ASSERT_GT(law.residual(y, x, 1e-12), 1e-7);
    }
  });
}

TEST(Potentials, prox_is_stationary_and_of_convex_laws_firmly_nonexpansive) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Random random(4);
    for (int k = 0; k < 200; ++k) {
      const LawPtr law = c.make(random);
      const double r = std::pow(10, random.uniform(-1, 1));
      const Vec x = random.vector(law->rows(), 5), y = random.vector(law->rows(), 5);
      const Vec p = law->prox(x, r), q = law->prox(y, r);
      if (!law->is_convex() && p.hasNaN()) continue;
      // (x − p)/r ∈ ∂P(p); rounding of x over r = 0.1, and of sums by Newton
      ASSERT_LE(law->residual((x - p) / r, p, 1e-10), 1e-9 * (1 + (x - p).norm() / r)) << x.transpose() << " r " << r;
      if (law->is_convex()) {
        ASSERT_LE((p - q).squaredNorm(), (p - q).dot(x - y) + 1e-11);
      }
    }
  }
}

// (6.8) (6.9) in the general form P(x) + P*(y) ≥ ⟨x, y⟩.
TEST(Potentials, convex_laws_meet_fenchels_inequality_with_equality_on_the_law) {
  for_each_state(5, 6, 10, [](const Superpotential& law, const Vec& x, Random& random) {
    if (!law.is_convex()) {
      ASSERT_TRUE(std::isnan(law.fenchel_gap(Vec::Zero(law.rows()), x)));
      return;
    }
    ASSERT_GE(law.fenchel_gap(random.vector(law.rows(), 3), x), -1e-10);
    const Vec y = law.gradient_set(x, 1e-12)->project(random.vector(law.rows(), 3));
    ASSERT_NEAR(law.fenchel_gap(y, x), 0, 1e-9 * (1 + y.norm() * (1 + x.norm())));
  });
}

TEST(Potentials, dissipative_laws_never_give_energy) {
  int laws = 0;
  for_each_state(6, 10, 20, [&](const Superpotential& law, const Vec& u, Random& random) {
    if (!law.is_dissipative()) return;
    ASSERT_EQ(law.level(), Level::velocity);
    ++laws;
    ASSERT_GE(law.gradient_set(u, 0)->project(random.vector(law.rows(), 5)).dot(u), -1e-12);
  });
  EXPECT_GT(laws, 1000);
}

// (6.2): ∂Ψ(a) ⊂ ∂Φ(u) ⊂ ∂V(q), and ∂Φ(u) ⊂ ∂Φ(0) where Φ is homogeneous.
TEST(Potentials, reservoirs_shrink_from_level_to_level) {
  for_each_state(7, 10, 20, [](const Superpotential& law, const Vec& x, Random& random) {
    const bool first = law.level() == Level::displacement || law.is_homogeneous();
    const Vec u = law.level() == Level::velocity ? x : rate_of(law, x, random);
    const Vec a = acceleration_of(law, x, u, random);
    const SetPtr dPsi = law.reaction_set(x, u, a, kTol), dPhi = law.acceleration_set(x, u, kTol);
    ASSERT_FALSE(dPsi->empty());
    const Vec y = dPsi->project(random.vector(law.rows(), 5));
    ASSERT_LE(dPhi->distance(y), 1e-10 * (1 + y.norm()));
    const Vec z = dPhi->project(random.vector(law.rows(), 5));
    if (first) {
      ASSERT_LE(law.velocity_set(x, 1e-12)->distance(z), 1e-10 * (1 + z.norm()));
    }
  });
}

// (6.4): ∂Φ(0) = ∂V(q), ∂Ψ(0) = ∂Φ(u).
TEST(Potentials, a_level_at_rest_is_the_level_below) {
  for_each_state(8, 10, 10, [](const Superpotential& law, const Vec& x, Random& random) {
    const Vec zero = Vec::Zero(law.rows()), u = rate_of(law, x, random);
    ASSERT_TRUE(same(law.acceleration_set(x, zero, kTol), law.velocity_set(x, 1e-12), random, 1e-12));
    ASSERT_TRUE(same(law.reaction_set(x, u, zero, kTol), law.acceleration_set(x, u, kTol), random, 1e-12));
    ASSERT_TRUE(
        same(law.acceleration_law(x, u, kTol)->gradient_set(zero), law.acceleration_set(x, u, kTol), random, 1e-12));
  });
}

// (2.10)-(2.13): Φ of displacement laws and Ψ of all are positively homogeneous, subadditive, zero at zero.
TEST(Potentials, derived_potentials_are_sublinear) {
  for_each_state(9, 6, 10, [](const Superpotential& law, const Vec& x, Random& random) {
    std::vector<LawPtr> derived = {law.acceleration_law(x, rate_of(law, x, random), kTol)};
    if (law.level() == Level::displacement) derived.push_back(law.velocity_law(x, 1e-12));
    for (const LawPtr& P : derived) {
      const Vec p = random.vector(law.rows()), q = random.vector(law.rows());
      const double s = random.uniform(.1, 10), at = P->potential(p);
      ASSERT_EQ(P->potential(0 * p), 0);
      if (at < kInf) {
        ASSERT_NEAR(P->potential(s * p), s * at, 1e-12 * (1 + s * std::abs(at)));
      } else {
        ASSERT_EQ(P->potential(s * p), kInf);
      }
      const double sum = at + P->potential(q);
      if (sum < kInf) {
        ASSERT_LE(P->potential(p + q), sum + 1e-12 * (1 + std::abs(sum)));
      }
      ASSERT_TRUE(P->is_convex() && P->is_regular());
    }
  });
}

TEST(Potentials, single_valued_gradients_match_differences_of_the_potential) {
  int smooth = 0;
  for_each_state(10, 10, 20, [&](const Superpotential& law, const Vec& x, Random& random) {
    const double h = 1e-5;
    const Vec p = random.vector(law.rows()).normalized();
    const SetPtr set = law.gradient_set(x, 20 * h);
    if (!set->is_point()) return;
    const double ahead = law.potential(x + h * p), behind = law.potential(x - h * p);
    if (!(ahead < kInf && behind < kInf)) return;
    if (!law.gradient_set(x + 5 * h * p, 20 * h)->is_point() || !law.gradient_set(x - 5 * h * p, 20 * h)->is_point())
      return;
    if ((law.gradient_set(x + h * p)->least() - set->least()).norm() > .01) return;  // too curved for the step
    ++smooth;
    // The error h² P'''/6 is bounded by the second difference h² P''' of the gradient; rounding 1e-15 P/h.
    const Vec bend = law.gradient_set(x + h * p)->least() - 2 * set->least() + law.gradient_set(x - h * p)->least();
    const double rounding = 1e-15 * (1 + std::abs(ahead)) / h;
    ASSERT_NEAR((ahead - behind) / (2 * h), set->least().dot(p), 1e-9 + bend.norm() + rounding);
  });
  EXPECT_GT(smooth, 1500);
}

// Regular: P^ is the true one-sided slope wherever that is approached from the interior; here in one row, where it
// always is.
TEST(Potentials, regular_laws_of_one_row_have_their_true_slopes) {
  for_each_state(11, 10, 10, [](const Superpotential& law, const Vec& x, Random&) {
    if (law.rows() > 1 || !law.is_regular() || law.potential(x) == kInf) return;
    if (law.gradient_set(x, 2e-7)->is_point() != law.gradient_set(x, 1e-12)->is_point())
      return;  // a kink within the step
    for (double sign : {1., -1.}) {
      const double limit = law.derivative(x, vec(sign), 1e-12);
      if (law.potential(x + vec(1e-7 * sign)) == kInf) {
        ASSERT_EQ(limit, kInf);
        continue;
      }
      const auto error = [&](double h) {
        return std::abs((law.potential(x + vec(h * sign)) - law.potential(x)) / h - limit);
      };
      // Near 0 the slope of x^1.02 comes slowly: then it must at least come nearer.
      ASSERT_LT(error(1e-7), std::max(1e-5 * (1 + std::abs(limit)), .95 * error(1e-4)));
    }
  });
}

TEST(Potentials, what_is_said_of_convexity_and_regularity_has_its_proof_or_its_witness) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Random random(12);
    for (int k = 0; k < 20; ++k) {
      const LawPtr law = c.make(random);
      bool bent = false;
      for (int j = 0; j < 300; ++j) {
        const double size = j % 2 ? 4 : .3;
        const Vec x = law->prox(random.vector(law->rows(), size), .1),
                  y = law->prox(random.vector(law->rows(), size), .1);
        const double ends = .5 * (law->potential(x) + law->potential(y)), middle = law->potential((x + y) / 2);
        if (x.hasNaN() || y.hasNaN()) continue;
        bent = bent || middle > ends + 1e-10 * (1 + std::abs(ends));
      }
      ASSERT_EQ(bent, !law->is_convex());
      if (law->is_regular()) continue;
      // P^ above the true slope in some direction at 0.
      bool differs = false;
      for (int j = 0; j < 50; ++j) {
        const Vec zero = Vec::Zero(law->rows()), p = random.vector(law->rows());
        const double slope = (law->potential(1e-6 * p) - law->potential(zero)) / 1e-6;
        differs = differs || law->derivative(zero, p) > slope + 1e-3 * p.norm();
      }
      ASSERT_TRUE(differs);
    }
  }
}

// (6.13)-(6.15): displacement laws see −u⁻; (10.6)-(10.8): velocity laws see u⁻ and −a⁻.
TEST(Potentials, the_past_reverses_u_for_displacement_and_a_for_velocity_laws) {
  for_each_state(13, 6, 10, [](const Superpotential& law, const Vec& x, Random& random) {
    const bool displacement = law.level() == Level::displacement;
    const Vec u = displacement ? Vec(-rate_of(law, x, random)) : x, a = random.vector(law.rows());
    const PastLaw past = law.past_law(x, u, kTol);
    const SetPtr mirrored = displacement ? law.reaction_set(x, -u, a, kTol) : law.reaction_set(x, u, -a, kTol);
    ASSERT_TRUE(same(past.gradient_set(a, 1e-12), mirrored, random, 1e-12));
    ASSERT_EQ(past.acceleration_reversed, !displacement);
    ASSERT_TRUE(displacement ? past.is_convex() : past.is_convex() == past.reservoir->is_point());
    if (!mirrored->empty()) {
      ASSERT_LT(std::abs(past.cost(a)), kInf);
    }
  });
}

TEST(Potentials, the_standing_agrees_with_the_sets) {
  std::set<State> seen;
  for_each_state(14, 6, 20, [&](const Superpotential& law, const Vec& x, Random& random) {
    const Vec u = random.uniform(0, 1) < .5 ? rate_of(law, x, random) : random.vector(law.rows());
    const Vec at = random.uniform(0, 1) < .2 ? Vec(random.vector(law.rows(), 3)) : x;
    const Standing s = law.standing(at, u, kTol);
    seen.insert(s.state);
    ASSERT_TRUE(same(s.reactions, law.acceleration_set(at, u, kTol), random, 1e-12));
    ASSERT_EQ(s.reactions->empty(), s.state == State::penetration || s.state == State::impact);
    ASSERT_EQ(s.reactions->is_point(), s.state == State::open || s.state == State::separating);
  });
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Potentials, a_law_without_a_potential_says_so_and_gives_sets_under_a_load) {
  const LawPtr law = make_potential("coulomb", {{"mu", .5}});
  EXPECT_FALSE(law->is_integrable());
  EXPECT_THROW(law->potential(vec(1, 0)), InputError);
  EXPECT_THROW(law->gradient_set(vec(1, 0)), InputError);
  EXPECT_THROW(law->with_load(-1), InputError);
  EXPECT_THROW(law->with_load(std::nan("")), InputError);
  EXPECT_NEAR(law->with_load(4)->potential(vec(3, 4)), 10, 1e-14);
}
