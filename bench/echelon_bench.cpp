// SPDX-License-Identifier: Apache-2.0
// echelon-bench: measures collectives on the ranks that mpiexec started, by many recipes and by the MPI
// library.
#include "bench/broad_list.hpp"
#include "bench/describe.hpp"
#include "bench/options.hpp"
#include "bench/race.hpp"
#include "bench/results.hpp"
#include "bench/yielding.hpp"
#include "core/file.hpp"
#include "measure/calibrate.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/quirks.hpp"
#include "options/command_line.hpp"
#include "options/output.hpp"

#include <echelon/version.h>
#include <mpi.h>
#include <echelon/echelon.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

namespace echelon::bench {
namespace {

/// What all measurements share.
class Bench {
public:
    Bench(const Options& options, MPI_Comm world)
        : options_(options),
          world_(world),
          placement_(gather_placement(world, own_node(world), 0, true)),
          start_(world),
          machine_(describe(options, placement_, start_, world)) {
        MPI_Comm_rank(world, &rank_);
        library_stage_ = std::make_shared<Stage>(world);
    }

    /// `keep_so_far` runs after each size.
    void run(const std::function<void()>& keep_so_far) {
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

    const Machine& machine() const { return machine_; }
    const std::vector<Result>& results() const { return results_; }
    const std::vector<Skipped>& skipped() const { return skipped_; }

private:
    using Contenders = std::vector<std::unique_ptr<Contender>>;

    /// Each once.
    std::vector<Bytes> sizes(Collective collective) const {
        std::vector<Bytes> all;
        for (const Bytes bytes : options_.bytes)
            all.push_back(bytes_of_call(collective, bytes, options_.type, placement_.size()));
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    Contenders line_up(Collective collective) {
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

    std::shared_ptr<Stage> stage_of(std::size_t recipe) {
        const std::size_t at =
            options_.communicators == 0 ? recipe : recipe % std::size_t(options_.communicators);
        while (stages_.size() <= at) stages_.push_back(std::make_shared<Stage>(world_));
        return stages_[at];
    }

    void measure(const Cell& cell, const Contenders& contenders, double deadline) {
        const double began = now();
        Workload workload(cell, options_.type, options_.op, options_.root, world_);
        const Care care{
            {.rounds = options_.repetitions, .deadline = deadline}, options_.warm_up, options_.check};
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

    void skip(const Skipped& skipped) {
        const bool said = std::find(skipped_.begin(), skipped_.end(), skipped) != skipped_.end();
        skipped_.push_back(skipped);
        if (rank_ == 0 && !said)
            std::cerr << fmt::format("echelon-bench: skipped for {}: {}\n", name(skipped.cell.collective),
                                     skipped.reason);
    }

    /// The native collective always enters, and is the first.
    Result result_of(const Cell& cell, const Contender& contender, const Time& time, const Time& native) {
        const Contender::Running running = contender.running(cell);
        if (rank_ == 0 && options_.verbose)
            std::cerr << fmt::format("echelon-bench:   {}; {} x {} calls\n", running.phases, time.repetitions,
                                     time.calls);
        return {cell, placement_.size(), running.recipe, running.source, time, speedup(native, time)};
    }

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

/// What the automatic choice costs against the best of all recipes, on one communicator.
class RegretBench {
public:
    /// Collective over `comm`.
    RegretBench(const Options& options, MPI_Comm comm)
        : options_(options),
          comm_(comm),
          state_(*State::of(comm)),
          trainer_(state_),
          placement_(state_.own().placement(true, true)) {
        MPI_Comm_rank(comm, &rank_);
    }

    const Placement& placement() const { return placement_; }
    Machine machine() { return describe(options_, placement_, trainer_.start(), comm_); }
    /// Measured on it, or read.
    Profile profile() { return options_.profile.empty() ? calibrated() : read(); }

    std::vector<RegretCell> run(const Profile& profile, const std::string& part) {
        state_.set_profile(std::make_shared<const Profile>(profile));
        placement_ = state_.own().placement(true, true);  // calibration may have found sites
        std::optional<Proposers> proposers;
        if (rank_ == 0) proposers.emplace(profile, placement_);
        std::vector<RegretCell> cells;
        if (rank_ == 0) print_heading(std::cout, part, placement_);
        for (const Collective collective : options_.collectives)
            for (const Bytes bytes : options_.bytes) {
                const auto choices = proposals(proposers ? &*proposers : nullptr, collective, bytes);
                auto measured =
                    trainer_.measure(collective, bytes, list(collective, choices), effort(), automatic());
                const auto recipes = std::size_t(
                    std::count_if(measured.begin(), measured.end() - 1,
                                  [](const Trainer::Measured& one) { return one.timing.has_value(); }));
                if (!quirks::simulated && options_.repetitions > 1)  // virtual time is exact
                    measured = trainer_.measure(collective, bytes, finalists(measured, choices), effort(),
                                                automatic());
                const WouldRun would = Tuning(comm_).would_run(name(collective), bytes);
                cells.push_back(cell_of(collective, bytes, would.recipe, would.source, measured));
                cells.back().part = part;
                cells.back().ranks = placement_.size();
                cells.back().recipes = recipes;
                add_others(cells.back(), choices, measured);
                if (rank_ == 0) print_line(std::cout, cells.back());
            }
        return cells;
    }

private:
    Profile calibrated() {
        Profile profile;
        Training training{
            .collectives = options_.collectives,
            .sizes = options_.calibration_bytes,
            .seconds = quirks::simulated ? 0 : options_.calibration  // virtual seconds cost others
        };
        const double began = now();
        calibrate(trainer_, profile, training);
        if (rank_ == 0)
            std::cerr << fmt::format("echelon-bench: calibrated with {} samples in {:.3g} s\n",
                                     profile.samples.size(), now() - began);
        return profile;
    }

    Profile read() const {
        return Profile::parse(broadcast(rank_ == 0 ? read_file(options_.profile) : "", comm_));
    }

    /// What models propose: replays, which one rank makes for all.
    struct Proposers {
        Proposers(const Profile& profile, const Placement& placement)
            : decider(std::make_shared<const Profile>(profile), placement), others(profile, placement) {}
        Decider decider;
        OtherChoices others;
    };
    /// Who chose it, and what; without a name: a model's proposal among others.
    std::vector<OtherChoices::Choice> proposals(Proposers* proposers, Collective collective,
                                                Bytes bytes) const {
        constexpr std::size_t most = 30;
        std::string text;
        if (proposers != nullptr) {
            for (const auto& [name, recipe] : proposers->others.of(collective, bytes))
                text += name + '\t' + to_string(recipe) + '\n';
            for (const Candidate& one :
                 proposers->decider.shortlist(collective, bytes, Trainer::operation(), most))
                text += '\t' + to_string(one.recipe) + '\n';
        }
        std::vector<OtherChoices::Choice> choices;
        std::istringstream lines(broadcast(text, comm_));
        for (std::string name, recipe; std::getline(lines, name, '\t') && std::getline(lines, recipe);)
            choices.push_back({name, Recipe::parse(recipe)});
        return choices;
    }

    /// Each once, native first.
    std::vector<Recipe> list(Collective collective, const std::vector<OtherChoices::Choice>& choices) const {
        std::vector<Recipe> all{Recipe()};
        const auto add = [&](const Recipe& recipe) {
            if (std::find(all.begin(), all.end(), recipe) == all.end()) all.push_back(recipe);
        };
        for (const auto& choice : choices) add(choice.recipe);
        const auto broad = options_.all_recipes ? broad_list(collective, placement_) : options_.recipes;
        for (const Recipe& recipe : broad) add(recipe);
        return all;
    }

    Trainer::Automatic automatic() const {
        if (quirks::simulated && !options_.trials) return Trainer::Automatic::decided;
        return Trainer::Automatic::tried;
    }

    Effort effort() const {
        constexpr double hopeless = 1.5;
        return {.fewest = std::min(5, options_.repetitions),
                .rounds = options_.repetitions,
                .hopeless = hopeless};
    }

    const Options& options_;
    MPI_Comm comm_;
    State& state_;
    Trainer trainer_;
    Placement placement_;
    int rank_ = 0;
};

/// On every part, by the profile of all ranks. The cells are rank 0's, which is in all parts.
Regrets regret(const Options& options, MPI_Comm world) {
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    Regrets found;
    {
        RegretBench whole(options, world);
        found.machine = whole.machine();
        found.profile = whole.profile();
    }
    for (const Part& part : options.parts) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(world, part.has(rank) ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            {
                RegretBench bench(options, comm);
                const auto cells = bench.run(found.profile, part.name);
                found.cells.insert(found.cells.end(), cells.begin(), cells.end());
                found.placements[part.name] = to_string(bench.placement());
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

/// What is written: tried before hours of measuring are spent on it. Rank 0 has the files.
class Files {
public:
    Files(const Options& options, int rank) : options_(options) {
        if (rank == 0) problem_ = problem_of_outputs({{"--json", options.json}, {"--csv", options.csv}});
    }
    const std::string& problem() const { return problem_; }

    /// Without results, where no file is there: one with results stays until others take its place.
    void begin(const Bench& bench) const {
        std::error_code none;
        if (!std::filesystem::exists(options_.json, none)) write_json_of(bench, false);
        if (!std::filesystem::exists(options_.csv, none)) write_csv_of(bench);
    }
    /// Error: something cannot be written.
    void write(const Regrets& found) const {
        write_to(options_.json, [&](std::ostream& out) { write_json(out, found); });
    }
    void write(const Bench& bench, bool finished) const {
        write_json_of(bench, finished);
        write_csv_of(bench);
    }

private:
    void write_json_of(const Bench& bench, bool finished) const {
        write_to(options_.json, [&](std::ostream& out) {
            write_json(out, bench.machine(), bench.results(), bench.skipped(), finished);
        });
    }
    void write_csv_of(const Bench& bench) const {
        write_to(options_.csv, [&](std::ostream& out) { write_csv(out, bench.machine(), bench.results()); });
    }
    template <class Print>
    static void write_to(const std::string& path, Print&& print) {
        if (path.empty()) return;
        std::ostringstream text;
        print(text);
        write_file(path, text.str());
    }

    const Options& options_;
    std::string problem_;
};

enum ExitCode { success = 0, failed = 1, wrong_use = 2 };

int say(int rank, ExitCode code, const std::string& sentence) {
    if (rank == 0)
        std::cerr << "echelon-bench: " << (code == wrong_use ? with_help(sentence, "--help") : sentence)
                  << '\n';
    return code;
}

int measure(const Options& options, MPI_Comm world, int rank) {
    Files files(options, rank);
    int good = files.problem().empty() ? 1 : 0;
    MPI_Bcast(&good, 1, MPI_INT, 0, world);
    if (good == 0) return say(rank, failed, files.problem());

    if (options.regret) {
        const Regrets found = regret(options, world);
        if (rank == 0) {
            print(found.cells);
            files.write(found);
        }
        return success;
    }
    Bench bench(options, world);
    if (rank == 0 && bench.machine().crowded && !options.crowded)
        std::cerr
            << "echelon-bench: ranks share processors, and the scheduler is measured too; with --crowded those "
               "that wait give theirs away\n";
    if (rank == 0) files.begin(bench);
    bench.run([&] {
        if (rank == 0) files.write(bench, false);
    });
    if (rank == 0) files.write(bench, true);
    const auto wrong = std::count_if(bench.results().begin(), bench.results().end(),
                                     [](const Result& result) { return !result.time.correct; });
    if (wrong > 0) return say(rank, failed, std::to_string(wrong) + " results are wrong: see WRONG above");
    return success;
}

int run(int argc, char** argv, MPI_Comm world) {
    int rank = 0, p = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &p);
    // MPI is not called inside of catch blocks: simulated ranks share a stack of caught exceptions.
    Options options;
    std::string wrong, failure;
    try {
        options = parse_options(argc, argv, p);
    } catch (const WrongUse& error) {
        wrong = error.what();
    }
    if (!wrong.empty()) return say(rank, wrong_use, wrong);
    if (options.help || options.version) {
        if (rank == 0)
            std::cout << (options.help ? help_text()
                                       : std::string("echelon-bench ") + ECHELON_VERSION + "\n" +
                                             mpi_library() + "\n");
        const std::string problem = problem_of_output();
        return problem.empty() ? success : say(rank, failed, problem);
    }
    if (p == 1)
        return say(rank, wrong_use, "one rank has nobody to talk to: start it as mpiexec -n 4 echelon-bench");
    try {
        const int code = measure(options, world, rank);
        const std::string problem = problem_of_output();
        return problem.empty() ? code : say(rank, failed, problem);  // the others end well: no abort
    } catch (const std::exception& error) {
        failure = error.what();
    }
    std::cerr << "echelon-bench: rank " << rank << ": " << failure << '\n';
    MPI_Abort(world, failed);
    return failed;
}

}  // namespace
}  // namespace echelon::bench

int main(int argc, char** argv) {
    echelon::bench::yield_if_crowded(argc, argv);
    MPI_Init(&argc, &argv);
    const int code = echelon::bench::run(argc, argv, MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
