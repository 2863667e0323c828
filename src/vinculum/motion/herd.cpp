// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/motion/herd.hpp"

#include "vinculum/algebra/clones.hpp"
#include "vinculum/algebra/sine_cosine.hpp"

#include <algorithm>

namespace vinculum::motion {

using Node = Tree::Node;
using Block = Herd::Block;

namespace {

/// What equal trees share, as numbers.
std::vector<int> signature(const Tree& forest, std::span<const int> nodes, std::span<const int> links) {
  std::vector<int> out;
  const auto number = [&](int n) {
    return static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), n) - nodes.begin());
  };
  for (const int n : nodes) {
    out.push_back(forest.parent[n] == 0 ? -1 : number(forest.parent[n]));
    out.push_back(static_cast<int>(forest.motion[n]));
    out.push_back(forest.mass[n] != 0);
  }
  for (const int b : links) out.push_back(number(forest.node_of_link[b]));
  return out;
}

// --- the sweeps of one block ---

VINCULUM_WIDE_CLONES void place_block(const Tree& tree, std::span<const int> turning, Block& B) {
  const auto spot = [&](int n) __attribute__((always_inline)) {
    Block::Place& X = B.place[n];
    return kernels::Spot<Many>{X.R, X.p, X.r, &X.q};
  };
  const Eight none = {};
  std::size_t next = 0;
  for (int n = 1; n < tree.nodes(); ++n) {
    const bool turns = next < turning.size() && turning[next] == n;
    kernels::place<Many>(tree.motion[n], B.p_T.data() + 3 * n, B.q_T[n], B.pitch[n], B.q.data() + tree.iq[n],
                         turns ? B.sine[next] : none, turns ? B.cosine[next] : none, spot(tree.parent[n]), spot(n));
    next += turns;
  }
  for (std::size_t b = 0; b < B.link.size(); ++b) {
    Block::Link& link = B.link[b];
    const Block::Place& X = B.place[tree.node_of_link[b]];
    lanes::multiply(X.R, link.com, link.reach);
    for (int k = 0; k < 3; ++k) link.x[k] = X.p[k] + link.reach[k];
    lanes::multiply_turns(X.q, link.q_NB, link.q);
    lanes::correct_length(link.q);
  }
}

VINCULUM_WIDE_CLONES void move_block(const Tree& tree, Block& B) {
  for (int n = 1; n < tree.nodes(); ++n) {
    kernels::move<Many>(tree.motion[n], B.pitch[n], B.place[n].R, B.place[n].r, B.x.data() + tree.iv[n],
                        B.moving[tree.parent[n]], B.moving[n]);
  }
  for (std::size_t b = 0; b < B.link.size(); ++b) {
    Block::Link& link = B.link[b];
    const kernels::Moving<Many>& V = B.moving[tree.node_of_link[b]];
    lanes::cross(V.w.x, static_cast<const Eight*>(link.reach), link.v);
    for (int k = 0; k < 3; ++k) link.v[k] = V.v.x[k] + link.v[k];
  }
}

VINCULUM_WIDE_CLONES void kinetic_block(const Tree& tree, Block& B) {
  for (int n = 1; n < tree.nodes(); ++n) {
    kernels::twice_kinetic<Eight>(B.mass[n], B.com.data() + 3 * n, B.J_c.data() + 9 * n, B.place[n].R, B.moving[n].v.x,
                                  B.moving[n].w.x, B.y[n]);
  }
}

VINCULUM_WIDE_CLONES void weigh_block(const Tree& tree, const double* gravity, Block& B) {
  for (int n = 1; n < tree.nodes(); ++n) {
    kernels::weight<Eight>(B.mass[n], B.com.data() + 3 * n, B.place[n].R, B.place[n].p, gravity, B.y[n]);
  }
}

