// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Elimination of v and l. M⁻¹ is applied component by component: M is block diagonal over bodies as a rule, so that the
// graph of M falls into small parts, each with its own dense factor; a large part gets a sparse one. With the columns
// B = [H G] a part c with rows c adds B_cᵀ M_c⁻¹ B_c to the contact-space matrix of contacts and bonds together.
#include "vinculum/base/error.hpp"
#include "vinculum/contact/friction_problem.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace vinculum::contact {
namespace {

using Dense = Eigen::MatrixXd;
constexpr int kDensePart = 100;  // rows up to which a part of M is factored densely

/// M⁻¹ by parts.
class MassInverse {
 public:
  MassInverse(const Sparse& M, const std::string& name) : n_(static_cast<int>(M.rows())) {
    find_parts(M);
    for (Part& part : parts_) {
      factor(M, part, name);
    }
  }

  struct Part {
    std::vector<int> rows;
    Eigen::PartialPivLU<Dense> dense;
    std::unique_ptr<Eigen::SparseLU<Eigen::SparseMatrix<double>>> sparse;

    Dense solve(const Dense& b) const { return sparse ? Dense(sparse->solve(b)) : Dense(dense.solve(b)); }
  };
  const std::vector<Part>& parts() const { return parts_; }
  int part_of(int row) const { return part_[static_cast<std::size_t>(row)]; }
  int place_of(int row) const { return place_[static_cast<std::size_t>(row)]; }

  Vector solve(const Vector& b) const {
    Vector x(n_);
    for (const Part& part : parts_) {
      Dense rhs(static_cast<long>(part.rows.size()), 1);
      for (std::size_t k = 0; k < part.rows.size(); ++k) rhs(static_cast<long>(k), 0) = b[part.rows[k]];
      const Dense y = part.solve(rhs);
      for (std::size_t k = 0; k < part.rows.size(); ++k) x[part.rows[k]] = y(static_cast<long>(k), 0);
    }
    return x;
  }

 private:
  int root(int i) {
    while (part_[i] != i) i = part_[i] = part_[part_[i]];
    return i;
  }

  void find_parts(const Sparse& M) {
    part_.resize(static_cast<std::size_t>(n_));
    place_.resize(static_cast<std::size_t>(n_));
    for (int i = 0; i < n_; ++i) part_[i] = i;
    for (int i = 0; i < n_; ++i) {
      for (Sparse::InnerIterator it(M, i); it; ++it) {
        const int a = root(i), b = root(static_cast<int>(it.col()));
        part_[std::max(a, b)] = std::min(a, b);
      }
    }
    std::vector<int> index(static_cast<std::size_t>(n_), -1);
    for (int i = 0; i < n_; ++i) {
      const int top = root(i);
      if (index[top] < 0) {
        index[top] = static_cast<int>(parts_.size());
        parts_.emplace_back();
      }
      place_[i] = static_cast<int>(parts_[index[top]].rows.size());
      parts_[index[top]].rows.push_back(i);
    }
    for (int i = 0; i < n_; ++i) root(i);
    for (int& p : part_) p = index[p];
  }

  void factor(const Sparse& M, Part& part, const std::string& name) {
    const int size = static_cast<int>(part.rows.size());
    bool regular = true;
    if (size <= kDensePart) {
      Dense A = Dense::Zero(size, size);
      for (int k = 0; k < size; ++k) {
        for (Sparse::InnerIterator it(M, part.rows[k]); it; ++it) A(k, place_[it.col()]) += it.value();
      }
      part.dense.compute(A);
      const auto pivots = part.dense.matrixLU().diagonal().cwiseAbs();
      regular = pivots.minCoeff() > 0 && pivots.allFinite();
    } else {
      std::vector<Eigen::Triplet<double>> entries;
      for (int k = 0; k < size; ++k) {
        for (Sparse::InnerIterator it(M, part.rows[k]); it; ++it) entries.emplace_back(k, place_[it.col()], it.value());
      }
      Eigen::SparseMatrix<double> A(size, size);
      A.setFromTriplets(entries.begin(), entries.end());
      part.sparse = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
      part.sparse->compute(A);
      regular = part.sparse->info() == Eigen::Success;
    }
    if (!regular) throw base::InputError({name, 0, 0}, "M", "a singular matrix", "a mass matrix with an inverse");
  }

