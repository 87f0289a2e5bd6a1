// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/samples.hpp"

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

namespace echelon {

/// A series of recipes: the fastest sample at each measured size.
class Series {
public:
    struct Fastest {
        const Sample* sample;
        /// Number of the series' samples at that size.
        int segments = 1;
        /// Ratio of measured to predicted time, by a replay of the whole and by the sum of phases; the time
        /// in seconds if the model has none. 0 until requested.
        double share_of_whole = 0, share_of_sum = 0;
    };
    void add(const Sample& sample);
    /// Entry at this size or the next above; nullptr if there is none.
    Fastest* from(Bytes bytes);
    /// Entry at the next size below; nullptr if there is none.
    Fastest* below(Bytes bytes);
    /// Curve through the times of below() and from().
    Curve times(Bytes bytes);
    /// Time interpolated between below() and from() if these sizes are near each other. It needs no model and
    /// suffices to recognize slow recipes.
    std::optional<Curve::Value> between(Bytes bytes);
    /// True if the size lies within the measured sizes.
    bool reaches(Bytes bytes) const {
        return fastest_.front().sample->bytes <= bytes && bytes <= fastest_.back().sample->bytes;
    }

private:
    std::vector<Fastest>::iterator at_or_above(Bytes bytes);

    std::vector<Fastest> fastest_;  // ascending sizes
};

/// A profile's samples of one collective that apply to a communicator: same number of ranks, same layout.
class KnownSamples {
public:
    /// The profile must outlive this object.
    KnownSamples(const Profile& profile, Collective collective, int p, const std::string& layout);

    bool empty() const { return series_.empty(); }
    /// Series of the recipe; nullptr if it has no samples.
    Series* series(const Recipe& recipe);
    /// Last sample of the recipe at exactly this size; nullptr if there is none.
    const Sample* measured(const Recipe& recipe, Bytes bytes) const;
    /// Recipes measured at this size, and the fastest of each series at the next measured size below and
    /// above.
    std::vector<const Recipe*> near(Bytes bytes);
    /// True if this size is between two measured ones at which several segments of the recipe were measured:
    /// the fastest of them are better than the model's segments.
    bool compared(const Recipe& recipe, Bytes bytes);

    /// True if hardly any recipe was faster than this one at this size or, without samples of this size, at
    /// the next size above or below.
    bool led(const Recipe& recipe, Bytes bytes);

    const Curve& native() const { return native_; }
    /// Time of a call in a row of calls over that of a call alone, measured at this size or at the nearest
    /// one with such a time below or above; nullopt if none was.
    std::optional<double> row_share(const Recipe& recipe, Bytes bytes) const;

private:
    std::deque<Series> series_;  // in the order of the profile, the same on all ranks
    std::unordered_map<const Recipe*, Series*, SeriesHash, SameSeries> by_recipe_;
    std::map<Bytes, std::vector<const Sample*>> at_;
    Curve native_;
    std::unordered_map<const Recipe*, Curve, SeriesHash, SameSeries> row_shares_;
};

}  // namespace echelon
