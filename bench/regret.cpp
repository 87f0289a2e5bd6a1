// SPDX-License-Identifier: Apache-2.0
#include "bench/regret.hpp"

#include "bench/broad_list.hpp"
#include "bench/describe.hpp"
#include "core/file.hpp"
#include "core/table.hpp"
#include "measure/calibrate.hpp"
#include "measure/regret_on.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/quirks.hpp"

#include <fmt/format.h>
#include <iostream>
#include <utility>

namespace echelon::bench {
namespace {

const TextTable regret_table({{"collective", 10, TextTable::Side::left},
                              {"bytes", 8},
                              {"chosen us", 12},
                              {"best us", 12},
                              {"native us", 12},
                              {"regret", 8},
                              {"noise", 8},
                              {"native", 8},
                              {"chosen <- best", 0, TextTable::Side::left}},
                             "");

void print_heading(std::ostream& out, const std::string& part, const Placement& placement) {
    out << fmt::format("# {}: {} ranks on {} {}\n{}", part, placement.size(), placement.node_count(),
                       placement.node_count() == 1 ? "node" : "nodes", regret_table.head());
}

void print_line(std::ostream& out, const RegretCell& cell) {
    const auto us = [](double seconds) { return fmt::format("{:.2f}", 1e6 * seconds); };
    const auto percent = [](double share) { return fmt::format("{:.1f}%", 100 * share); };
    out << regret_table.row({std::string(name(cell.collective)), format_bytes(cell.bytes), us(cell.seconds),
                             us(cell.best_seconds), us(cell.native_seconds), percent(cell.regret()),
                             percent(cell.noise), percent(cell.against_native()),
                             cell.chosen + (cell.chosen == cell.best ? "" : " <- " + cell.best)})
        << std::flush;
}

void print_summary(std::ostream& out, const RegretSummary& summary, std::size_t cells) {
    out << fmt::format(
        "regret over {} cells: mean {:.2f} %, 95 % of them below {:.2f} %, worst {:.2f} %; against native at worst "
        "{:+.2f} %\n",
        cells, 100 * summary.mean, 100 * summary.p95, 100 * summary.max, 100 * summary.worst_against_native);
}

Profile calibrated(const Options& options, Trainer& trainer) {
    Profile profile;
    Training training{
        .collectives = options.collectives,
        .sizes = options.calibration_bytes,
        .seconds = quirks::simulated ? 0 : options.calibration,  // virtual seconds differ from real ones
        .rows = false                                            // regret is that of a call alone
    };
    const double began = now();
    calibrate(trainer, profile, training);
    if (trainer.tuner().rank() == 0)
        std::cerr << fmt::format("echelon-bench: calibrated with {} samples in {:.3g} s\n",
                                 profile.samples.size(), now() - began);
    return profile;
}

/// The profile, measured on the trainer's communicator or read from --profile.
Profile profile_of(const Options& options, Trainer& trainer) {
    if (options.profile.empty()) return calibrated(options, trainer);
    const Tuner& tuner = trainer.tuner();
    return Profile::parse(broadcast(tuner.rank() == 0 ? read_file(options.profile) : "", tuner.user()));
}

RegretTask task(const Options& options, const Part& part, int rank) {
    const bool decided = quirks::simulated && !options.trials;
    return {.collectives = options.collectives,
            .sizes = options.bytes,
            .recipes =
                [&](Collective collective, const Placement& placement) {
                    return options.all_recipes ? broad_list(collective, placement) : options.recipes;
                },
            .repetitions = options.repetitions,
            .automatic = decided ? Trainer::Automatic::decided : Trainer::Automatic::tried,
            .begun =
                [&part, rank](const Placement& placement) {
                    if (rank == 0) print_heading(std::cout, part.name, placement);
                },
            .done =
                [rank](const RegretCell& cell) {
                    if (rank == 0) print_line(std::cout, cell);
                }};
}

}  // namespace

Regrets regret(const Options& options, MPI_Comm world) {
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    Regrets found;
    {
        Trainer whole(Tuner::of(*State::of(world)));
        found.machine = describe(options, whole.tuner().own().placement(true, true), whole.start(), world);
        found.profile = profile_of(options, whole);
    }
    for (const Part& part : options.parts) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(world, part.has(rank) ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            {
                Trainer trainer(Tuner::of(*State::of(comm)));
                for (RegretCell& cell : regret_on(trainer, found.profile, task(options, part, rank))) {
                    cell.part = part.name;
                    found.cells.push_back(std::move(cell));
                }
                found.placements[part.name] = to_string(trainer.tuner().own().placement(true, true));
            }
            MPI_Comm_free(&comm);
        }
        MPI_Barrier(world);
    }
    return found;
}

void print(const std::vector<RegretCell>& cells) {
    print_summary(std::cout, summary_of(cells), cells.size());
    const auto parts = by_part(cells);
    if (parts.size() > 1)
        for (const auto& [part, of_part] : parts) {
            std::cout << "  " << part << ": ";
            print_summary(std::cout, summary_of(of_part), of_part.size());
        }
    for (const auto& other : cells.front().others) {
        std::cout << "  " << other.name << ": ";
        print_summary(std::cout, summary_of(cells, other.name), cells.size());
    }
}

}  // namespace echelon::bench
