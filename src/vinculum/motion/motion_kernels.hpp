// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One node in the sweeps of positions, velocities and forces (equations in tree.hpp), for one tree or for eight equal
// ones side by side (lanes.hpp). Coordinates are read and forces written from x, u and τ of the node on.
#pragma once

#include "vinculum/motion/lanes.hpp"
#include "vinculum/parts/tree.hpp"

namespace vinculum::motion::kernels {

using parts::Tree;

/// Where a node is: by columns, R; its origin; from that of its parent; R again.
template <class K>
struct Spot {
  typename K::T *R, *p, *r;
  typename K::TurnMemory* q;
};

/// A node from its parent; s, c: sine and cosine of half its angle, where it turns about its axis.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void place(Tree::Node kind, const T* p_T, const typename K::TurnMemory& T_n,
                                         const T& pitch, const T* x, const T& s, const T& c, const Spot<K>& parent,
                                         const Spot<K>& own) {
  using Node = Tree::Node;
  const typename K::Q q_T = T_n.value(), q_parent = parent.q->value();
  typename K::Q part, whole;
  T r[3], way[3];
  lanes::multiply(parent.R, p_T, r);
  switch (kind) {
    case Node::hinge:
    case Node::helix:
      lanes::turn_hinge(q_T, s, c, part);
      break;
    case Node::slide:
      part = q_T;
      break;
    case Node::ball:
    case Node::free: {
      const bool free = kind == Node::free;
      if (free) {
        lanes::multiply_turns(q_parent, q_T, whole);
        lanes::turn(whole, x, way);
        for (int k = 0; k < 3; ++k) r[k] += way[k];
      }
      typename K::Q unit;
      lanes::unit_at(free ? x + 3 : x, unit);
      lanes::multiply_turns(q_T, unit, part);
      break;
    }
  }
  lanes::multiply_turns(q_parent, part, whole);
  own.q->value() = whole;
  if (kind == Node::slide || kind == Node::helix) {
    const T z[3] = {T{}, T{}, 1.0 + T{}}, along = kind == Node::slide ? x[0] : pitch * x[0];
    lanes::turn(whole, z, way);
    for (int k = 0; k < 3; ++k) r[k] += along * way[k];
  }
  lanes::write_matrix(whole, own.R);
  for (int k = 0; k < 3; ++k) own.r[k] = r[k], own.p[k] = parent.p[k] + r[k];
}

/// A twist.
template <class K>
struct Moving {
  typename K::Memory v, w;
};

/// Twist of a node from that of its parent.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void move(Tree::Node kind, const T& pitch, const T* R, const T* r, const T* u,
                                        const Moving<K>& parent, Moving<K>& own) {
  using Node = Tree::Node;
  typename K::V v, w = parent.w.value(), part, along;
  lanes::cross(w, r, v);
  lanes::add(parent.v.value(), v);
  switch (kind) {
    case Node::hinge:
    case Node::slide:
    case Node::helix:
      lanes::scale(u[0], R + 6, part);
      if (kind != Node::slide) lanes::add(part, w);
      if (kind == Node::slide) lanes::add(part, v);
      if (kind == Node::helix) lanes::scale(pitch, part, along), lanes::add(along, v);
      break;
    case Node::ball:
    case Node::free:
      lanes::multiply(R, kind == Node::free ? u + 3 : u, part);
      lanes::add(part, w);
      if (kind == Node::free) lanes::multiply(R, u, part), lanes::add(part, v);
      break;
  }
  own.v.value() = v;
  own.w.value() = w;
}

/// World axes: arm to the centre of mass, inertia about it by columns; axis of the node, its r.
template <class K>
struct Matter {
  typename K::Memory c, J[3], z, r;
};
/// Forces of the motion at hand.
template <class K>
struct Bias {
  typename K::Memory w, a, alpha, f, m;
};

