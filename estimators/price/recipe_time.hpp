// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/native_times.hpp"
#include "estimators/price/row_replay.hpp"
#include "hier/phase.hpp"

#include <map>
#include <optional>
#include <tuple>

namespace echelon {

/// True if a row may serve the operation.
inline bool may_serve(const Algorithm& row, Operation operation) {
    return !reduces(row.collective) ||
           ((row.keeps_order || !operation.in_order) && (operation.exact || !row.exact_operations_only));
}

/// Times of recipes on one communicator of one machine, as the sum of their phases, each replayed by itself:
/// the quick estimate. Replay (replay.hpp) is exact. Requires: the machine is `seated` on the contention's
/// ranks; both outlive this object.
class RecipeTimes {
public:
    /// `natives`: times of native parts, which have no price without it. It must outlive this object.
    RecipeTimes(const Machine& machine, const Contention& contention, const NativeTimes* natives = nullptr,
                Detail detail = Detail::thorough)
        : rows_(machine, detail), contention_(contention), natives_(natives) {}

    /// Empty if the recipe cannot serve the call (resolve() gives the reason) or has native parts without a
    /// price.
    std::optional<Seconds> operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                      Operation operation);

    /// Time on a part of the contention.
    std::optional<Seconds> on(const Contention& contention, const Recipe& recipe, Collective collective,
                              Bytes bytes, Operation operation);

    /// Time of an algorithm of the catalog, with its default segment or radix unless one is given. Returns
    /// `unlimited`, and stops early, if the time exceeds `limit`.
    Seconds row(const Contention& contention, const Algorithm& row, std::optional<Bytes> segment,
                std::optional<int> radix, Bytes bytes, std::string_view schedule = {},
                Seconds limit = unlimited);

    /// Lower bound of the time of a row.
    Seconds floor(const Contention& contention, const Algorithm& row, std::optional<Bytes> segment,
                  Bytes bytes);

    /// Segment size, a power of two, with the least time of an algorithm: n* = sqrt(A m b / (c alpha))
    /// segments, if n segments take (A + c n)(alpha + m b / n). 0 means one segment.
    Bytes best_segment(const Algorithm& row, Bytes bytes, const Contention& contention);
    /// Best segment size of a shape with phases that work on segments side by side: n* = sqrt((sum b - b*) m
    /// / a*). The phases of a resource take a + b m; * marks the slowest resource.
    Bytes best_segment(const Recipe& shape, Collective collective, Bytes bytes, Operation operation);

    const Contention& contention() const { return contention_; }

    /// True if a row can serve the operation at a known price. Windows have a price between ranks of one
    /// node, on machines with known memory times.
    bool may_serve(const Contention& contention, const Algorithm& row, Operation operation) const {
        return (!row.in_window || rows_.has_windows(contention)) && echelon::may_serve(row, operation);
    }

private:
    /// Times of one segment of a shape: the phases inside the groups follow one another; the phase across
    /// runs beside them.
    struct Stages {
        Seconds inside = 0, across = 0;
    };
    std::optional<Stages> stages(const Contention& contention, const Recipe& shape, const ShapeRow& row,
                                 Bytes bytes, Operation operation);
    /// Time of the native collective; native() caches the result of natives_like().
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
