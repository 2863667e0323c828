// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One search over n spheres in a loose packing (jittered cubic lattice, ten per cent of the contacts closed): time and
// memory per body from 10^4 to 10^6, and the same bits for 1, 2 and 4 threads.
#include "vinculum/base/parallel.hpp"
#include "vinculum/collide/search.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>

using namespace vinculum;

namespace {

model::Model packing(int n) {
  model::Model model;
  model.materials.push_back({"default"});
  model.pairs.push_back({});
  shapes::Shape ball = shapes::find_shape_type("sphere")->make({{0.5}, {}, {}});
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> jitter(-0.05, 0.05);
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  for (int k = 0; k < n; ++k) {
    model::Body body;
    body.mass = 1;
    body.inertia = 0.1 * algebra::Mat3::Identity();
    body.X_WB.p = {1.03 * (k % side) + jitter(engine), 1.03 * (k / side % side) + jitter(engine),
                   1.03 * (k / side / side) + jitter(engine)};
    model.bodies.push_back(body);
    model::Shape shape;
    shape.geometry = ball;
    shape.body = k;
    model.shapes.push_back(shape);
  }
  return model;
}

double megabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Of all threads; on a machine that others use too it says more than the clock on the wall.
double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint64_t digest(const collide::ContactSet& contacts) {
  std::uint64_t hash = 1469598103934665603u;
  const auto mix = [&](std::uint64_t x) { hash = (hash ^ x) * 1099511628211u; };
  for (const auto& contact : contacts) {
    mix(static_cast<std::uint64_t>(contact.shape_a));
    mix(static_cast<std::uint64_t>(contact.shape_b));
    mix(std::bit_cast<std::uint64_t>(contact.at.gap));
    for (int k = 0; k < 3; ++k) mix(std::bit_cast<std::uint64_t>(contact.at.n[k]));
  }
  return hash;
}

}  // namespace

int main() {
  fmt::print("{:>9} {:>8} {:>10} {:>10} {:>16} {:>10}  {}\n", "bodies", "threads", "contacts", "ms", "cpu ns per body",
             "peak MB", "digest");
  for (const int n : {10000, 100000, 1000000}) {
    const model::Model model = packing(n);
    const system::System system(model);
    const system::State state = make_initial_state(model, system);
    const double before = megabytes();
    for (const int threads : {1, 2, 4}) {
      const base::ThreadLimit limit(threads);
      collide::Search search(system);
      collide::ContactSet contacts;
      const std::vector<double> margin(static_cast<std::size_t>(n), 0.01);
      double best = 1e300, best_cpu = 1e300;
      for (int repeat = 0; repeat < 4; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        const double cpu = cpu_seconds();
        search.find(state.q, margin, contacts);
        best_cpu = std::min(best_cpu, cpu_seconds() - cpu);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      fmt::print("{:>9} {:>8} {:>10} {:>10.2f} {:>16.1f} {:>10.0f}  {:016x}\n", n, threads, contacts.size(), 1e3 * best,
                 1e9 * best_cpu / n, megabytes() - before, digest(contacts));
    }
  }
}