VINCULUM_WIDE_CLONES void mass_block(const Tree& tree, Block& B) {
  for (int n = 1; n < tree.nodes(); ++n) {
    const Block::Place& X = B.place[n];
    const int p = tree.parent[n];
    Eight* const arm = B.arm.data() + 3 * n;
    for (int k = 0; k < 3; ++k) arm[k] = p == 0 ? Eight{} : B.arm[3 * p + k] + X.r[k];
    kernels::write_subspace<Eight>(tree.motion[n], B.pitch[n], X.R, arm, B.S.data() + 6 * tree.iv[n]);
    kernels::weigh<Many>(tree.mass[n] != 0, B.mass[n], B.com.data() + 3 * n, B.J_c.data() + 9 * n, X.R, X.r,
                         B.matter[n], B.composite[n]);
  }
  for (int n = tree.nodes() - 1; n > 0; --n) {
    const int p = tree.parent[n];
    const auto fill = [&](int k, const Eight* F) __attribute__((always_inline)) {
      const int i = tree.iv[n] + k, depth = tree.depth[i];
      const int* const column = tree.column.data() + tree.row[i];
      Eight* const row = B.M.data() + tree.row[i];
      for (int j = 0; j < depth; ++j) kernels::measure<Eight>(B.S.data() + 6 * column[j], F, row[j]);
      kernels::measure_own<Eight>(B.S.data() + 6 * i, F, row[depth]);
      row[depth] += B.armature[i];
    };
    kernels::measure_unit_motions<Eight>(tree.motion[n], B.pitch[n], B.composite[n], B.place[n].R, B.arm.data() + 3 * n,
                                         fill);
    if (p > 0) kernels::add_shifted<Eight>(B.composite[n], B.place[n].r, B.composite[p]);
  }
}

/// lost[t]: the first coordinate of tree t, from its leaves, whose pivot is not positive.
VINCULUM_WIDE_CLONES void factor_block(const Tree& tree, std::span<const int> coordinates, Block& B, int* lost) {
  std::copy_n(B.M.data(), B.M.size(), B.L.data());
  kernels::factor(tree, coordinates, B.L.data(), B.L_inverse_diagonal.data(), [&](int k, const Eight& pivot) {
    if (algebra::lanes::bits(algebra::lanes::below(Eight{}, pivot)) == (1u << Herd::lanes) - 1) return true;
    for (int t = 0; t < Herd::lanes; ++t) {
      if (lost[t] < 0 && !(pivot[t] > 0)) lost[t] = k;
    }
    return true;
  });
}

VINCULUM_WIDE_CLONES void force_block(const Tree& tree, const Vec3& gravity, Block& B) {
  B.bias[0] = {};
  for (int k = 0; k < 3; ++k) B.bias[0].a.x[k] = Eight{} - gravity[k];
  for (int n = 1; n < tree.nodes(); ++n) {
    kernels::accelerate<Many>(tree.motion[n], B.pitch[n], tree.mass[n] != 0, B.mass[n], B.matter[n], B.place[n].R,
                              B.x.data() + tree.iv[n], B.bias[tree.parent[n]], B.bias[n]);
  }
  for (int n = tree.nodes() - 1; n > 0; --n) {
    const int p = tree.parent[n];
    kernels::collect<Many>(tree.motion[n], B.pitch[n], B.matter[n], B.place[n].R, B.bias[n],
                           p > 0 ? &B.bias[p] : nullptr, B.y.data() + tree.iv[n]);
  }
  for (int i = 0; i < tree.nv(); ++i) B.y[i] = -B.y[i];
}

VINCULUM_WIDE_CLONES void multiply_block(const Tree& tree, std::span<const int> coordinates, Block& B) {
  kernels::multiply_M(tree, coordinates, static_cast<const Eight*>(B.M.data()), static_cast<const Eight*>(B.x.data()),
                      B.y.data());
}
VINCULUM_WIDE_CLONES void multiply_L_block(const Tree& tree, std::span<const int> coordinates, Block& B) {
  kernels::multiply_L(tree, coordinates, static_cast<const Eight*>(B.L.data()), B.x.data());
}
VINCULUM_WIDE_CLONES void solve_L_block(const Tree& tree, std::span<const int> coordinates, Block& B) {
  kernels::solve_L(tree, coordinates, static_cast<const Eight*>(B.L.data()),
                   static_cast<const Eight*>(B.L_inverse_diagonal.data()), B.x.data());
}
VINCULUM_WIDE_CLONES void solve_Lt_block(const Tree& tree, std::span<const int> coordinates, Block& B) {
  kernels::solve_Lt(tree, coordinates, B.L.data(), B.L_inverse_diagonal.data(), B.x.data());
}

