// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/samples.hpp"

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

namespace echelon {

/// The recipes of one series: the fastest at each size that was measured.
class Series {
public:
    struct Fastest {
        const Sample* sample;
        /// How many of the series were measured at that size.
        int segments = 1;
        /// Of what the model says of the whole, and by its phases; seconds where it says nothing. 0: not asked for
        /// yet.
        double share_of_whole = 0, share_of_sum = 0;
    };
    void add(const Sample& sample);
    /// At this size or the next above; nullptr: there is none.
    Fastest* from(Bytes bytes);
    /// At the next size below; nullptr: there is none.
    Fastest* below(Bytes bytes);
    /// What the fastest take at the sizes that were measured below and above.
    Curve times(Bytes bytes);
    /// The same between them, where these are near each other: without a model, but good enough to see who is far behind.
    std::optional<Curve::Value> between(Bytes bytes);
    /// Neither below nor above all sizes.
    bool reaches(Bytes bytes) const {
        return fastest_.front().sample->bytes <= bytes && bytes <= fastest_.back().sample->bytes;
    }

private:
    std::vector<Fastest>::iterator at_or_above(Bytes bytes);

    std::vector<Fastest> fastest_;  // ascending sizes
};

/// What a profile's samples tell of one collective on a communicator: those of as many ranks in the same
/// layout.
class KnownSamples {
public:
    /// The profile must outlive it.
    KnownSamples(const Profile& profile, Collective collective, int p, const std::string& layout);

    bool empty() const { return series_.empty(); }
    /// Nullptr: nothing of that series was measured.
    Series* series(const Recipe& recipe);
    /// Nullptr: it was not measured at that size.
    const Sample* measured(const Recipe& recipe, Bytes bytes) const;
    /// What was measured of this size, and the fastest of each series at the sizes below and above.
    std::vector<const Recipe*> near(Bytes bytes);
    /// At the sizes below and above, segments of such a recipe were measured: the fastest of them are better
    /// than what the model says of segments.
    bool compared(const Recipe& recipe, Bytes bytes);

    /// At this size, or where that was not measured at the next one below or above, little was faster.
    bool led(const Recipe& recipe, Bytes bytes);

    const Curve& native() const { return native_; }

private:
    std::deque<Series> series_;  // in the order of the profile, the same on all ranks
    std::unordered_map<const Recipe*, Series*, SeriesHash, SameSeries> by_recipe_;
    std::map<Bytes, std::vector<const Sample*>> at_;
    Curve native_;
};

}  // namespace echelon
