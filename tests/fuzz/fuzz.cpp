// SPDX-License-Identifier: Apache-2.0
// Runs random programs and compares every collective with the MPI library's own. scripts/fuzz starts it.
#include "fuzz/environment.hpp"
#include "fuzz/interpreter.hpp"
#include "fuzz/operation.hpp"
#include "fuzz/recipe.hpp"

#include <getopt.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace fuzz {
namespace {

struct Options {
    std::uint64_t seed = 1;
    int ranks = 0, first = 0, programs = 4, steps = 40;
    bool print = false, default_settings = false, threads = false, own_thread = false;
    std::string progress;
    Features features;
    /// program.step; empty: all.
    std::set<std::pair<int, int>> keep;
    struct Edit {
        int program, step;
        std::string field;
        long value;
    };
    std::vector<Edit> edits;
};

/// A number that launchers put into a rank's environment before MPI_Init.
int told(const char* mpich, const char* openmpi, int otherwise) {
    for (const char* const name : {mpich, openmpi})
        if (const char* const text = std::getenv(name)) return std::atoi(text);
    return otherwise;
}

Options parse(int argc, char** argv) {
    Options options;
    const option known[] = {
        {"seed", 1, nullptr, 's'},       {"ranks", 1, nullptr, 'n'},   {"first", 1, nullptr, 'f'},
        {"programs", 1, nullptr, 'p'},   {"steps", 1, nullptr, 'k'},   {"keep", 1, nullptr, 'K'},
        {"edit", 1, nullptr, 'e'},       {"without", 1, nullptr, 'w'}, {"progress", 1, nullptr, 'P'},
        {"print", 0, nullptr, 'v'},      {"default", 0, nullptr, 'd'}, {"threads", 0, nullptr, 't'},
        {"own-thread", 0, nullptr, 'o'}, {nullptr, 0, nullptr, 0}};
    for (int found = 0; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
        std::istringstream list(found == 'K' || found == 'e' ? optarg : "");
        switch (found) {
            case 's':
                options.seed = std::strtoull(optarg, nullptr, 0);
                break;
            case 'n':
                options.ranks = std::atoi(optarg);
                break;
            case 'f':
                options.first = std::atoi(optarg);
                break;
            case 'p':
                options.programs = std::atoi(optarg);
                break;
            case 'k':
                options.steps = std::atoi(optarg);
                break;
            case 'w':
                options.features.exclude(optarg);
                break;
            case 'P':
                options.progress = optarg;
                break;
            case 'v':
                options.print = true;
                break;
            case 'd':
                options.default_settings = true;
                break;
            case 't':
                options.threads = true;
                break;
            case 'o':
                options.own_thread = true;
                break;
            case 'K':
                for (std::string one; std::getline(list, one, ',');) {
                    int program = 0, step = 0;
                    if (std::sscanf(one.c_str(), "%d.%d", &program, &step) != 2)
                        throw std::runtime_error("--keep " + one + ": expected program.step");
                    options.keep.emplace(program, step);
                }
                break;
            case 'e':
                for (std::string one; std::getline(list, one, ',');) {
                    Options::Edit edit{};
                    char field[32];
                    if (std::sscanf(one.c_str(), "%d.%d:%31[a-z_]=%ld", &edit.program, &edit.step, field,
                                    &edit.value) != 4)
                        throw std::runtime_error("--edit " + one + ": expected program.step:field=value");
                    edit.field = field;
                    options.edits.push_back(edit);
                }
                break;
            default:
                throw std::runtime_error("unknown option");
        }
    }
    return options;
}

std::vector<Step> steps_of(const Options& options, int program, int ranks) {
    const AsStarted as_started;
    std::vector<Step> steps;
    for (Step& step : random_program(options.seed, program, options.steps, ranks, options.features)) {
        if (!options.keep.empty() && options.keep.count({program, step.number}) == 0) continue;
        for (const auto& one : options.edits)
            if (one.program == program && one.step == step.number && !edit(step, one.field, one.value))
                throw std::runtime_error("--edit: a step has no '" + one.field + "'");
        steps.push_back(std::move(step));
    }
    return steps;
}

void print(const Options& options, int ranks) {
    for (const auto& [key, value] : random_settings(options.seed, -1, ranks))
        if (!options.default_settings) std::printf("%s='%s'\n", key.c_str(), value.c_str());
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string text = Environment(options.seed, rank, ranks, options.features).words();
        if (!text.empty()) std::printf("rank %d: %s\n", rank, text.c_str());
    }
    for (int program = options.first; program < options.first + options.programs; ++program)
        for (const Step& step : steps_of(options, program, ranks)) std::printf("%s\n", words(step).c_str());
}