/// Lane by lane in runs of numbers that follow one another in every tree; lanes beyond the trees repeat the last.
VINCULUM_WIDE_CLONES void gather_runs(const double* x, const int* at, std::span<const int> runs, std::size_t step,
                                      const Block& B, Eight* out) {
  const double* from[Herd::lanes];
  for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
    const int* const own = at + static_cast<std::size_t>(runs[r]) * step;
    for (int t = 0; t < Herd::lanes; ++t) from[t] = x + own[std::min(t, B.count - 1)];
    algebra::lanes::gather(from, runs[r + 1] - runs[r], out + runs[r]);
  }
}
VINCULUM_WIDE_CLONES void scatter_runs(const Eight* x, const int* at, std::span<const int> runs, std::size_t step,
                                       const Block& B, double* out) {
  double* to[Herd::lanes];
  for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
    const int* const own = at + static_cast<std::size_t>(runs[r]) * step;
    for (int t = 0; t < Herd::lanes; ++t) to[t] = out + own[std::min(t, B.count - 1)];
    algebra::lanes::scatter(x + runs[r], runs[r + 1] - runs[r], to);
  }
}

/// Where nodes, coordinates and their rows stand in the forest: [own number × step + tree].
struct Numbers {
  const int *node, *v, *row;
  std::size_t step;
};

VINCULUM_WIDE_CLONES void write_block(const Tree& tree, std::span<const int> coordinates, const Numbers& numbers,
                                      const Block& B, TreeWorkspace& ws) {
  double* to[Herd::lanes];
  const auto write = [&](const Eight* from, int count, auto&& place) __attribute__((always_inline)) {
    for (int t = 0; t < Herd::lanes; ++t) to[t] = place(std::min(t, B.count - 1));  // the last once more
    algebra::lanes::scatter(from, count, to);
  };
  for (std::size_t n = 1; n < B.place.size(); ++n) {
    const int* const at = numbers.node + n * numbers.step;
    const Block::Place& X = B.place[n];
    write(X.R, 9, [&](int t) { return ws.place[at[t]].R.data(); });
    write(X.p, 3, [&](int t) { return ws.place[at[t]].p.data(); });
    write(X.r, 3, [&](int t) { return ws.place[at[t]].r.data(); });
    write(X.q.x, 4, [&](int t) { return ws.place[at[t]].q.coeffs().data(); });
    write(B.arm.data() + 3 * n, 3, [&](int t) { return ws.arm[at[t]].data(); });
    const kernels::Composite<Eight>& body = B.composite[n];
    for (int t = 0; t < B.count; ++t) ws.composite[at[t]].mass = body.mass[t];
    write(body.h, 3, [&](int t) { return ws.composite[at[t]].h; });
    write(body.J, 6, [&](int t) { return ws.composite[at[t]].J; });
  }
  for (const int i : coordinates) {
    const std::size_t own = static_cast<std::size_t>(i) * numbers.step;
    write(B.S.data() + 6 * i, 6, [&](int t) { return ws.S[numbers.v[own + t]].data(); });
    write(B.L.data() + tree.row[i], tree.depth[i] + 1, [&](int t) { return ws.L.data() + numbers.row[own + t]; });
    for (int t = 0; t < B.count; ++t) ws.L_inverse_diagonal[numbers.v[own + t]] = B.L_inverse_diagonal[i][t];
  }
}

}  // namespace

