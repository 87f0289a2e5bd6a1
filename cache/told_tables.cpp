// SPDX-License-Identifier: Apache-2.0
#include "cache/told_tables.hpp"

#include "mpi/clock.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// The one of which `is_it` is true, moved to the front, and true; else a new one there, and false.
template <class Kept, class IsIt>
std::pair<Kept&, bool> first(std::deque<Kept>& kept, IsIt is_it) {
    constexpr std::size_t most = 8;
    const auto known = std::ranges::find_if(kept, is_it);
    const bool is_known = known != kept.end();
    if (is_known) {
        std::rotate(kept.begin(), known, known + 1);
    } else {
        if (kept.size() == most) kept.pop_back();
        kept.emplace_front();
    }
    return {kept.front(), is_known};
}

}  // namespace

std::string ToldTables::written(const std::shared_ptr<const Decider>& decider,
                                const std::function<std::string()>& write) {
    const std::scoped_lock lock(mutex_);
    constexpr double share = 0.01;
    const auto [kept, is_known] = first(written_, [&](const Written& one) { return one.by == decider; });
    const Seconds began = now();
    if (!is_known || kept.took <= share * (began - kept.when)) {
        std::string text = write();
        kept = {decider, std::move(text), now() - began, now()};
    }
    return kept.text;
}

std::shared_ptr<const ToldTable> ToldTables::read(const std::string& text,
                                                  const std::function<ToldTable(const std::string&)>& read) {
    const std::scoped_lock lock(mutex_);
    const auto [kept, is_known] = first(read_, [&](const Read& one) { return one.text == text; });
    if (!is_known) kept = {text, std::make_shared<const ToldTable>(read(text))};
    return kept.table;
}

}  // namespace echelon
