// SPDX-License-Identifier: Apache-2.0
#include "tuner/decision_tables.hpp"

#include "mpi/clock.hpp"

namespace echelon {

std::string DecisionTables::written(const std::shared_ptr<const Decider>& decider,
                                    const std::function<std::string()>& write) {
    const std::scoped_lock lock(mutex_);
    constexpr double share = 0.01;
    const auto anew = [&] {
        const Seconds began = now();
        std::string text = write();
        return Written{decider, std::move(text), now() - began, now()};
    };
    Written& kept = written_.find([&](const Written& one) { return one.by == decider; }, anew);
    if (kept.took < share * (now() - kept.when)) kept = anew();
    return kept.text;
}

std::shared_ptr<const DecisionTable> DecisionTables::read(
    const std::string& text, const std::function<DecisionTable(const std::string&)>& read) {
    const std::scoped_lock lock(mutex_);
    return read_
        .find([&](const Read& one) { return one.text == text; },
              [&] {
                  return Read{text, std::make_shared<const DecisionTable>(read(text))};
              })
        .table;
}

}  // namespace echelon
