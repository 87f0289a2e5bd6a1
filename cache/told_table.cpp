// SPDX-License-Identifier: Apache-2.0
#include "cache/told_table.hpp"

#include <bit>

namespace echelon {

const ToldChoice* ToldTable::find(const CallClass& calls) const {
    auto near = rows_.upper_bound(calls);
    if (near == rows_.begin()) return nullptr;
    const CallClass& of = (--near)->first;
    if (of.collective != calls.collective || of.in_order != calls.in_order || of.exact != calls.exact ||
        calls.size / 2 >= of.size)
        return nullptr;
    return &near->second.told;
}

bool ToldTable::is_without_answer(const PlanKey& key) const {
    const auto found = without_answer_.find(key.collective);
    const auto width = std::bit_width(key.count * key.element_size);
    return found != without_answer_.end() && width < 64 && (found->second >> width & 1) != 0;
}

}  // namespace echelon
