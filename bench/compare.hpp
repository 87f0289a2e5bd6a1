// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/options.hpp"
#include "bench/results.hpp"
#include "groups/placement.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

namespace echelon::bench {

/// Recipes, the MPI library and, on request, the automatic choice, compared size by size.
class Comparison {
public:
    /// Collective over `world`, like all members. `options` must outlive it.
    Comparison(const Options& options, MPI_Comm world);

    /// `keep_so_far` runs after each size.
    void run(const std::function<void()>& keep_so_far);

    const Machine& machine() const { return machine_; }
    const std::vector<Result>& results() const { return results_; }
    const std::vector<Skipped>& skipped() const { return skipped_; }

private:
    using Contenders = std::vector<std::unique_ptr<Contender>>;

    /// Sizes without duplicates.
    std::vector<Bytes> sizes(Collective collective) const;
    Contenders line_up(Collective collective);
    std::shared_ptr<Stage> stage_of(std::size_t recipe);
    void measure(const Cell& cell, const Contenders& contenders, double deadline);
    void skip(const Skipped& skipped);
    /// The native collective is always the first contender.
    Result result_of(const Cell& cell, const Contender& contender, const Time& time,
                     const Time& native) const;

    const Options& options_;
    MPI_Comm world_;
    int rank_ = 0;
    Placement placement_;
    CommonStart start_;
    Machine machine_;
    std::shared_ptr<Stage> library_stage_, automatic_stage_;
    std::vector<std::shared_ptr<Stage>> stages_;
    std::vector<Result> results_;
    std::vector<Skipped> skipped_;
};

}  // namespace echelon::bench
