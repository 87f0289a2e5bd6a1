// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/packed_text.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/region.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace echelon {

/// Sizes in bytes, ascending, at which a user's rule begins or ends.
using Edges = std::map<Collective, std::vector<Bytes>>;

/// A profile that is kept as packed text and parsed at its first use. Most ranks never use it, because rank 0
/// of a communicator decides. Safe to use from several threads.
class LateProfile {
public:
    /// A profile that is parsed already. Requires: it is not null.
    explicit LateProfile(std::shared_ptr<const Profile> profile, std::string_view text = {});
    /// A profile that another rank has parsed without an error; the other arguments are results of that rank.
    LateProfile(PackedText text, std::uint64_t knows, Edges edges, std::vector<Inhabitants> regions)
        : text_(std::move(text)), knows_(knows), edges_(std::move(edges)), regions_(std::move(regions)) {}

    /// The profile; parsed at the first call.
    const std::shared_ptr<const Profile>& get() const;
    /// The text of the profile; the text is empty if it was not read from a file.
    const PackedText& text() const { return text_; }
    /// True if the profile has samples, decisions or rules for the collective.
    bool knows(Collective collective) const { return (knows_ >> unsigned(collective) & 1) != 0; }
    /// The answers for all collectives, a bit each.
    std::uint64_t knows() const { return knows_; }
    /// The sizes at which rules begin or end, for any number of ranks.
    const Edges& edges() const { return edges_; }
    /// The hosts by region; empty if the profile knows no sites, switches or torus.
    const std::vector<Inhabitants>& regions() const { return regions_; }

private:
    mutable std::once_flag once_;
    mutable std::shared_ptr<const Profile> profile_;
    const PackedText text_;
    const std::uint64_t knows_;
    const Edges edges_;
    const std::vector<Inhabitants> regions_;
};

}  // namespace echelon
