// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/companion.hpp"
#include "cache/process.hpp"
#include "estimators/choice/startup_results.hpp"
#include "mpi/decision_time.hpp"
#include "tuner/deciders.hpp"
#include "tuner/decision_tables.hpp"
#include "tuner/learned.hpp"
#include "tuner/prior_machine.hpp"

namespace echelon {

/// Knowledge that the tuners of a process share. Safe to use from several threads.
class SharedTuning final : public Companion {
public:
    /// The instance of a process, made on first use. Local.
    static SharedTuning& of(Process& process) { return process.companion().get<SharedTuning>(process); }
    explicit SharedTuning(Process& process)
        : prior_machine_(process.world()),
          learned_(process.settings().learn,
                   [&process](const std::string& sentence) { process.log().once(true, sentence); }) {}

    Deciders& deciders() { return deciders_; }
    PriorMachine& prior_machine() { return prior_machine_; }
    DecisionTables& decision_tables() { return decision_tables_; }
    Learned& learned() { return learned_; }
    StartupResults& startup_results() { return startup_results_; }
    Allowance& allowance() { return allowance_; }

    /// Writes the findings to the file of ECHELON_LEARN.
    void close() override { learned_.save(); }

private:
    Deciders deciders_;
    PriorMachine prior_machine_;
    DecisionTables decision_tables_;
    Learned learned_;
    StartupResults startup_results_;
    Allowance allowance_;
};

}  // namespace echelon
