// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/companion.hpp"
#include "cache/process.hpp"
#include "estimators/choice/outside_model.hpp"
#include "estimators/choice/startup_results.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "job/world.hpp"
#include "mpi/decision_time.hpp"
#include "tuner/deciders.hpp"
#include "tuner/learned.hpp"
#include "tuner/told_tables.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

namespace echelon {

/// Knowledge that the tuners of a process share. Safe to use from several threads.
class SharedTuning final : public Companion {
public:
    /// The instance of a process, made on first use. Local.
    static SharedTuning& of(Process& process) { return process.companion().get<SharedTuning>(process); }
    explicit SharedTuning(Process& process)
        : world_(process.world()),
          learned_(process.settings().learn,
                   [&process](const std::string& sentence) { process.log().once(true, sentence); }) {
        if (process.settings().advisor.empty()) return;
        const std::string failure = load_outside_model(process.settings().advisor);
        if (!failure.empty()) process.log().once(process.speaks(), failure);
    }

    Deciders& deciders() { return deciders_; }
    ToldTables& told_tables() { return told_tables_; }
    Learned& learned() { return learned_; }
    StartupResults& startup_results() { return startup_results_; }
    Allowance& allowance() { return allowance_; }

    /// The machine of rank 0's decisions on several nodes without a profile: the built-in one, with the
    /// message time of MPI_Init. `window`: the ranks of a node share memory and have a processor each. All
    /// calls return the same profile, by which communicators share deciders.
    std::shared_ptr<const Profile> prior_machine(bool window) {
        const std::scoped_lock lock(mutex_);
        std::shared_ptr<const Profile>& made = prior_[std::size_t(window)];
        if (made == nullptr) made = built_in_profile(window, world_.seen_link().value_or(usual_link));
        return made;
    }

    /// Writes the findings to the file of ECHELON_LEARN.
    void close() override { learned_.save(); }

private:
    Deciders deciders_;
    const World& world_;
    std::mutex mutex_;
    std::array<std::shared_ptr<const Profile>, 2> prior_;
    ToldTables told_tables_;
    Learned learned_;
    StartupResults startup_results_;
    Allowance allowance_;
};

}  // namespace echelon
