// SPDX-FileCopyrightText: the vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/names.hpp"

#include "vinculum/base/nearest.hpp"

#include <fmt/core.h>
#include <algorithm>

namespace vinculum::model {

using reader::quote;
using reader::Value;

void Names::add(const std::string& name, int index, const Value& where) {
  insert(name, {index, 0, where.node().line}, where);
}

void Names::add_copied(const std::string& name, int count, const Value& where) {
  insert(name, {0, count, where.node().line}, where);
}

void Names::insert(const std::string& name, Entry entry, const Value& where) {
  if (name == "world") where.fail(quote(name), fmt::format("another name for a {}; \"world\" is reserved", kind_));
  const auto [it, inserted] = entries_.emplace(name, entry);
  if (!inserted) {
    where.fail(fmt::format("{} a second time", quote(name)),
               fmt::format("a name that no other {} has (line {})", kind_, it->second.line));
  }
}

int Names::find(const Value& reference) const {
  const std::string name = reference.string();
  const auto it = entries_.find(name);
  if (it != entries_.end() && it->second.copies == 0) return it->second.index;
  if (it != entries_.end()) {
    const int last = it->second.copies - 1;
    reference.fail(quote(name), last == 0 ? fmt::format("its only copy, {}", quote(name + "[0]"))
                                          : fmt::format("one of its copies, {} to {}", quote(name + "[0]"),
                                                        quote(fmt::format("{}[{}]", name, last))));
  }
  std::vector<std::string_view> candidates;
  for (const auto& [candidate, entry] : entries_) candidates.push_back(candidate);
  std::sort(candidates.begin(), candidates.end());  // so that the guess does not depend on the order of a hash table
  const std::string guess = base::nearest(name, candidates);
  reference.fail(guess.empty() ? fmt::format("the name of a {}", kind_)
                               : fmt::format("the name of a {}; did you mean {}?", kind_, quote(guess)));
}

}  // namespace vinculum::model
