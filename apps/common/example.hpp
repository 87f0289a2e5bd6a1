// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/report.hpp"

#include <mpi.h>
#include <boost/program_options.hpp>
#include <functional>
#include <stdexcept>
#include <string>

namespace examples {

namespace po = boost::program_options;

/// Wrong use: one sentence, what, where and what would be right.
struct WrongUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// With --model-flops: whether the computation is left out, or done beside the time that passes. Where data
/// steers a program, only the latter will do.
enum class Modelled { instead, beside };

/// What surrounds an application: its command line, its report, and how it ends.
///
///     int main(int argc, char** argv) {
///         int steps = 0;
///         examples::Example example("heat", "Lets a plate cool.");
///         example.options()("steps", examples::po::value(&steps)->default_value(10), "how many");
///         return example.run(argc, argv, [&](MPI_Comm world) { ...; return correct; });
///     }
class Example {
public:
    /// `about`: what it does, for --help.
    Example(const std::string& program, const std::string& about, Modelled how = Modelled::instead);

    po::options_description_easy_init options() { return options_.add_options(); }
    Report& report() { return report_; }

    /// Computation of so many operations: `compute` runs, or, with --model-flops, as much time passes as a
    /// processor of that speed would take, instead or beside. Simulated time under SMPI.
    void compute(Report::Row& row, double operations, const std::function<void()>& compute);
    /// There is nothing that could be checked.
    bool modelled() const { return model_flops_ > 0 && how_ == Modelled::instead; }

    /// The body of main: runs `application` between MPI_Init and MPI_Finalize and prints its report. It
    /// returns whether its results were right; this and WrongUse, which it may throw, alike on all ranks.
    /// Returns the exit code: 0, 1 (wrong results, or something failed), 2 (wrong use).
    int run(int argc, char** argv, const std::function<bool(MPI_Comm world)>& application);

private:
    int run_ranks(int argc, char** argv, const std::function<bool(MPI_Comm)>& application);
    /// True: --help was asked for.
    bool parse(int argc, char** argv);
    /// Whether the file of --json could be written, tried before the work; rank 0 says why not. Collective.
    bool writable(int rank) const;
    /// On rank 0: writes that file, and the rest of what was printed; else says why not.
    bool written(const std::string& json) const;

    std::string program_, about_, json_;
    Modelled how_;
    double model_flops_ = 0;
    po::options_description options_;
    Report report_;
};

}  // namespace examples
