// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/late_profile.hpp"

#include <set>
#include <utility>

namespace echelon {
namespace {

std::uint64_t known_to(const Profile& profile) {
    std::uint64_t collectives = 0;
    const auto add = [&](const auto& list) {
        for (const auto& one : list) collectives |= std::uint64_t(1) << unsigned(one.collective);
    };
    add(profile.samples);
    add(profile.decisions);
    add(profile.rules);
    return collectives;
}

Edges edges_of(const std::vector<Rule>& rules) {
    std::map<Collective, std::set<Bytes>> all;
    for (const Rule& rule : rules) {
        if (rule.sizes.from > 0) all[rule.collective].insert(rule.sizes.from);
        if (rule.sizes.to < ByteRange().to) all[rule.collective].insert(rule.sizes.to + 1);
    }
    Edges edges;
    for (const auto& [collective, sizes] : all) edges[collective].assign(sizes.begin(), sizes.end());
    return edges;
}

}  // namespace

LateProfile::LateProfile(std::shared_ptr<const Profile> profile, std::string_view text)
    : profile_(std::move(profile)),
      text_(text),
      knows_(known_to(*profile_)),
      edges_(edges_of(profile_->rules)),
      regions_(profile_->parameters ? profile_->parameters->regions : std::vector<Inhabitants>()) {}

const std::shared_ptr<const Profile>& LateProfile::get() const {
    std::call_once(once_, [&] {
        if (profile_ == nullptr) profile_ = std::make_shared<const Profile>(Profile::parse(text_.text()));
    });
    return profile_;
}

}  // namespace echelon
