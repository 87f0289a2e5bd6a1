// SPDX-License-Identifier: Apache-2.0
#include "bench/compare.hpp"

#include "bench/broad_list.hpp"
#include "bench/describe.hpp"
#include "mpi/gather_placement.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iostream>

namespace echelon::bench {

Comparison::Comparison(const Options& options, MPI_Comm world)
    : options_(options),
      world_(world),
      placement_(gather_placement(world, own_node(world), {}, true)),
      start_(world),
      machine_(describe(options, placement_, start_, world)) {
    MPI_Comm_rank(world, &rank_);
    library_stage_ = std::make_shared<Stage>(world);
}

void Comparison::run(const std::function<void()>& keep_so_far) {
    const double began = now();
    std::size_t left = 0;
    for (const Collective collective : options_.collectives) left += sizes(collective).size();
    for (const Collective collective : options_.collectives) {
        if (rank_ == 0) print_heading(std::cout, collective, machine_);
        const auto contenders = line_up(collective);
        for (const Bytes bytes : sizes(collective)) {
            const double budget_left = options_.time_budget - (now() - began);
            const double deadline = options_.time_budget > 0 ? now() + budget_left / double(left) : 0;
            measure({collective, bytes}, contenders, deadline);
            keep_so_far();
            --left;
        }
    }
}

std::vector<Bytes> Comparison::sizes(Collective collective) const {
    std::vector<Bytes> all;
    for (const Bytes bytes : options_.bytes)
        all.push_back(bytes_of_call(collective, bytes, options_.type, placement_.size()));
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Comparison::Contenders Comparison::line_up(Collective collective) {
    Contenders contenders;
    const auto add = [&](Contender::Kind kind, const std::string& recipe, std::shared_ptr<Stage> stage) {
        contenders.push_back(std::make_unique<Contender>(kind, recipe, std::move(stage)));
    };
    add(Contender::Kind::library, "native", library_stage_);
    const auto recipes = options_.all_recipes ? broad_list(collective, placement_) : options_.recipes;
    for (std::size_t i = 0; i < recipes.size(); ++i)
        add(Contender::Kind::recipe, to_string(recipes[i]), stage_of(i));
    if (options_.automatic) {
        if (automatic_stage_ == nullptr) automatic_stage_ = std::make_shared<Stage>(world_);
        add(Contender::Kind::automatic, "auto", automatic_stage_);
    }
    return contenders;
}

std::shared_ptr<Stage> Comparison::stage_of(std::size_t recipe) {
    const std::size_t at =
        options_.communicators == 0 ? recipe : recipe % std::size_t(options_.communicators);
    while (stages_.size() <= at) stages_.push_back(std::make_shared<Stage>(world_));
    return stages_[at];
}

void Comparison::measure(const Cell& cell, const Contenders& contenders, double deadline) {
    const double began = now();
    Workload workload(cell, options_.type, options_.op, options_.root, world_);
    const Care care{{.rounds = options_.repetitions, .deadline = deadline}, options_.warm_up, options_.check};
    Race race(cell, workload, start_, world_);
    std::vector<Contender*> entered;
    for (const auto& contender : contenders) {
        if (const auto reason = race.enter(*contender, care))
            skip({cell, contender->recipe(), *reason});
        else
            entered.push_back(contender.get());
    }
    const std::vector<Time> times = race.run(care);
    std::vector<Result> results;
    for (std::size_t i = 0; i < entered.size(); ++i)
        results.push_back(result_of(cell, *entered[i], times[i], times.front()));
    results_.insert(results_.end(), results.begin(), results.end());
    if (rank_ == 0) {
        print_ranked(std::cout, std::move(results));
        std::cout.flush();
        std::cerr << fmt::format("echelon-bench: {} {}: {} contenders, {} repetitions, {:.3g} s\n",
                                 name(cell.collective), format_bytes(cell.bytes), entered.size(),
                                 times.front().repetitions, now() - began);
    }
}

void Comparison::skip(const Skipped& skipped) {
    const bool said = std::find(skipped_.begin(), skipped_.end(), skipped) != skipped_.end();
    skipped_.push_back(skipped);
    if (rank_ == 0 && !said)
        std::cerr << fmt::format("echelon-bench: skipped for {}: {}\n", name(skipped.cell.collective),
                                 skipped.reason);
}

Result Comparison::result_of(const Cell& cell, const Contender& contender, const Time& time,
                             const Time& native) const {
    const Contender::Running running = contender.running(cell);
    if (rank_ == 0 && options_.verbose)
        std::cerr << fmt::format("echelon-bench:   {}; {} x {} calls\n", running.phases, time.repetitions,
                                 time.calls);
    return {cell, placement_.size(), running.recipe, running.source, time, speedup(native, time)};
}

}  // namespace echelon::bench
