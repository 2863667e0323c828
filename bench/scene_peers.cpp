// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "scene_peers.hpp"

#include "vinculum/base/version.hpp"

#include <fmt/core.h>
#include <cmath>

namespace vinculum::bench {

std::vector<PeerType> peer_types() {
  std::vector<PeerType> types;
  auto add = [&](std::string name, std::string settings, std::function<std::unique_ptr<Peer>()> make) -> PeerType& {
    types.push_back({.name = std::move(name), .settings = std::move(settings), .make = std::move(make)});
    return types.back();
  };
  add("vinculum", "tolerance of the scene", [] { return make_vinculum_peer(1, {}); });
  add("vinculum, sleep", "as users have it: what rests is left out", [] { return make_vinculum_peer(1, {}, true); });
  add("vinculum 1e-5", "tolerance 1e-5", [] { return make_vinculum_peer(1, 1e-5); });
  add("vinculum 2 thr", "tolerance of the scene", [] { return make_vinculum_peer(2, {}); }).threads = 2;
#ifdef VINCULUM_BENCH_BULLET
  for (int n : {10, 50, 200}) {
    add(fmt::format("bullet {}", n), fmt::format("sequential impulse, {} iterations{}", n, n == 10 ? " (default)" : ""),
        [n] { return make_bullet_peer(n); });
  }
#endif
#ifdef VINCULUM_BENCH_ODE
  for (int n : {20, 200}) {
    add(fmt::format("ode quick {}", n), fmt::format("dWorldQuickStep, {} iterations{}", n, n == 20 ? " (default)" : ""),
        [n] { return make_ode_peer(OdeMethod::quick_step, n); });
  }
  add("ode step", "dWorldStep (direct)", [] { return make_ode_peer(OdeMethod::step, 0); }).bodies_max = 20;
#endif
  return types;
}

std::vector<PeerType> peers_by_effort() {
  std::vector<PeerType> types;
  for (int k = 1; k <= 8; ++k) {
    types.push_back({.name = "vinculum", .settings = fmt::format("1e-{}", k), .make = [k] {
                       return make_vinculum_peer(1, std::pow(10.0, -k));
                     }});
  }
  [[maybe_unused]] const int counts[] = {10, 30, 100, 300, 1000};
#ifdef VINCULUM_BENCH_BULLET
  for (const int directions : {1, 2}) {
    for (const int n : counts) {
      types.push_back({.name = directions == 1 ? "bullet" : "bullet, 2 dir.",
                       .settings = fmt::format("{}", n),
                       .make = [=] { return make_bullet_peer(n, directions); }});
    }
  }
#endif
#ifdef VINCULUM_BENCH_ODE
  for (const int n : counts) {
    types.push_back({.name = "ode", .settings = fmt::format("{}", n), .make = [n] {
                       return make_ode_peer(OdeMethod::quick_step, n);
                     }});
  }
#endif
  return types;
}

std::vector<std::string> peer_versions() {
  std::vector<std::string> versions;
  versions.push_back(fmt::format("vinculum {}", VINCULUM_BENCH_COMMIT));
#ifdef VINCULUM_BENCH_BULLET
  versions.push_back(bullet_version());
#endif
#ifdef VINCULUM_BENCH_ODE
  versions.push_back(ode_version());
#endif
  return versions;
}

}  // namespace vinculum::bench
