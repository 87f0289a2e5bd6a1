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

/// Wrong use, in one sentence: the mistake, its place and the correct form.
struct WrongUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Effect of --model-flops: the time of a computation passes in place of it, or in addition to it. A program
/// that is steered by its data needs the latter.
enum class Modelled { instead, beside };

/// Frame of an application: its command line, its report, and its exit.
///
///     int main(int argc, char** argv) {
///         int steps = 0;
///         examples::Example example("heat", "Lets a plate cool.");
///         example.options()("steps", examples::po::value(&steps)->default_value(10), "how many");
///         return example.run(argc, argv, [&](MPI_Comm world) { ...; return correct; });
///     }
class Example {
public:
    /// `about`: purpose of the program, for --help.
    Example(const std::string& program, const std::string& about, Modelled how = Modelled::instead);

    po::options_description_easy_init options() { return options_.add_options(); }
    Report& report() { return report_; }

    /// Runs `compute`, which takes `operations` floating point operations. With --model-flops, lets the time
    /// pass that a processor of that speed would take, instead of it or beside it. Under SMPI this is
    /// simulated time.
    void compute(Report::Row& row, double operations, const std::function<void()>& compute);
    /// True if there is no result to check, because the computation is left out.
    bool modelled() const { return model_flops_ > 0 && how_ == Modelled::instead; }

    /// The body of main: runs `application` between MPI_Init and MPI_Finalize and prints its report.
    /// `application` returns true if its results are right, and may throw WrongUse; both must be equal on all
    /// ranks. Returns the exit code: 0, 1 (wrong results or a failure), 2 (wrong use).
    int run(int argc, char** argv, const std::function<bool(MPI_Comm world)>& application);

private:
    int run_ranks(int argc, char** argv, const std::function<bool(MPI_Comm)>& application);
    /// Returns true if --help was given.
    bool parse(int argc, char** argv);
    /// Tries to open the file of --json before the work; rank 0 reports a failure. Collective.
    bool writable(int rank) const;
    /// On rank 0: writes that file and flushes standard output; reports a failure.
    bool written(const std::string& json) const;

    std::string program_, about_, json_;
    Modelled how_;
    double model_flops_ = 0;
    po::options_description options_;
    Report report_;
};

}  // namespace examples
