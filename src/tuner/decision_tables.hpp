// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/lru_cache.hpp"
#include "estimators/choice/decide.hpp"
#include "tuner/decision_table.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace echelon {

/// The decision tables of a process. Communicators whose ranks sit alike share a table: it is written once
/// and read once. Safe to use from several threads.
class DecisionTables {
public:
    /// The packed table of a decider, on rank 0. A table is written again once that would take less than a
    /// hundredth of the time since the last writing.
    std::string written(const std::shared_ptr<const Decider>& decider,
                        const std::function<std::string()>& write);
    /// The table of a packed text.
    std::shared_ptr<const DecisionTable> read(const std::string& text,
                                              const std::function<DecisionTable(const std::string&)>& read);

private:
    struct Written {
        std::shared_ptr<const Decider> by;  // keeps the address unique
        std::string text;
        Seconds took, when;
    };
    struct Read {
        std::string text;
        std::shared_ptr<const DecisionTable> table;
    };
    std::mutex mutex_;
    LruCache<Written> written_;
    LruCache<Read> read_;
};

}  // namespace echelon