  int n_;
  std::vector<int> part_, place_;
  std::vector<Part> parts_;
};

/// B_cᵀ M_c⁻¹ B_c of all parts as one sparse matrix, B = [H G].
Sparse delassus(const MassInverse& inverse, const Sparse& B) {
  const Eigen::SparseMatrix<double> columns = B;  // by columns
  std::vector<std::vector<int>> touching(inverse.parts().size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < columns.cols(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(columns, j); it; ++it) {
      auto& list = touching[inverse.part_of(static_cast<int>(it.row()))];
      if (list.empty() || list.back() != j) list.push_back(j);
    }
  }
  for (std::size_t p = 0; p < touching.size(); ++p) {
    const MassInverse::Part& part = inverse.parts()[p];
    const long k = static_cast<long>(touching[p].size());
    if (k == 0) continue;
    Dense B_c = Dense::Zero(static_cast<long>(part.rows.size()), k);
    for (long j = 0; j < k; ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(columns, touching[p][j]); it; ++it) {
        const int row = static_cast<int>(it.row());
        if (inverse.part_of(row) == static_cast<int>(p)) B_c(inverse.place_of(row), j) = it.value();
      }
    }
    const Dense W_c = B_c.transpose() * part.solve(B_c);
    for (long i = 0; i < k; ++i) {
      for (long j = 0; j < k; ++j) {
        if (W_c(i, j) != 0) entries.emplace_back(touching[p][i], touching[p][j], W_c(i, j));
      }
    }
  }
  Sparse W(B.cols(), B.cols());
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

Sparse beside(const Sparse& A, const Sparse& B) {
  Sparse out(A.rows(), A.cols() + B.cols());
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [matrix, shift] : {std::pair{&A, 0L}, {&B, static_cast<long>(A.cols())}}) {
    for (int i = 0; i < matrix->outerSize(); ++i) {
      for (Sparse::InnerIterator it(*matrix, i); it; ++it) entries.emplace_back(i, it.col() + shift, it.value());
    }
  }
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

/// Contacts and bonds together: [u; 0] = A [r; l] + a, A with the contact rows first.
struct Joined {
  Sparse A;
  Vector a;
};

Joined join(const FrictionProblem& p, const std::string& name) {
  if (p.form == FrictionProblem::Form::global) {
    const MassInverse inverse(p.M, name);
    const Sparse B = p.G.cols() > 0 ? beside(p.H, p.G) : p.H;
    Joined out{delassus(inverse, B), B.transpose() * inverse.solve(p.f)};
    out.a.head(p.w.size()) += p.w;
    if (p.G.cols() > 0) out.a.tail(p.b.size()) += p.b;
    return out;
  }
  if (p.V.cols() == 0) return {p.W, p.q};
  const Sparse top = beside(p.W, p.V), bottom = beside(Sparse(p.V.transpose()), p.R);
  Joined out{Sparse(top.rows() + bottom.rows(), top.cols()), Vector(p.q.size() + p.s.size())};
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [matrix, shift] : {std::pair{&top, 0L}, {&bottom, static_cast<long>(top.rows())}}) {
    for (int i = 0; i < matrix->outerSize(); ++i) {
      for (Sparse::InnerIterator it(*matrix, i); it; ++it) entries.emplace_back(i + shift, it.col(), it.value());
    }
  }
  out.A.setFromTriplets(entries.begin(), entries.end());
  out.a << p.q, p.s;
  return out;
}

/// l = L r + l_0 solves the rows of the bonds (least squares and least norm where they are redundant).
struct Bonds {
  Dense L;
  Vector l_0;
};

Bonds eliminate(const Joined& joined, long contact_rows) {
  const long m = joined.A.rows() - contact_rows;
  if (m == 0) return {Dense(0, contact_rows), Vector(0)};
  const Dense bottom = Dense(joined.A.bottomRows(m));
  const Eigen::CompleteOrthogonalDecomposition<Dense> R(bottom.rightCols(m));
  return {-R.solve(Dense(bottom.leftCols(contact_rows))), -R.solve(Vector(joined.a.tail(m)))};
}

ExplicitProblem to_blocks(const FrictionProblem& given, const Sparse& W, const Vector& q) {
  ExplicitProblem out;
  const int d = out.dimension = given.dimension;
  const int n = static_cast<int>(given.contacts());
  out.q.assign(q.data(), q.data() + q.size());
  out.mu.assign(given.mu.data(), given.mu.data() + given.mu.size());
  out.mu_r.assign(given.mu_r.data(), given.mu_r.data() + given.mu_r.size());
  out.row.push_back(0);
  std::vector<int> slot(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < n; ++i) {
    std::vector<int> columns = {i};
    slot[i] = i;
    for (int k = 0; k < d; ++k) {
      for (Sparse::InnerIterator it(W, i * d + k); it; ++it) {
        const int j = static_cast<int>(it.col()) / d;
        if (it.value() == 0 || slot[j] == i) continue;
        slot[j] = i;
        columns.push_back(j);
      }
    }
    std::sort(columns.begin(), columns.end());
    const int begin = out.row.back();
    out.column.insert(out.column.end(), columns.begin(), columns.end());
    out.row.push_back(static_cast<int>(out.column.size()));
    out.value.resize(out.column.size() * static_cast<std::size_t>(d * d), 0.0);
    for (int k = 0; k < d; ++k) {
      for (Sparse::InnerIterator it(W, i * d + k); it; ++it) {
        if (it.value() == 0) continue;
        const int j = static_cast<int>(it.col()) / d;
        const auto at = std::lower_bound(columns.begin(), columns.end(), j) - columns.begin();
        out.block(begin + static_cast<int>(at))[k * d + it.col() % d] += it.value();
      }
    }
    for (int j : columns) slot[j] = -1;
  }
  return out;
}

