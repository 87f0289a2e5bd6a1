// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/workload.hpp"

#include <mpi.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace echelon::bench {

/// A communicator of its own on which Echelon runs forced recipes. Its error handler returns errors.
class Stage {
public:
    /// Collective over `parent`.
    explicit Stage(MPI_Comm parent);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    MPI_Comm comm() const { return comm_; }
    /// Makes `collective` run `recipe`. Returns true if it did not already. Throws TuningError. Collective.
    bool force(Collective collective, const std::string& recipe);

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    std::map<Collective, std::string> forced_;
};

/// One competitor: the MPI library, Echelon with a recipe, or Echelon's automatic choice.
class Contender {
public:
    enum class Kind { library, recipe, automatic };

    Contender(Kind kind, std::string recipe, std::shared_ptr<Stage> stage)
        : kind_(kind), recipe_(std::move(recipe)), stage_(std::move(stage)) {}

    Kind kind() const { return kind_; }
    const std::string& recipe() const { return recipe_; }

    /// The first call of a workload. Returns the reason for a refusal, equal on all ranks, or no value.
    /// Collective.
    std::optional<std::string> first_call(const Cell& cell, Workload& workload);
    /// Called after others have used the stage: the next calls run this contender again, at full speed.
    /// Collective.
    void take_stage(const Cell& cell, Workload& workload);
    /// Returns MPI's code.
    int call(Workload& workload);

    /// The running recipe and its source.
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
