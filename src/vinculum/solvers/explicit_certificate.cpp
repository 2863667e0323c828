// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/solvers/explicit_certificate.hpp"

#include <cmath>
#include <limits>

namespace vinculum::solvers {

template <int Rows>
double least_impulse(const ContactSpace<Rows>& space, const std::vector<double>& r) {
  constexpr int stride = ContactSpace<Rows>::stride;
  const std::size_t n = space.size();
  double largest = 0, gain = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, r[stride * i]);
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  std::vector<double> z(space.numbers(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    // What did not grow does not belong to the direction.
    const double y = r[stride * i] / largest > 1e-6 ? r[stride * i] / largest : 0.0;
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

template double least_impulse<3>(const ContactSpace<3>&, const std::vector<double>&);
template double least_impulse<5>(const ContactSpace<5>&, const std::vector<double>&);

}  // namespace vinculum::solvers
