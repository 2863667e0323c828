// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The direction that best separates a cylinder and a core, and their nearest points when they are apart.
#pragma once

#include "vinculum/collide/core.hpp"
#include "vinculum/collide/cylinder.hpp"

#include <limits>

namespace vinculum::collide {

/// Cylinder a in its own frame against a core placed in that frame.
class CylinderAxis {
 public:
  enum class From : std::uint8_t { face, cap, side, arc };
  struct Best {
    From from = From::face;
    int i = 0;     // face or edge
    double t = 0;  // place on the edge
    double separation = -std::numeric_limits<double>::max();
    Vec3 n;  // unit, from the cylinder to the core
  };
  struct OnEdge {
    int edge = -1;
    double t = 0, distance = 0;
    Cylinder::Foot foot;
  };

  static constexpr double preference = 1e-10;  // times the size: what a later direction must be better by
  static constexpr double touching = 1e-8;     // times the size: below it nearest points give no direction

  CylinderAxis(const Cylinder& cylinder, const Core& core)
      : cylinder_(cylinder),
        core_(core),
        size_(cylinder.r + cylinder.l + core.size),
        edges_(std::max<std::size_t>(1, core.edge_count())) {}

  /// False as soon as a direction separates the cores by more than `limit`.
  bool find(double limit);

  /// Where the face or cap found has nothing over it: all edges. True if the best direction is one of theirs.
  bool find_deep();

  const Best& best() const { return best_; }
  const OnEdge& near() const { return near_; }
  bool apart() const { return apart_; }
  double size() const { return size_; }

  /// Vertices of an edge; a point is an edge of no length.
  std::array<int, 2> ends(std::size_t edge) const {
    return core_.edge_count() > 0 ? core_.solid->edges[edge] : std::array<int, 2>{0, 0};
  }
  Vec3 on_edge(std::size_t edge, double t) const {
    const auto [i, j] = ends(edge);
    return core_.vertices[i] + t * (core_.vertices[j] - core_.vertices[i]);
  }
  /// Face of the core whose normal is nearest to n; −1 without faces.
  int facing(const Vec3& n) const;

 private:
  void offer(const Best& candidate) {
    if (candidate.separation > best_.separation + preference * size_) best_ = candidate;
  }
  void scan_faces();
  void scan_caps();
  void scan_side();
  void scan_arcs();
  void scan_arc(std::size_t edge);
  void find_nearest();
  double beyond(std::size_t edge) const;
  double along_axis(std::size_t edge) const {
    return std::abs((on_edge(edge, 1) - on_edge(edge, 0)).stableNormalized().z());
  }
  OnEdge nearest_on_edge(std::size_t edge) const;

  const Cylinder& cylinder_;
  const Core& core_;
  double size_;
  std::size_t edges_;
  Best best_;
  OnEdge near_;
  bool apart_ = false;
};

}  // namespace vinculum::collide