std::vector<std::vector<std::vector<int>>> equal_trees(const Tree& forest) {
  std::vector<int> tree_of(forest.parent.size(), -1);
  std::vector<std::vector<int>> nodes, links;
  for (int n = 1; n < forest.nodes(); ++n) {
    const bool root = forest.parent[n] == 0;
    tree_of[n] = root ? static_cast<int>(nodes.size()) : tree_of[forest.parent[n]];
    if (root) nodes.emplace_back(), links.emplace_back();
    nodes[tree_of[n]].push_back(n);
  }
  for (int b = 0; b < forest.links(); ++b) {
    if (const int n = forest.node_of_link[b]; n > 0) links[tree_of[n]].push_back(b);
  }
  std::vector<std::vector<int>> signatures;
  std::vector<std::vector<std::vector<int>>> classes;
  for (std::size_t t = 0; t < nodes.size(); ++t) {
    std::vector<int> own = signature(forest, nodes[t], links[t]);
    const auto found = std::find(signatures.begin(), signatures.end(), own);
    const std::size_t k = static_cast<std::size_t>(found - signatures.begin());
    if (found == signatures.end()) signatures.push_back(std::move(own)), classes.emplace_back();
    classes[k].push_back(std::move(nodes[t]));
  }
  return classes;
}

Herd::Herd(const Tree& forest, const TreeWorkspace& ws, std::span<const Vec3> com,
           std::span<const std::vector<int>> trees)
    : tree_(forest, trees.front()), count_(trees.size()) {
  const std::size_t nodes = tree_.parent.size(), links = tree_.node_of_link.size(), nv = tree_.armature.size();
  node_.at.assign(nodes * count_, 0);
  link_.resize(links * count_);
  q_.at.resize(static_cast<std::size_t>(tree_.nq()) * count_);
  v_.at.resize(nv * count_);
  for (std::size_t i = 0; i < nv; ++i) coordinates_.push_back(static_cast<int>(i));
  for (std::size_t t = 0; t < count_; ++t) {
    for (std::size_t n = 1; n < nodes; ++n) {
      const int in_forest = node_.at[n * count_ + t] = trees[t][n - 1];
      const auto q = static_cast<std::size_t>(tree_.iq[n]), v = static_cast<std::size_t>(tree_.iv[n]);
      for (int k = 0; k < joints::nq_of(tree_.factor[n]); ++k) q_.at[(q + k) * count_ + t] = forest.iq[in_forest] + k;
      for (int k = 0; k < joints::nv_of(tree_.factor[n]); ++k) v_.at[(v + k) * count_ + t] = forest.iv[in_forest] + k;
    }
    std::size_t next = 0;
    for (int b = 0; b < forest.links(); ++b) {
      const int n = forest.node_of_link[b];
      if (n > 0 && std::binary_search(trees[t].begin(), trees[t].end(), n)) link_[next++ * count_ + t] = b;
    }
  }
  for (const int v : v_.at) row_.push_back(forest.row[v]);
  for (Order* const order : {&node_, &q_, &v_}) find_runs(*order);
  for (std::size_t n = 1; n < nodes; ++n) {
    if (tree_.motion[n] == Node::hinge || tree_.motion[n] == Node::helix) turning_.push_back(static_cast<int>(n));
  }
  for (std::size_t first = 0; first < count_; first += lanes) {
    Block& B = blocks_.emplace_back();
    B.first = static_cast<int>(first);
    B.count = static_cast<int>(std::min<std::size_t>(lanes, count_ - first));
    B.q_T.resize(nodes);
    B.p_T.resize(3 * nodes);
    for (WideVector<Eight>* values : {&B.pitch, &B.mass}) values->resize(nodes);
    B.com.resize(3 * nodes);
    B.J_c.resize(9 * nodes);
    B.place.resize(nodes);
    B.link.resize(links);
    for (WideVector<Eight>* values : {&B.half_angle, &B.sine, &B.cosine}) values->resize(turning_.size());
    B.moving.resize(nodes);
    B.matter.resize(nodes);
    B.bias.resize(nodes);
    B.composite.resize(nodes);
    B.arm.resize(3 * nodes);
    B.S.resize(6 * nv);
    B.M.resize(tree_.entries());
    B.L.resize(tree_.entries());
    for (WideVector<Eight>* values : {&B.armature, &B.L_inverse_diagonal, &B.x}) values->resize(nv);
    B.y.resize(std::max(nv, nodes));
    B.q.resize(static_cast<std::size_t>(tree_.nq()));
    for (int t = 0; t < lanes; ++t) {
      const std::size_t of = first + static_cast<std::size_t>(std::min(t, B.count - 1));
      Block::Place& world = B.place[0];
      world.R[0][t] = world.R[4][t] = world.R[8][t] = world.q.x[3][t] = 1;
      for (std::size_t n = 1; n < nodes; ++n) {
        const int at = node_.at[n * count_ + of];
        for (int k = 0; k < 4; ++k) B.q_T[n].x[k][t] = ws.q_T[at].coeffs()[k];
        for (std::size_t k = 0; k < 3; ++k) B.p_T[3 * n + k][t] = forest.p_T[at][k];
        for (std::size_t k = 0; k < 3; ++k) B.com[3 * n + k][t] = forest.com[at][k];
        for (std::size_t k = 0; k < 9; ++k) B.J_c[9 * n + k][t] = forest.J_c[at].data()[k];
        B.pitch[n][t] = forest.pitch[at];
        B.mass[n][t] = forest.mass[at];
      }
      for (std::size_t b = 0; b < links; ++b) {
        const int at = link_[b * count_ + of];
        for (int k = 0; k < 4; ++k) B.link[b].q_NB.x[k][t] = ws.q_NB[at].coeffs()[k];
        for (int k = 0; k < 3; ++k) B.link[b].com[k][t] = com[at][k];
      }
      for (std::size_t i = 0; i < nv; ++i) B.armature[i][t] = forest.armature[v_.at[i * count_ + of]];
    }
  }
}

