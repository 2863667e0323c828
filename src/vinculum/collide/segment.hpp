// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest points of two segments, and the contacts of two rounded segments.
#pragma once

#include "vinculum/collide/emitter.hpp"

namespace vinculum::collide {

/// Two segments in one frame; zero length is a point.
struct SegmentPair {
  Vec3 a0, a1, b0, b1;
};

struct Nearest {
  double s, t;  // a0 + s (a1 − a0), b0 + t (b1 − b0); exactly 0 or 1 at an end
  double distance;
};

Nearest nearest(const SegmentPair& pair);

/// Length along which the segments run side by side; 0 when they are not nearly parallel.
double stretch(const SegmentPair& pair);

/// The same segments as the contacts see them: each in the frame of its shape, with its rounding and the ids of its
/// vertices and of itself.
struct RoundedSegment {
  Vec3 p0, p1;  // shape frame
  double rounding = 0;
  int vertex0 = 0, vertex1 = 1, edge = 0;
};

/// Contacts of two rounded segments whose cores are apart: one, or two where they run side by side. A core distance
/// below `touching` has no direction of its own; `n_a` (frame of a, from a to b) is taken then.
void add_segments(const RoundedSegment& a, const RoundedSegment& b, const SegmentPair& pair, const Nearest& near,
                  double touching, const Vec3& n_a, Emitter& out);

}  // namespace vinculum::collide
