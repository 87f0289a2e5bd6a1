// SPDX-License-Identifier: Apache-2.0
#include "cache/profile_file.hpp"

#include "groups/placement.hpp"

namespace echelon {

KnownProfile KnownProfile::of(std::string text) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    const std::uint64_t key = node_key(text) >> 2 | 1;
    return {key, std::move(text), std::move(profile)};
}

}  // namespace echelon
