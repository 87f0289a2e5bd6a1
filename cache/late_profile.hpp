// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/call_class.hpp"
#include "cache/packed_text.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/region.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace echelon {

/// A profile that is made of its text, which is kept packed, when somebody first looks into it: most ranks never do, for rank 0 of a communicator decides.
/// Safe to use from several threads.
class LateProfile {
public:
    /// Made already. Not nullptr.
    explicit LateProfile(std::shared_ptr<const Profile> profile, std::string_view text = {});
    /// Made by another rank, which has found no error in it, and said what it knows.
    LateProfile(PackedText text, std::uint64_t knows, Edges edges, std::vector<Inhabitants> regions)
        : text_(std::move(text)), knows_(knows), edges_(std::move(edges)), regions_(std::move(regions)) {}

    const std::shared_ptr<const Profile>& get() const;
    /// Empty: it was not read from a file.
    const PackedText& text() const { return text_; }
    /// It has times, findings or rules of such calls.
    bool knows(Collective collective) const { return (knows_ >> unsigned(collective) & 1) != 0; }
    /// The same of all, a bit each.
    std::uint64_t knows() const { return knows_; }
    /// Where its rules begin and end, whatever number of ranks they are for.
    const Edges& edges() const { return edges_; }
    /// Where its hosts are, as far as it knows nodes that are far from each other.
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