/// Outward: accelerations that come from velocities alone, and the force that the node's matter takes of them.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void accelerate(Tree::Node kind, const T& pitch, bool heavy, const T& mass,
                                              const Matter<K>& matter, const T* R, const T* u, const Bias<K>& parent,
                                              Bias<K>& own) {
  using Node = Tree::Node;
  using V = typename K::V;
  using namespace lanes;
  const V w_p = parent.w.value(), r = matter.r.value();
  V w = w_p, a = parent.a.value(), alpha = parent.alpha.value(), s, t;
  cross(alpha, r, s);
  add(s, a);
  cross(w_p, r, s);
  cross(w_p, s, t);
  add(t, a);
  if (kind == Node::hinge) {
    V turn;
    scale(u[0], matter.z.value(), turn);
    cross(w_p, turn, s);
    add(turn, w);
    add(s, alpha);
  } else {
    V turn{}, slide{};
    if (kind == Node::helix) scale(u[0], matter.z.value(), turn), scale(pitch * u[0], matter.z.value(), slide);
    if (kind == Node::slide) scale(u[0], matter.z.value(), slide);
    if (kind == Node::ball) multiply(R, u, turn);
    if (kind == Node::free) multiply(R, u + 3, turn), multiply(R, u, slide);
    add(turn, w);
    cross(w_p, turn, s);
    add(s, alpha);
    // A helix moves along its own axis, about which it turns.
    V both = w_p;
    add(kind == Node::helix ? w_p : w, both);
    cross(both, slide, s);
    add(s, a);
  }
  own.w.value() = w;
  own.a.value() = a;
  own.alpha.value() = alpha;
  if (!heavy) {
    own.f.value() = V{};
    own.m.value() = V{};
    return;
  }
  const V c = matter.c.value();
  V f, m;
  cross(alpha, c, f);
  cross(w, c, s);
  cross(w, s, t);
  add(a, f);
  add(t, f);
  s = f;
  scale(mass, s, f);
  multiply(matter.J[0].value(), matter.J[1].value(), matter.J[2].value(), alpha, m);
  multiply(matter.J[0].value(), matter.J[1].value(), matter.J[2].value(), w, s);
  cross(w, s, t);
  add(t, m);
  cross(c, f, t);
  add(t, m);
  own.f.value() = f;
  own.m.value() = m;
}

/// Inward: Sᵀ F into τ, F to the parent, where there is one.
template <class K, class T = typename K::T>
[[gnu::always_inline]] inline void collect(Tree::Node kind, const T& pitch, const Matter<K>& matter, const T* R,
                                           const Bias<K>& own, Bias<K>* parent, T* tau) {
  using Node = Tree::Node;
  using V = typename K::V;
  using namespace lanes;
  const V f = own.f.value(), m = own.m.value();
  V s, z;
  switch (kind) {
    case Node::hinge:
      dot(matter.z.value(), m, tau[0]);
      break;
    case Node::slide:
      dot(matter.z.value(), f, tau[0]);
      break;
    case Node::helix:
      scale(pitch, f, s);
      add(m, s);
      dot(matter.z.value(), s, tau[0]);
      break;
    case Node::ball:
      for (int k = 0; k < 3; ++k) load(R + 3 * k, z), dot(z, m, tau[k]);
      break;
    case Node::free:
      for (int k = 0; k < 3; ++k) load(R + 3 * k, z), dot(z, f, tau[k]), dot(z, m, tau[3 + k]);
      break;
  }
  if (!parent) return;
  cross(matter.r.value(), f, s);
  z = m;
  add(s, z);
  add(f, parent->f.value());
  add(z, parent->m.value());
}

/// Twice the kinetic energy of a node: m |v_c|² + w·J w. J: about the centre of mass, node axes.
template <class T>
[[gnu::always_inline]] inline void twice_kinetic(const T& mass, const T* com, const T* J, const T* R, const T* u,
                                                 const T* w, T& out) {
  T c[3], w_N[3], v[3], Jw[3];
  lanes::multiply(R, com, c);
  for (int k = 0; k < 3; ++k) w_N[k] = (R[3 * k] * w[0] + R[3 * k + 1] * w[1]) + R[3 * k + 2] * w[2];
  lanes::cross(w, c, v);
  for (int k = 0; k < 3; ++k) v[k] = u[k] + v[k];
  lanes::multiply(J, w_N, Jw);
  T spin = T{};
  for (int k = 0; k < 3; ++k) spin += w_N[k] * Jw[k];
  out = mass * ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) + spin;
}

/// m g·c.
template <class T>
[[gnu::always_inline]] inline void weight(const T& mass, const T* com, const T* R, const T* p, const double* gravity,
                                          T& out) {
  T c[3];
  lanes::multiply(R, com, c);
  for (int k = 0; k < 3; ++k) c[k] = p[k] + c[k];
  out = mass * ((gravity[0] * c[0] + gravity[1] * c[1]) + gravity[2] * c[2]);
}

}  // namespace vinculum::motion::kernels
