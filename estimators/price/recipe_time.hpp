// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/native_times.hpp"
#include "estimators/price/row_replay.hpp"
#include "hier/phase.hpp"

#include <map>
#include <optional>
#include <tuple>

namespace echelon {

/// Whether a row may serve such an operation.
inline bool may_serve(const Algorithm& row, Operation operation) {
    return !reduces(row.collective) ||
           ((row.keeps_order || !operation.in_order) && (operation.exact || !row.exact_operations_only));
}

/// What recipes take on one communicator of one machine, as the sum of their phases, each replayed by itself:
/// the quick answer. Replay (replay.hpp) has the exact one. The machine is `seated` where the contention's ranks are; both
/// must outlive it.
class RecipeTimes {
public:
    /// `natives`: what native parts take; without it they have no price. It must outlive this too.
    RecipeTimes(const Machine& machine, const Contention& contention, const NativeTimes* natives = nullptr,
                Detail detail = Detail::thorough)
        : rows_(machine, detail), contention_(contention), natives_(natives) {}

    /// Nullopt where the recipe cannot serve the call (resolve() says why) or has native parts without a price.
    std::optional<Seconds> operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                      Operation operation);

    /// The same on a part of the contention.
    std::optional<Seconds> on(const Contention& contention, const Recipe& recipe, Collective collective,
                              Bytes bytes, Operation operation);

    /// An algorithm of the catalog; its own segment or radix where none is given. Unlimited, and sooner known, where it takes
    /// longer than `limit`.
    Seconds row(const Contention& contention, const Algorithm& row, std::optional<Bytes> segment,
                std::optional<int> radix, Bytes bytes, std::string_view schedule = {},
                Seconds limit = unlimited);

    /// What the row takes at least.
    Seconds floor(const Contention& contention, const Algorithm& row, std::optional<Bytes> segment,
                  Bytes bytes);

    /// The segment size that costs an algorithm least, a power of two: n* = sqrt(A m b / (c alpha)), where
    /// (A + c n)(alpha + m b / n) is the time of n segments. 0: one segment.
    Bytes best_segment(const Algorithm& row, Bytes bytes, const Contention& contention);
    /// The same for a shape whose phases work on segments side by side: n* = sqrt((sum b - b*) m / a*), where
    /// a + b m are the times of the resources' phases and * marks the slowest.
    Bytes best_segment(const Recipe& shape, Collective collective, Bytes bytes, Operation operation);

    const Contention& contention() const { return contention_; }

    /// Whether a row can serve such an operation at a price: what goes through a window has one between ranks of one node, where
    /// the machine says what their memory does.
    bool may_serve(const Contention& contention, const Algorithm& row, Operation operation) const {
        return (!row.in_window || rows_.has_windows(contention)) && echelon::may_serve(row, operation);
    }

private:
    /// Of one segment of a shape: the phases inside the groups follow one another, those across run beside.
    struct Stages {
        Seconds inside = 0, across = 0;
    };
    std::optional<Stages> stages(const Contention& contention, const Recipe& shape, const ShapeRow& row,
                                 Bytes bytes, Operation operation);
    /// The library's own collective; the second finds it out.
    std::optional<Seconds> native(const Contention& contention, Collective collective, Bytes bytes);
    std::optional<Seconds> natives_like(const Contention& contention, Collective collective, Bytes bytes);
    std::optional<Seconds> flat(const Contention& contention, const Recipe& recipe, Collective collective,
                                Bytes bytes, Operation operation);

    RowReplay rows_;
    const Contention& contention_;
    const NativeTimes* natives_;
    std::map<std::tuple<const Contention*, Collective, Bytes>, std::optional<Seconds>> native_;
};

}  // namespace echelon