void Herd::find_runs(Order& order) const {
  const std::size_t n = order.at.size() / count_;
  for (std::size_t i = 0; i < n; ++i) {
    bool follows = i > 0;
    for (std::size_t t = 0; follows && t < count_; ++t) {
      follows = order.at[i * count_ + t] == order.at[(i - 1) * count_ + t] + 1;
    }
    if (!follows) order.runs.push_back(static_cast<int>(i));
  }
  order.runs.push_back(static_cast<int>(n));
}

void Herd::gather(const double* x, const Order& order, const Block& block, WideVector<Eight>& out) const {
  gather_runs(x, order.at.data() + block.first, order.runs, count_, block, out.data());
}

void Herd::scatter(const WideVector<Eight>& x, const Order& order, const Block& block, double* out) const {
  scatter_runs(x.data(), order.at.data() + block.first, order.runs, count_, block, out);
}

void Herd::place(const double* q) {
  for (Block& B : blocks_) {
    gather(q, q_, B, B.q);
    for (std::size_t k = 0; k < turning_.size(); ++k) B.half_angle[k] = 0.5 * B.q[tree_.iq[turning_[k]]];
    const auto angles = [](WideVector<Eight>& values) { return reinterpret_cast<double*>(values.data()); };
    algebra::sine_cosine(angles(B.half_angle), lanes * static_cast<int>(turning_.size()), angles(B.sine),
                         angles(B.cosine));
    place_block(tree_, turning_, B);
  }
}

void Herd::write_poses(std::span<const int> body_of_link, std::vector<Vec3>& x, std::vector<algebra::Quat>& R) const {
  for (const Block& B : blocks_) {
    for (std::size_t b = 0; b < B.link.size(); ++b) {
      const Block::Link& link = B.link[b];
      for (int t = 0; t < B.count; ++t) {
        const auto body = static_cast<std::size_t>(body_of_link[link_[b * count_ + B.first + t]]);
        x[body] = Vec3(link.x[0][t], link.x[1][t], link.x[2][t]);
        R[body].coeffs() = Eigen::Vector4d(link.q[0][t], link.q[1][t], link.q[2][t], link.q[3][t]);
      }
    }
  }
}

void Herd::move(const double* v) {
  for (Block& B : blocks_) {
    gather(v, v_, B, B.x);
    move_block(tree_, B);
  }
}

