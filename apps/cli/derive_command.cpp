// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The equations of a Lagrangian scene, and what its laws do at the scene's state.
#include "cli/command.hpp"
#include "vinculum/principles/verdict.hpp"
#include "vinculum/system/system.hpp"

#include <fmt/core.h>
#include <memory>

namespace vinculum::cli {

namespace {

using principles::Accelerations;
using principles::Instant;

struct Arguments {
  std::string scene;
  bool latex = false, json = false;
};

std::vector<double> list(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

std::vector<std::vector<double>> columns(const Eigen::MatrixXd& A) {
  std::vector<std::vector<double>> all;
  for (const auto& column : A.colwise()) all.push_back({column.begin(), column.end()});
  return all;
}

nlohmann::json to_json(const Accelerations& r) {
  return {{"a", list(r.a)},
          {"f", list(r.f)},
          {"lambda", list(r.lambda)},
          {"undetermined", columns(r.undetermined)},
          {"cost", r.cost},
          {"convex", r.convex},
          {"solved", r.report.solved},
          {"residual", r.report.residual},
          {"certificate",
           {{"balance", r.certificate.balance},
            {"feasibility", r.certificate.feasibility},
            {"domain", r.certificate.domain},
            {"gap", r.certificate.gap}}}};
}

nlohmann::json law_json(const parts::Lagrangian& part, const parts::Lagrangian::Texts& texts, std::size_t i,
                        const principles::ActiveSets& sets) {
  const parts::RowLaw& law = part.laws()[i];
  nlohmann::json rows = nlohmann::json::array();
  const auto n = static_cast<std::size_t>(part.size());
  for (int k = 0; k < law.rows; ++k) {
    const auto r = static_cast<std::size_t>(law.first + k);
    nlohmann::json row = {{"rate", texts.rates[r]}, {"drift", texts.drift[r]}};
    if (law.has_gap) row["gap"] = texts.gaps[r];
    row["direction"] = std::vector<std::string>(texts.W.begin() + static_cast<std::ptrdiff_t>(r * n),
                                                texts.W.begin() + static_cast<std::ptrdiff_t>((r + 1) * n));
    rows.push_back(row);
  }
  nlohmann::json object = {{"name", law.name}, {"type", law.type}, {"rows", rows}};
  object["state"] = law.normal >= 0 ? "with its normal law" : potentials::name(sets.standing[i].state);
  if (sets.standing[i].reactions) object["minus_reactions"] = sets.standing[i].reactions->text();
  return object;
}

nlohmann::json derive(const system::System& system, const system::State& state, bool latex) {
  const parts::Lagrangian& part = *system.lagrangian;
  const auto texts = part.texts(latex);
  const Instant at = principles::make_instant(part, state.t, state.lagrangian_q, state.lagrangian_u);
  const auto tolerances = principles::tolerances_of(at);
  const auto sets = find_active_sets(part, at, tolerances);
  nlohmann::json object = {{"coordinates", part.coordinates()},
                           {"T", texts.T},
                           {"U", texts.U},
                           {"M", texts.M},
                           {"h", texts.h},
                           {"f", texts.f}};
  object["laws"] = nlohmann::json::array();
  for (std::size_t i = 0; i < part.laws().size(); ++i) object["laws"].push_back(law_json(part, texts, i, sets));
  auto names = [&](const std::vector<int>& indices) {
    std::vector<std::string> out;
    for (const int i : indices) out.push_back(part.laws()[static_cast<std::size_t>(i)].name);
    return out;
  };
  nlohmann::json now = {{"t", at.t},       {"q", list(at.q)}, {"u", list(at.u)},      {"M", columns(at.M)},
                        {"h", list(at.h)}, {"f", list(at.f)}, {"I0", names(sets.I0)}, {"I1", names(sets.I1)}};
  now["tolerances"] = {{"gap", tolerances.gap}, {"rate", tolerances.rate}, {"acceleration", tolerances.acceleration}};
  try {
    const Accelerations answer = solve_accelerations(part, at, tolerances);
    now["accelerations"] = to_json(answer);
    for (const auto principle : {principles::Principle::dalembert, principles::Principle::jourdain,
                                 principles::Principle::gauss, principles::Principle::least_constraint}) {
      const auto verdict = check(principle, part, at, answer.a, tolerances);
      now["principles"].push_back({{"name", name(principle)},
                                   {"status", to_string(verdict.status)},
                                   {"residual", verdict.residual},
                                   {"unit", unit(principle)},
                                   {"why", verdict.why}});
    }
  } catch (const base::InputError& error) {
    now["refused"] = error.what();  // penetration, or an impact is needed
  }
  const auto rest = principles::check_equilibrium(part, at.t, at.q),
             steady = principles::check_steady(part, at.t, at.q, at.u);
  now["equilibrium"] = {{"holds", rest.holds}, {"residual", rest.residual}};
  now["steady"] = {{"holds", steady.holds}, {"residual", steady.residual}};
  object["state"] = now;
  return object;
}

std::string numbers(const nlohmann::json& x) {
  std::string text;
  for (const auto& value : x) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        value.is_null() ? "-" : fmt::format("{:.9g}", value.get<double>()));
  }
  return "(" + text + ")";
}

void print_equations(const nlohmann::json& o) {
  const std::size_t n = o["coordinates"].size();
  fmt::print("T = {}\nU = {}\n", o["T"].get<std::string>(), o["U"].get<std::string>());
  fmt::print("M a = h + f + W lambda\n");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      fmt::print("  M[{},{}] = {}\n", i + 1, j + 1, o["M"][i * n + j].get<std::string>());
    }
  }
  for (std::size_t i = 0; i < n; ++i) fmt::print("  h[{}] = {}\n", i + 1, o["h"][i].get<std::string>());
  for (std::size_t i = 0; i < n; ++i) fmt::print("  f[{}] = {}\n", i + 1, o["f"][i].get<std::string>());
  for (const auto& law : o["laws"]) {
    fmt::print("law {} ({}): {}{}\n", law["name"].get<std::string>(), law["type"].get<std::string>(),
               law["state"].get<std::string>(),
               law.contains("minus_reactions") ? ", -lambda in " + law["minus_reactions"].get<std::string>() : "");
    for (const auto& row : law["rows"]) {
      if (row.contains("gap")) fmt::print("  gap   = {}\n", row["gap"].get<std::string>());
      fmt::print("  rate  = {}\n  drift = {}\n", row["rate"].get<std::string>(), row["drift"].get<std::string>());
    }
  }
}

