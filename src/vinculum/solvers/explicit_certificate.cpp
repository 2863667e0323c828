// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_certificate.hpp"

#include <cmath>
#include <limits>

namespace vinculum::solvers {

template <int Rows>
void witness_along(const std::vector<double>& r, std::vector<double>& y) {
  constexpr int stride = ContactSpace<Rows>::stride;
  y.assign(r.size(), 0.0);
  double largest = 0;
  for (std::size_t k = 0; k < r.size(); k += stride) largest = std::max(largest, r[k]);
  if (!(largest > 0) || !std::isfinite(largest)) return;
  // What did not grow does not belong to the direction.
  for (std::size_t k = 0; k < r.size(); k += stride) y[k] = r[k] / largest > 1e-6 ? r[k] / largest : 0.0;
}

template <int Rows>
double least_impulse(const ContactSpace<Rows>& space, const std::vector<double>& r) {
  constexpr int stride = ContactSpace<Rows>::stride;
  const std::size_t n = space.size();
  double gain = 0;
  std::vector<double> direction, z(space.numbers(), 0.0);
  witness_along<Rows>(r, direction);
  for (std::size_t i = 0; i < n; ++i) {
    const double y = direction[stride * i];
    if (y == 0) continue;
    gain -= y * space.q[stride * i];
    for (int e = space.row[i]; e < space.row[i + 1]; ++e) {
      const double* normal = space.W_rows(e);  // first row of W_ij
      double* to = z.data() + stride * space.column[e];
      for (int k = 0; k < Rows; ++k) to[k] += y * normal[k];
    }
  }
  if (!(gain > 0)) return 0;
  double slack = std::numeric_limits<double>::epsilon();  // W is known to rounding only
  for (std::size_t j = 0; j < n; ++j) {
    const double* at = z.data() + stride * j;
    double sum = at[0];
    for (int g = 0; g < ContactSpace<Rows>::groups; ++g)
      sum += space.mu(j, g) * std::hypot(at[1 + 2 * g], at[2 + 2 * g]);
    slack = std::max(slack, sum);
  }
  return gain / slack;
}

template void witness_along<3>(const std::vector<double>&, std::vector<double>&);
template void witness_along<5>(const std::vector<double>&, std::vector<double>&);
template double least_impulse<3>(const ContactSpace<3>&, const std::vector<double>&);
template double least_impulse<5>(const ContactSpace<5>&, const std::vector<double>&);

}  // namespace vinculum::solvers
