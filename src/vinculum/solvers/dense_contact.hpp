// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Problems that are linear piece by piece, written out: without friction, or in the plane, where the cone is a wedge.
// Only rows that carry impulse are kept, unit-free: the normal of every contact, the tangent where μ > 0.
#pragma once

#include "vinculum/solvers/explicit_run.hpp"

#include <Eigen/Dense>
#include <vector>

namespace vinculum::solvers {

struct DenseContact {
  struct Contact {
    long normal, tangent;  // rows of W; tangent −1 where there is none
    double mu;
  };
  Eigen::MatrixXd W;
  Eigen::VectorXd q;
  std::vector<Contact> contact;
  bool friction = false;

  /// r' of the run from the impulses on the kept rows.
  template <int Rows>
  void spread(const Eigen::VectorXd& r, std::vector<double>& out) const {
    constexpr int stride = ContactSpace<Rows>::stride;
    out.assign(stride * contact.size(), 0.0);
    for (std::size_t i = 0; i < contact.size(); ++i) {
      out[stride * i] = r[contact[i].normal];
      if (contact[i].tangent >= 0) out[stride * i + 1] = r[contact[i].tangent];
    }
  }
};

/// False, and the run refused, where there is friction in space, or more than `most` contacts.
template <int Rows>
bool write_out(ContactRun<Rows>& run, std::size_t most, DenseContact& out) {
  constexpr int stride = ContactSpace<Rows>::stride;
  const ContactSpace<Rows>& s = run.space;
  out.contact.clear();
  out.friction = false;
  long rows = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    bool rough = false;
    for (int g = 0; g < ContactSpace<Rows>::groups; ++g) rough = rough || s.mu(i, g) > 0;
    if (rough && run.problem->dimension != 2) {
      run.refuse("not made for friction in space");
      return false;
    }
    out.contact.push_back({rows, rough ? rows + 1 : -1, s.mu(i, 0)});
    out.friction = out.friction || rough;
    rows += rough ? 2 : 1;
  }
  if (s.size() > most) {
    run.refuse("too many contacts for this method");
    return false;
  }
  out.W.setZero(rows, rows);
  out.q.resize(rows);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const long a[2] = {out.contact[i].normal, out.contact[i].tangent};
    for (int k = 0; k < 2; ++k) {
      if (a[k] >= 0) out.q[a[k]] = s.q[stride * i + static_cast<std::size_t>(k)];
    }
    for (int e = s.row[i]; e < s.row[i + 1]; ++e) {
      const auto& other = out.contact[static_cast<std::size_t>(s.column[e])];
      const long b[2] = {other.normal, other.tangent};
      for (int k = 0; k < 2; ++k) {
        for (int l = 0; l < 2; ++l) {
          if (a[k] >= 0 && b[l] >= 0) out.W(a[k], b[l]) = s.W_rows(e)[stride * k + l];
        }
      }
    }
  }
  return true;
}

}  // namespace vinculum::solvers