void Herd::write_velocities(std::span<const int> body_of_link, Velocity& out) {
  for (const Block& B : blocks_) {
    for (std::size_t b = 0; b < B.link.size(); ++b) {
      const Block::Link& link = B.link[b];
      const Eight* const w = B.moving[tree_.node_of_link[b]].w.x;
      for (int t = 0; t < B.count; ++t) {
        const auto body = static_cast<std::size_t>(body_of_link[link_[b * count_ + B.first + t]]);
        out.v[body] = Vec3(link.v[0][t], link.v[1][t], link.v[2][t]);
        out.w[body] = Vec3(w[0][t], w[1][t], w[2][t]);
      }
    }
  }
}

void Herd::kinetic(double* own) {
  for (Block& B : blocks_) {
    kinetic_block(tree_, B);
    scatter(B.y, node_, B, own);
  }
}

void Herd::weights(const Vec3& gravity, double* own) {
  for (Block& B : blocks_) {
    weigh_block(tree_, gravity.data(), B);
    scatter(B.y, node_, B, own);
  }
}

void Herd::mass_matrix() {
  for (Block& B : blocks_) mass_block(tree_, B);
}

void Herd::multiply_M(const double* x, double* y) {
  for (Block& B : blocks_) {
    gather(x, v_, B, B.x);
    multiply_block(tree_, coordinates_, B);
    scatter(B.y, v_, B, y);
  }
}

void Herd::add_diagonal(double part, const double* a) {
  for (Block& B : blocks_) {
    gather(a, v_, B, B.x);
    for (const int i : coordinates_) B.M[tree_.row[i] + tree_.depth[i]] += part * B.x[i];
  }
}

int Herd::factor() {
  int last = -1;
  for (Block& B : blocks_) {
    int lost[lanes];
    std::fill(lost, lost + lanes, -1);
    factor_block(tree_, coordinates_, B, lost);
    for (int t = 0; t < B.count; ++t) {
      if (lost[t] >= 0) last = std::max(last, v_.at[static_cast<std::size_t>(lost[t]) * count_ + B.first + t]);
    }
  }
  return last;
}

void Herd::smooth_forces(const double* v, const Vec3& gravity, double* h) {
  for (Block& B : blocks_) {
    gather(v, v_, B, B.x);
    force_block(tree_, gravity, B);
    scatter(B.y, v_, B, h);
  }
}

void Herd::multiply_L(double* x) {
  for (Block& B : blocks_) {
    gather(x, v_, B, B.x);
    multiply_L_block(tree_, coordinates_, B);
    scatter(B.x, v_, B, x);
  }
}

void Herd::solve_L(double* x) {
  for (Block& B : blocks_) {
    gather(x, v_, B, B.x);
    solve_L_block(tree_, coordinates_, B);
    scatter(B.x, v_, B, x);
  }
}

void Herd::solve_Lt(double* x) {
  for (Block& B : blocks_) {
    gather(x, v_, B, B.x);
    solve_Lt_block(tree_, coordinates_, B);
    scatter(B.x, v_, B, x);
  }
}

void Herd::write_out(TreeWorkspace& ws) const {
  for (const Block& B : blocks_) {
    const auto first = static_cast<std::size_t>(B.first);
    write_block(tree_, coordinates_, {node_.at.data() + first, v_.at.data() + first, row_.data() + first, count_}, B,
                ws);
  }
}

void Herd::write_twists(TreeWorkspace& ws) const {
  for (const Block& B : blocks_) {
    for (std::size_t n = 1; n < B.moving.size(); ++n) {
      const Three &v = B.moving[n].v, &w = B.moving[n].w;
      for (int t = 0; t < B.count; ++t) {
        ws.twist[node_.at[n * count_ + B.first + t]] = {Vec3(v.x[0][t], v.x[1][t], v.x[2][t]),
                                                        Vec3(w.x[0][t], w.x[1][t], w.x[2][t])};
      }
    }
  }
}

}  // namespace vinculum::motion
