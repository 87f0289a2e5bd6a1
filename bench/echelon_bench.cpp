// SPDX-License-Identifier: Apache-2.0
// echelon-bench: measures collectives on the ranks that mpiexec started, by many recipes and by the MPI
// library.
#include "bench/compare.hpp"
#include "bench/files.hpp"
#include "bench/regret.hpp"
#include "bench/yielding.hpp"
#include "mpi/fingerprint.hpp"
#include "options/command_line.hpp"
#include "options/output.hpp"

#include <echelon/version.h>
#include <mpi.h>

#include <algorithm>
#include <iostream>
#include <string>

namespace echelon::bench {
namespace {

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
    Comparison bench(options, world);
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
