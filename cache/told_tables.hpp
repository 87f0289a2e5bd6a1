// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/latest.hpp"
#include "cache/told_table.hpp"
#include "estimators/choice/decide.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace echelon {

/// The tables of a process: programs make many communicators whose ranks sit alike, so that each is written and read once. Safe to
/// use from several threads.
class ToldTables {
public:
    /// On rank 0, what is told of calls that this decider knows: as `write` made it, until that would take less than a hundredth of the time
    /// since then.
    std::string written(const std::shared_ptr<const Decider>& decider,
                        const std::function<std::string()>& write);
    /// What such a text says.
    std::shared_ptr<const ToldTable> read(const std::string& text,
                                          const std::function<ToldTable(const std::string&)>& read);

private:
    struct Written {
        std::shared_ptr<const Decider> by;  // it lives as long, so that no other is taken for it
        std::string text;
        Seconds took, when;
    };
    struct Read {
        std::string text;
        std::shared_ptr<const ToldTable> table;
    };
    std::mutex mutex_;
    Latest<Written> written_;
    Latest<Read> read_;
};

}  // namespace echelon