void print_state(const nlohmann::json& s) {
  fmt::print("at t = {:g}, q = {}, u = {}:\n", s["t"].get<double>(), numbers(s["q"]), numbers(s["u"]));
  auto names = [](const nlohmann::json& list) {
    std::string text;
    for (const auto& name : list) text += (text.empty() ? "" : ", ") + name.get<std::string>();
    return text.empty() ? std::string("none") : text;
  };
  fmt::print("  closed (I0): {}; closed and at rest (I1): {}   (gap below {:.1e}, rate below {:.1e})\n", names(s["I0"]),
             names(s["I1"]), s["tolerances"]["gap"].get<double>(), s["tolerances"]["rate"].get<double>());
  if (s.contains("refused")) {
    fmt::print("  no acceleration: {}\n", s["refused"].get<std::string>());
    return;
  }
  const auto& a = s["accelerations"];
  fmt::print("  a      = {}\n  lambda = {}\n", numbers(a["a"]), numbers(a["lambda"]));
  for (const auto& direction : a["undetermined"]) fmt::print("  lambda may change along {}\n", numbers(direction));
  const auto& c = a["certificate"];
  fmt::print("  certificate: balance {:.1e}, feasibility {:.1e}, domain {:.1e}, duality gap {:.1e}\n",
             c["balance"].get<double>(), c["feasibility"].get<double>(), c["domain"].get<double>(),
             c["gap"].get<double>());
  fmt::print("  can rest here: {}; keeps its velocity: {}\n", s["equilibrium"]["holds"].get<bool>() ? "yes" : "no",
             s["steady"]["holds"].get<bool>() ? "yes" : "no");
  for (const auto& p : s["principles"]) {
    fmt::print("  {}: {}{}\n", p["name"].get<std::string>(), p["status"].get<std::string>(),
               p["why"].get<std::string>().empty() ? "" : " (" + p["why"].get<std::string>() + ")");
  }
}

}  // namespace

Action add_derive(CLI::App& app) {
  auto* command =
      app.add_subcommand("derive", "print the equations of a [lagrangian] scene and what its laws do at its state");
  auto a = std::make_shared<Arguments>();
  command->add_option("scene", a->scene, "scene file (TOML) with a table [lagrangian]")->required();
  command->add_flag("--latex", a->latex, "formulas as LaTeX");
  command->add_flag("--json", a->json, "one JSON object on standard output");
  command->footer("Example: vinculum derive scenes/glocker/off_the_cylinder.toml --latex");
  return [a] {
    const model::Model model = model::read_scene(a->scene);
    if (!model.lagrangian)
      throw base::InputError({a->scene}, "lagrangian", "nothing", "a table [lagrangian] to derive");
    const system::System system(model);
    const nlohmann::json object = derive(system, make_initial_state(model, system), a->latex);
    if (a->json) {
      print_json(object);
    } else {
      print_equations(object);
      print_state(object["state"]);
    }
    return static_cast<int>(object["state"].contains("refused") ? refused : good);
  };
}

}  // namespace vinculum::cli
