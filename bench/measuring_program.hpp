// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/options.hpp"
#include "bench/yielding.hpp"
#include "mpi/fingerprint.hpp"
#include "options/command_line.hpp"
#include "options/output.hpp"

#include <echelon/version.h>
#include <mpi.h>

#include <iostream>
#include <string>

namespace echelon::bench {

enum ExitCode { success = 0, failed = 1, wrong_use = 2 };

/// Prints a reason for the end of a program, on rank 0 for all; returns the exit code.
struct Speaker {
    std::string program;
    int rank = 0;
    int operator()(ExitCode code, const std::string& sentence) const {
        if (rank == 0)
            std::cerr << program << ": " << (code == wrong_use ? with_help(sentence, "--help") : sentence)
                      << '\n';
        return code;
    }
};

/// A program that measures on the ranks that mpiexec started, two at least. `Options` have `help` and
/// `version`.
template <class Options>
struct MeasuringProgram {
    std::string name;
    /// Reads the command line on `p` ranks. Throws WrongUse, equally on all of them.
    Options (*read)(int argc, const char* const* argv, int p);
    std::string (*help)();
    /// Returns the exit code, equal on all ranks; an exception ends the job.
    int (*measure)(Options& options, const Speaker& say);

    /// The exit code of main().
    int run(int argc, char** argv) const {
        yield_if_crowded(argc, argv);
        MPI_Init(&argc, &argv);
        const int code = run_on_ranks(argc, argv);
        MPI_Finalize();
        return code;
    }

private:
    int run_on_ranks(int argc, char** argv) const {
        Speaker say{name};
        int p = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &say.rank);
        MPI_Comm_size(MPI_COMM_WORLD, &p);
        // MPI is not called inside catch blocks: simulated ranks share a stack of caught exceptions.
        Options options;
        std::string wrong, failure;
        try {
            options = read(argc, argv, p);
        } catch (const WrongUse& error) {
            wrong = error.what();
        }
        if (!wrong.empty()) return say(wrong_use, wrong);
        if (options.help || options.version) {
            if (say.rank == 0)
                std::cout << (options.help ? help()
                                           : name + ' ' + ECHELON_VERSION + '\n' + mpi_library() + '\n');
            return written(success, say);
        }
        if (p == 1)
            return say(wrong_use,
                       "one rank alone: start it by the launcher of its MPI, as mpiexec -n 4 " + name);
        try {
            return written(measure(options, say), say);
        } catch (const std::exception& error) {
            failure = error.what();
        }
        std::cerr << name << ": rank " << say.rank << ": " << failure << '\n';
        MPI_Abort(MPI_COMM_WORLD, failed);
        return failed;
    }

    /// A rank whose output cannot be written has failed; the others end normally, without an abort.
    static int written(int code, const Speaker& say) {
        const std::string problem = problem_of_output();
        return problem.empty() ? code : say(failed, problem);
    }
};

}  // namespace echelon::bench