double relative(const Vector& residual, std::initializer_list<double> sizes) {
  const double size = std::max(sizes);
  return size > 0 ? residual.norm() / size : residual.norm();
}

}  // namespace

ExplicitProblem condense(const FrictionProblem& problem, const std::string& name) {
  if (problem.form == FrictionProblem::Form::local && !problem.has_bonds())
    return to_blocks(problem, problem.W, problem.q);
  const Joined joined = join(problem, name);
  const long rows = static_cast<long>(problem.contacts()) * problem.dimension;
  if (!problem.has_bonds()) return to_blocks(problem, joined.A, joined.a);
  if (rows == 0) return to_blocks(problem, Sparse(0, 0), Vector());
  const Bonds bonds = eliminate(joined, rows);
  const Dense V = Dense(joined.A.topRows(rows)).rightCols(bonds.L.rows());
  Dense W = Dense(joined.A.topRows(rows)).leftCols(rows) + V * bonds.L;
  // Cancellation leaves ε |V| |L| where nothing couples: it is no coupling.
  const double noise = 1e-15 * (V.cwiseAbs() * bonds.L.cwiseAbs()).maxCoeff();
  W = (W.cwiseAbs().array() > noise).select(W, 0.0);
  return to_blocks(problem, W.sparseView(), joined.a.head(rows) + V * bonds.l_0);
}

Recovered recover(const FrictionProblem& p, const std::vector<double>& r, const std::string& name) {
  Recovered out;
  Candidate& c = out.candidate;
  c.r = Eigen::Map<const Vector>(r.data(), static_cast<long>(r.size()));
  c.l.resize(0);
  if (p.has_bonds()) {
    const Bonds bonds = eliminate(join(p, name), c.r.size());
    c.l = bonds.L * c.r + bonds.l_0;
  }
  if (p.form == FrictionProblem::Form::local) {
    c.u = p.W * c.r + p.q;
    if (!p.has_bonds()) return out;
    c.u += p.V * c.l;
    const Vector push = p.V.transpose() * c.r, pull = p.R * c.l;
    out.bonds = relative(push + pull + p.s, {push.norm(), pull.norm(), p.s.norm()});
    return out;
  }
  Vector load = p.H * c.r;
  if (p.has_bonds()) load += p.G * c.l;
  c.v = MassInverse(p.M, name).solve(load + p.f);
  c.u = p.H.transpose() * c.v + p.w;
  const Vector inertia = p.M * c.v;
  out.balance = relative(inertia - load - p.f, {inertia.norm(), load.norm(), p.f.norm()});
  if (p.has_bonds()) {
    const Vector rate = p.G.transpose() * c.v;
    out.bonds = relative(rate + p.b, {rate.norm(), p.b.norm(), c.v.norm()});
  }
  return out;
}

bool uses_row(const ContactProblem& problem, std::size_t i, int k) {
  bool used = problem.c[i][k] != 0;
  for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) used = used || !problem.J[e].row(k).isZero(0);
  return used;
}

FrictionProblem make_local(const ContactProblem& problem) {
  std::vector<std::size_t> contacts, bond_rows;  // bond_rows: 3 block + row
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (problem.law[i] != laws::Kind::bilateral) {
      contacts.push_back(i);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      if (uses_row(problem, i, k)) bond_rows.push_back(3 * i + static_cast<std::size_t>(k));
    }
  }
  const long n = 3 * static_cast<long>(contacts.size()), m = static_cast<long>(bond_rows.size());
  FrictionProblem out;
  out.q.resize(n);
  out.s.resize(m);
  out.mu.resize(static_cast<long>(contacts.size()));
  std::vector<Eigen::Triplet<double>> entries;  // rows of J in the new order: contacts, then bonds
  auto add = [&](std::size_t i, int k, long row) {
    for (int e = problem.row[i]; e < problem.row[i + 1]; ++e) {
      for (int a = 0; a < 6; ++a) {
        if (problem.J[e](k, a) != 0) entries.emplace_back(row, 6 * problem.node[e] + a, problem.J[e](k, a));
      }
    }
    (row < n ? out.q[row] : out.s[row - n]) = problem.c[i][k];
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const std::size_t i = contacts[k];
    const bool rubs = problem.law[i] == laws::Kind::coulomb;
    for (int a = 0; a < 3; ++a) {
      const long row = 3 * static_cast<long>(k) + a;
      if (a == 0 || rubs)
        add(i, a, row);
      else
        out.q[row] = 0;
    }
    out.mu[static_cast<long>(k)] = rubs ? problem.mu[i] : 0.0;
  }
  for (long k = 0; k < m; ++k) add(bond_rows[k] / 3, static_cast<int>(bond_rows[k] % 3), n + k);
  Sparse J(n + m, 6 * static_cast<long>(problem.nodes));
  J.setFromTriplets(entries.begin(), entries.end());
  const Sparse contact_rows = J.topRows(n), bond = J.bottomRows(m);
  out.W = contact_rows * Sparse(contact_rows.transpose());
  out.V = contact_rows * Sparse(bond.transpose());
  out.R = bond * Sparse(bond.transpose());
  return out;
}

}  // namespace vinculum::contact
