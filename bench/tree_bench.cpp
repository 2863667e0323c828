// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics (RNEA), mass matrix (CRBA) and forward dynamics (ABA) of articulated models, beside Pinocchio where
// its headers were found: same model, same states, same run, one thread, same compiler flags. Every time starts from q.
// Values are compared before anything is timed; the best of several rounds counts, engines in turn.
#include "tree_peer.hpp"
#include "vinculum/motion/tree.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <random>

namespace {

using namespace vinculum;
using algebra::Vec3;
using bench::TreePeer;
using parts::TreeLink;

class Ours final : public TreePeer {
 public:
  explicit Ours(const std::vector<TreeLink>& links) : tree(links), ws(tree) {}
  std::string name() const override { return "vinculum"; }
  void set_states(const Eigen::MatrixXd& q, const Eigen::MatrixXd& v, const Eigen::MatrixXd& x) override {
    q_ = q;
    v_ = v;
    x_ = x;
  }
  void rnea(int k, Eigen::VectorXd& tau) override {
    motion::place(tree, q_.col(k).data(), ws);
    motion::inverse_dynamics(tree, v_.col(k).data(), x_.col(k).data(), gravity, {}, ws, tau.data());
  }
  void crba(int k) override {
    motion::place(tree, q_.col(k).data(), ws);
    motion::mass_matrix(tree, ws);
  }
  void aba(int k, Eigen::VectorXd& vdot) override {
    motion::place(tree, q_.col(k).data(), ws);
    motion::forward_dynamics(tree, v_.col(k).data(), x_.col(k).data(), gravity, {}, ws, vdot.data());
  }
  Eigen::MatrixXd mass_matrix() const override { return motion::dense_mass_matrix(tree, ws); }

  parts::Tree tree;
  motion::TreeWorkspace ws;

 private:
  const Vec3 gravity{0, 0, -9.81};
  Eigen::MatrixXd q_, v_, x_;
};

std::mt19937_64 engine{11};
double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }

TreeLink random_link(int parent, joints::Kind kind, int axis) {
  TreeLink link;
  link.parent = parent;
  joints::Geometry geometry;
  geometry.axis = Vec3::Unit(axis);
  link.joints = {joints::Joint(kind, geometry)};
  link.X_PC.p = Vec3(uniform(-.2, .2), uniform(-.2, .2), uniform(-.4, -.1));
  std::vector<screw::Atom> atoms;
  for (int k = 0; k < 5; ++k)
    atoms.push_back({uniform(0.2, 1), Vec3(uniform(-.2, .2), uniform(-.2, .2), uniform(-.3, .1))});
  link.inertia = screw::inertia_of_atoms(atoms);
  return link;
}

// A free base, a waist of three with neck of two, two arms of five, two legs of six: 27 hinges.
std::vector<TreeLink> humanoid() {
  std::vector<TreeLink> links{random_link(-1, joints::Kind::free, 2)};
  const auto limb = [&](int root, int length) {
    for (int k = 0; k < length; ++k) {
      links.push_back(random_link(root, joints::Kind::revolute, (k + length) % 3));
      root = static_cast<int>(links.size()) - 1;
    }
    return root;
  };
  const int chest = limb(0, 3);
  limb(chest, 2);
  for (int side = 0; side < 2; ++side) limb(chest, 5);
  for (int side = 0; side < 2; ++side) limb(0, 6);
  return links;
}

std::vector<TreeLink> chain(int length) {
  std::vector<TreeLink> links;
  for (int k = 0; k < length; ++k) links.push_back(random_link(k - 1, joints::Kind::revolute, k % 3));
  return links;
}

constexpr int states = 64;

double seconds(const std::function<void(int)>& kernel) {
  constexpr int repeats = 20;
  const auto start = std::chrono::steady_clock::now();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (int k = 0; k < states; ++k) kernel(k);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / (repeats * states);
}

void compare(const std::string& title, const std::vector<TreeLink>& links) {
  Ours ours(links);
  const int nq = ours.tree.nq(), nv = ours.tree.nv();
  Eigen::MatrixXd q(nq, states), v(nv, states), x(nv, states);
  for (int k = 0; k < states; ++k) {
    Eigen::VectorXd start = ours.tree.neutral(), u(nv);
    for (double& value : u) value = uniform(-1.5, 1.5);
    ours.tree.integrate(start.data(), u.data(), q.col(k).data());
    for (int i = 0; i < nv; ++i) {
      v(i, k) = uniform(-2, 2);
      x(i, k) = uniform(-5, 5);
    }
  }
  std::vector<std::unique_ptr<TreePeer>> peers;
#ifdef VINCULUM_BENCH_PINOCCHIO
  for (const bool world : {false, true}) peers.push_back(bench::make_pinocchio(links, world));
#endif
  ours.set_states(q, v, x);
  Eigen::VectorXd a(nv), b(nv);
  for (const auto& peer : peers) {
    peer->set_states(q, v, x);
    double worst[3] = {};
    for (int k = 0; k < states; ++k) {
      const auto note = [&](int which, double error) { worst[which] = std::max(worst[which], error); };
      ours.rnea(k, a), peer->rnea(k, b), note(0, (a - b).norm() / b.norm());
      ours.crba(k), peer->crba(k);
      note(1, (ours.mass_matrix() - peer->mass_matrix()).norm() / peer->mass_matrix().norm());
      ours.aba(k, a), peer->aba(k, b), note(2, (a - b).norm() / b.norm());
    }
    fmt::print("{}: against {}: RNEA {:.1e}, CRBA {:.1e}, ABA {:.1e} relative{}\n", title, peer->name(), worst[0],
               worst[1], worst[2], std::max({worst[0], worst[1], worst[2]}) < 1e-10 ? "" : "  DIFFERS");
  }
  const char* names[3] = {"RNEA", "CRBA", "ABA"};
  const auto kernel = [&](TreePeer& peer, int which) {
    if (which == 0) return seconds([&](int k) { peer.rnea(k, a); });
    if (which == 1) return seconds([&](int k) { peer.crba(k); });
    return seconds([&](int k) { peer.aba(k, a); });
  };
  for (int which = 0; which < 3; ++which) {
    double mine = 1e9;
    std::vector<double> theirs(peers.size(), 1e9);
    for (int round = 0; round < 25; ++round) {
      mine = std::min(mine, kernel(ours, which));
      for (std::size_t k = 0; k < peers.size(); ++k) theirs[k] = std::min(theirs[k], kernel(*peers[k], which));
    }
    fmt::print("{:12s} {:5s} {:8.3f} us", title, names[which], 1e6 * mine);
    for (std::size_t k = 0; k < peers.size(); ++k)
      fmt::print("   {} {:8.3f} us, ratio {:.2f}", peers[k]->name(), 1e6 * theirs[k], mine / theirs[k]);
    fmt::print("\n");
  }
  double place = 1e9, factor = 1e9;
  for (int round = 0; round < 25; ++round) {
    place = std::min(place, seconds([&](int k) { motion::place(ours.tree, q.col(k).data(), ours.ws); }));
    factor = std::min(factor, seconds([&](int) { motion::factor(ours.tree, ours.ws); }));
  }
  fmt::print("{:12s} place {:8.3f} us, factor {:8.3f} us\n", title, 1e6 * place, 1e6 * factor);
}

}  // namespace

int main() {
  compare("humanoid 33", humanoid());
  compare("chain 7", chain(7));
  compare("chain 30", chain(30));
  compare("chain 100", chain(100));
}