/// Runs one communicator per thread, all at once.
Tally run_threads(const Options& options, int ranks, Environment& environment, Progress& progress) {
    constexpr int number = 3;
    std::vector<MPI_Comm> comms(number);
    for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    std::vector<std::vector<Step>> steps(number);
    for (int program = options.first; program < options.first + options.programs; ++program)
        for (int t = 0; t < number; ++t)
            for (Step& step : steps_of(options, program * number + t, ranks))
                steps[std::size_t(t)].push_back(std::move(step));
    environment.at_once();
    std::vector<Tally> tallies(number);
    std::vector<std::thread> threads;
    for (int t = 0; t < number; ++t)
        threads.emplace_back([&, t] {
            Interpreter interpreter(comms[std::size_t(t)], progress);
            for (Step& step : steps[std::size_t(t)]) {
                // Open MPI hangs if several threads make communicators, and info keys make some.
                if (step.act == Act::make || step.act == Act::drop || step.act == Act::tell) continue;
                step.slot = 0;
                interpreter.run(step);
            }
            tallies[std::size_t(t)] = interpreter.tally();
        });
    for (auto& thread : threads) thread.join();
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    Tally all;
    for (const Tally& one : tallies) {
        all.failures += one.failures;
        for (const auto& [call, times] : one.compared) all.compared[call] += times;
    }
    return all;
}

Tally run_programs(const Options& options, int ranks, Environment& environment, Progress& progress) {
    Interpreter interpreter(MPI_COMM_WORLD, progress);
    for (int program = options.first; program < options.first + options.programs; ++program) {
        for (const Step& step : steps_of(options, program, ranks)) {
            environment.at(program, step.number);
            interpreter.run(step);
        }
        interpreter.clear();
    }
    return interpreter.tally();
}

int run(const Options& options, int argc, char** argv) {
    int rank = told("PMI_RANK", "OMPI_COMM_WORLD_RANK", 0),
        ranks = told("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", 1);
    Environment environment(options.seed, rank, ranks, options.features);
    if (!options.print) {
        environment.before_init(argv);
        // The user's files have no effect unless named.
        setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
        setenv("ECHELON_PROFILE", "none", 0);
        if (!options.default_settings && options.features.allow("settings"))
            for (const auto& [key, value] : random_settings(options.seed, rank, ranks))
                setenv(key.c_str(), value.c_str(), 0);
    }
    if (options.own_thread) setenv("ECHELON_PROGRESS", "thread", 1);
    environment.init(&argc, &argv, options.threads || options.own_thread);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    make_user_operations();
    long failures = 0;
    if (options.print) {
        if (rank == 0) print(options, options.ranks > 0 ? options.ranks : ranks);
    } else {
        environment.after_init();
        Progress progress(options.progress, rank);
        const Tally tally = options.threads ? run_threads(options, ranks, environment, progress)
                                            : run_programs(options, ranks, environment, progress);
        PMPI_Allreduce(&tally.failures, &failures, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        std::string line = "COMPARED";
        for (const auto& [call, times] : tally.compared) line += " '" + call + "':" + std::to_string(times);
        if (rank == 0) say(line);
        progress.at(0, 0, 0, Progress::Doing::ended);
    }
    free_user_operations();
    MPI_Finalize();
    return failures == 0 ? 0 : 3;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
    try {
        return fuzz::run(fuzz::parse(argc, argv), argc, argv);
    } catch (const std::exception& error) {
        fuzz::say(std::string("fuzz: ") + error.what());
        return 2;
    }
}
