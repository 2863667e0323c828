// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All contacts of a configuration.
#pragma once

#include "vinculum/collide/contact_set.hpp"

#include <memory>

namespace vinculum::collide {

/// Which bodies; by index.
using Marks = std::vector<std::uint8_t>;

/// Keeps its buffers: no allocation once they have grown.
class Search {
 public:
  explicit Search(const system::System& system);
  ~Search();
  /// margin[b] >= 0 for each body: a contact is reported when its gap is at most margin[body_a] + margin[body_b]
  /// (0 for the world). Pairs of which both bodies are marked in `skipped`, or one of them and the world, are left out.
  /// `room`, at least the margins: how far `look_again` can see.
  void find(const system::Configuration& q, const std::vector<double>& margin, ContactSet& out,
            const Marks* skipped = nullptr, const std::vector<double>* room = nullptr);
  /// Whether `out` holds what `find` would put there, because that was the last call, no body has moved and the margins
  /// are the same. Nobody but `sweep` may have changed it since.
  bool holds(const system::Configuration& q, const std::vector<double>& margin, const ContactSet& out,
             const Marks* skipped = nullptr, const std::vector<double>* room = nullptr) const;
  /// What bodies whose margins have grown since the last `find` meet beside `known`. q and `room` are those of that.
  void look_again(const std::vector<double>& margin, const Marks& grown, const ContactSet& known, ContactSet& late);
  /// Puts what `look_again` found among the known ones, in order.
  void join(const ContactSet& late, ContactSet& contacts);
  /// What the bodies that are marked overlap at q, to which no body came by more than its room from that of `find`.
  void look_at(const system::Configuration& q, const Marks& marked, ContactSet& out) const;
  /// Pairs of the last `find` that passed through each other on the way from q0 to q1, both within its margins of q:
  /// puts the contacts of their first touch, evaluated at q1, in place of theirs. True if there were any.
  bool sweep(const system::Configuration& q0, const system::Configuration& q1, ContactSet& contacts);

 private:
  struct Buffers;
  void bound(std::size_t begin, std::size_t end);
  void follow(int i, int j, const system::Configuration& q0, const system::Configuration& q1, double motion,
              double safe);
  void narrow(std::size_t begin, std::size_t end, ContactSet& list);
  void collide(int i, int j, ContactSet& list);
  const system::System& system_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace vinculum::collide
