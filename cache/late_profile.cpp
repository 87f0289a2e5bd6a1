// SPDX-License-Identifier: Apache-2.0
#include "cache/late_profile.hpp"

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

}  // namespace

LateProfile::LateProfile(std::shared_ptr<const Profile> profile, std::string text)
    : profile_(std::move(profile)), text_(std::move(text)), knows_(known_to(*profile_)) {}

const std::shared_ptr<const Profile>& LateProfile::get() const {
    std::call_once(once_, [&] {
        if (profile_ == nullptr) profile_ = std::make_shared<const Profile>(Profile::parse(text_));
    });
    return profile_;
}

}  // namespace echelon
