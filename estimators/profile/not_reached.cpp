// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/not_reached.hpp"

#include <map>
#include <set>
#include <tuple>

namespace echelon {

void note_not_reached(Profile& profile, const Asked& asked) {
    using Key = std::tuple<Collective, int, std::string>;
    std::set<std::tuple<Collective, int, std::string, Bytes>> measured;
    for (const Sample& one : profile.samples) measured.insert({one.collective, one.p, one.layout, one.bytes});
    std::map<Key, std::set<Bytes>> missing;
    const auto add = [&](Collective collective, int p, const std::string& layout, Bytes bytes) {
        if (!measured.contains({collective, p, layout, bytes}))
            missing[{collective, p, layout}].insert(bytes);
    };
    for (const NotReached& one : profile.not_reached)
        for (const Bytes bytes : one.sizes) add(one.collective, one.p, one.layout, bytes);
    for (const Collective collective : asked.collectives)
        for (const Bytes bytes : asked.sizes)
            if (!in_blocks(collective) || bytes >= Bytes(asked.p))  // a block has at least a byte
                add(collective, asked.p, asked.layout, bytes);
    for (const Sample& one : profile.samples)
        if (one.collective == Collective::barrier) missing.erase({one.collective, one.p, one.layout});
    profile.not_reached.clear();
    for (const auto& [key, sizes] : missing)
        profile.not_reached.push_back(
            {std::get<0>(key), std::get<1>(key), std::get<2>(key), {sizes.begin(), sizes.end()}});
}

}  // namespace echelon
