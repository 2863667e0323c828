// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass, centre of mass and inertia of a body, given or summed over its pieces k of density ρ_k:
//   m = Σ m_k,   m_k = ρ_k V_k,   c = Σ m_k c_k / m
//   I = Σ R_k ρ_k J_k R_kᵀ + m_k (‖d_k‖² 1 − d_k d_kᵀ),   d_k = c_k − c            (Steiner)
// with V, J the volume and its moments in the axes of the piece. A given mass rescales the sum.
//
// An inertia is legal if its principal moments A ≤ B ≤ C are positive and C ≤ A + B: C counts the mass twice only in a
// plane. Of a link that hangs on joints A may be 0: a rod, or a point.
#include "vinculum/model/sections.hpp"

#include <fmt/core.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace vinculum::model {

using reader::Bound;
using reader::Table;
using reader::Value;

namespace {

// C ≤ (A + B)(1 + 1e-6): plates and rods lie on the boundary and their numbers are typed with six digits or more.
constexpr double triangle_allowance = 1e-6;
// A > 1e-14 C: what the eigenvalues of a singular matrix may show by round-off.
constexpr double singular = 1e-14;

constexpr std::string_view positive_moments = "positive ones (kg m^2)";

struct MassSum {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

MassSum sum_pieces(std::span<const Piece> pieces, bool unit_density) {
  MassSum sum;
  struct Solid {
    double mass;
    Vec3 centre;
    Mat3 inertia;
  };
  std::vector<Solid> solids;
  for (const Piece& piece : pieces) {
    const shapes::VolumeMoments moments = shapes::type_of(piece.geometry->kind).moments(*piece.geometry);
    const double density = unit_density ? 1 : piece.density.value();
    const Mat3 R = piece.X_BS.R.toRotationMatrix();
    solids.push_back(
        {density * moments.volume, piece.X_BS * moments.centroid, density * (R * moments.inertia * R.transpose())});
    sum.mass += solids.back().mass;
    sum.com += solids.back().mass * solids.back().centre;
  }
  // A single piece keeps its centroid to the last bit.
  sum.com = solids.size() == 1 ? solids.front().centre : Vec3(sum.com / sum.mass);
  for (const Solid& solid : solids) {
    const Vec3 d = solid.centre - sum.com;
    sum.inertia += solid.inertia + solid.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  sum.inertia = (0.5 * (sum.inertia + sum.inertia.transpose())).eval();
  return sum;
}

// [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]: entries of the matrix, so that Ixy = −∫ x y dm.
Mat3 read_inertia(const Value& value) {
  const std::string_view expected = "an array of 3 or 6 numbers (kg m^2)";
  const std::size_t count = value.size(expected);
  if (count != 3 && count != 6) value.fail(expected);
  const std::vector<double> x = value.numbers(count, Bound::finite, "kg m^2");
  Mat3 inertia = Vec3(x[0], x[1], x[2]).asDiagonal();
  if (count == 6) {
    inertia(0, 1) = inertia(1, 0) = x[3];
    inertia(0, 2) = inertia(2, 0) = x[4];
    inertia(1, 2) = inertia(2, 1) = x[5];
  }
  const Vec3 A = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();  // ascending
  const std::string found = fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", A[0], A[1], A[2]);
  if (!(A[0] >= -singular * std::abs(A[2]))) value.fail(found, positive_moments);
  if (!(A[2] <= (A[0] + A[1]) * (1 + triangle_allowance))) {
    value.fail(found, "none larger than the sum of the other two (kg m^2)");
  }
  return inertia;
}

/// How many of the pieces have a density.
enum class Densities { none, some, all };

Densities count_densities(std::span<const Piece> pieces) {
  const auto known =
      std::count_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.density.has_value(); });
  if (known == 0) return Densities::none;
  return known == std::ssize(pieces) ? Densities::all : Densities::some;
}

[[noreturn]] void fail_density(const Table& table, std::span<const Piece> pieces) {
  const auto without = std::find_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return !piece.density; });
  table.fail_missing("mass", fmt::format("mass (kg), or a density (kg/m^3) for {}", without->path));
}

bool is_singular(const Mat3& inertia) {
  const Vec3 A = Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  return !(A[0] > singular * A[2]) || !(A[2] > 0);
}

// Underflow and overflow of sums over extreme shapes.
void check_sum(const Table& table, const Body& body) {
  if (!(body.mass > 0) || !std::isfinite(body.mass)) {
    table.self().fail(fmt::format("shapes of mass {}", body.mass), "a positive finite mass (kg)");
  }
  const bool good = body.com.allFinite() && body.inertia.allFinite() && body.inertia.llt().info() == Eigen::Success;
  if (!body.particle && !good) {
    table.self().fail("shapes of such size and place that the inertia is not a positive definite matrix",
                      "shapes of a body's size");
  }
}

}  // namespace

std::optional<Value> read_mass(Table& table, std::span<const Piece> pieces, Body& body) {
  const std::optional<double> mass = table.number("mass", Bound::positive, "kg");
  if (mass && table.has("density")) table.find("density")->fail("mass as well", "one of mass and density");
  if (!mass && pieces.empty()) table.fail_missing("mass", "mass (kg), or density (kg/m^3) with a shape");
  const Densities densities = count_densities(pieces);
  if (!mass && densities != Densities::all) fail_density(table, pieces);
  MassSum sum;
  if (!pieces.empty()) {
    if (densities == Densities::some) fail_density(table, pieces);
    sum = sum_pieces(pieces, densities == Densities::none);
  }
  body.mass = mass.value_or(sum.mass);
  if (body.particle) {
    check_sum(table, body);
    return std::nullopt;
  }

  body.com = table.vector("com", "m").value_or(sum.com);
  if (const std::optional<Value> inertia = table.find("inertia")) {
    body.inertia = read_inertia(*inertia);
    if (is_singular(body.inertia)) return inertia;
  } else {
    if (pieces.empty()) {
      table.fail_missing("inertia", "moments of inertia (kg m^2), a shape to compute them from, or particle = true");
    }
    body.inertia = sum.inertia * (body.mass / sum.mass);
  }
  check_sum(table, body);
  return std::nullopt;
}

void fail_singular(const Value& inertia, const Body& body) {
  const Vec3 A = Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  inertia.fail(fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", A[0], A[1], A[2]), positive_moments);
}

}  // namespace vinculum::model
