// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/lru_cache.hpp"
#include "estimators/choice/decide.hpp"
#include "mpi/clock.hpp"
#include "tuner/decision_table.hpp"
#include "tuner/rules.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace echelon {

/// The told tables of a process. Communicators whose ranks sit alike share a table: it is written once and
/// read once. Safe to use from several threads.
class ToldTables {
public:
    /// The rows of a decider as bytes, on rank 0. They are written again once that takes a small share of the
    /// time since the last writing (TunerRules::table_share). `decider` null: they are not shared.
    template <class Write>
    std::string written(const std::shared_ptr<const Decider>& decider, const Write& write) {
        if (decider == nullptr) return write();
        const std::scoped_lock lock(mutex_);
        const auto anew = [&] {
            const Seconds began = now();
            std::string text = write();
            return Written{decider, std::move(text), now() - began, now()};
        };
        Written& kept = written_.find([&](const Written& one) { return one.by == decider; }, anew);
        if (kept.took < rules.table_share * (now() - kept.when)) kept = anew();
        return kept.text;
    }
    /// The table of these bytes.
    std::shared_ptr<const ToldTable> read(std::string_view text) {
        const std::scoped_lock lock(mutex_);
        return read_
            .find([&](const Read& one) { return one.text == text; },
                  [&] {
                      return Read{std::string(text), std::make_shared<const ToldTable>(rows_of(text))};
                  })
            .table;
    }

private:
    struct Written {
        std::shared_ptr<const Decider> by;  // keeps the address unique
        std::string text;
        Seconds took, when;
    };
    struct Read {
        std::string text;
        std::shared_ptr<const ToldTable> table;
    };
    std::mutex mutex_;
    LruCache<Written> written_;
    LruCache<Read> read_;
};

}  // namespace echelon
