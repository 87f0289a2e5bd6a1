// SPDX-License-Identifier: Apache-2.0
// echelon-bench: measures collectives on the ranks that mpiexec started, by many recipes and by the MPI
// library.
#include "bench/compare.hpp"
#include "bench/files.hpp"
#include "bench/measuring_program.hpp"
#include "bench/regret.hpp"
#include "mpi/agree.hpp"

#include <algorithm>
#include <iostream>
#include <string>

namespace echelon::bench {
namespace {

int measure(Options& options, const Speaker& say) {
    const MPI_Comm world = MPI_COMM_WORLD;
    const int rank = say.rank;
    Files files(options, rank);
    if (!as_rank_0_says(files.problem().empty(), world)) return say(failed, files.problem());

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
            << "echelon-bench: ranks share processors, and times contain the scheduler's; with --crowded waiting "
               "ranks yield\n";
    if (rank == 0) files.begin(bench);
    bench.run([&] {
        if (rank == 0) files.write(bench, false);
    });
    if (rank == 0) files.write(bench, true);
    const auto wrong = std::count_if(bench.results().begin(), bench.results().end(),
                                     [](const Result& result) { return !result.time.correct; });
    if (wrong > 0) return say(failed, std::to_string(wrong) + " results are wrong: see WRONG above");
    return success;
}

}  // namespace
}  // namespace echelon::bench

int main(int argc, char** argv) {
    using namespace echelon::bench;
    return MeasuringProgram<Options>{"echelon-bench", parse_options, help_text, measure}.run(argc, argv);
}
