// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/workload.hpp"

#include <mpi.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace echelon::bench {

/// A communicator of its own on which Echelon is told what to run. Errors return.
class Stage {
public:
    /// Collective over `parent`.
    explicit Stage(MPI_Comm parent);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    MPI_Comm comm() const { return comm_; }
    /// From now on `collective` runs `recipe`. Returns whether it did not already. Throws TuningError.
    /// Collective.
    bool force(Collective collective, const std::string& recipe);

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    std::map<Collective, std::string> forced_;
};

/// One of those that are compared: the MPI library, Echelon with a recipe, or Echelon left to itself.
class Contender {
public:
    enum class Kind { library, recipe, automatic };

    Contender(Kind kind, std::string recipe, std::shared_ptr<Stage> stage)
        : kind_(kind), recipe_(std::move(recipe)), stage_(std::move(stage)) {}

    Kind kind() const { return kind_; }
    const std::string& recipe() const { return recipe_; }

    /// The first call of a workload. Returns why this cannot serve it, the same on all ranks, or nothing.
    /// Collective.
    std::optional<std::string> first_call(const Cell& cell, Workload& workload);
    /// After others have used the stage: calls run this again, the next as fast as all others. Collective.
    void take_stage(const Cell& cell, Workload& workload);
    /// Returns MPI's code.
    int call(Workload& workload);

    /// What runs, and who chose it.
    struct Running {
        std::string recipe, source, phases;
    };
    Running running(const Cell& cell) const;

private:
    std::string reason(const Cell& cell, int code) const;

    Kind kind_;
    std::string recipe_;
    std::shared_ptr<Stage> stage_;
};

}  // namespace echelon::bench
