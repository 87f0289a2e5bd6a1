// SPDX-License-Identifier: Apache-2.0
#include "apps/common/example.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "options/command_line.hpp"
#include "options/output.hpp"

#include <chrono>
#include <iostream>
#include <thread>

/// SimGrid's function, present if ranks are simulated.
extern "C" __attribute__((weak)) void smpi_execute_benched(double seconds);

namespace examples {
namespace {

/// Lets time pass without computing.
void pass(double seconds) {
    if (smpi_execute_benched != nullptr) return smpi_execute_benched(seconds);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

constexpr int success = 0, failed = 1, wrong_use = 2;

}  // namespace

Example::Example(const std::string& program, const std::string& about, Modelled how)
    : program_(program), about_(about), how_(how), options_("Options", 100), report_(program) {}

void Example::compute(Report::Row& row, double operations, const std::function<void()>& compute) {
    row.time([&] {
        if (!modelled()) compute();
        if (model_flops_ > 0) pass(operations / model_flops_);
    });
}

bool Example::parse(int argc, char** argv) {
    try {
        auto add = options();
        add("model-flops", po::value(&model_flops_)->value_name("RATE")->default_value(0, "none"),
            how_ == Modelled::instead
                ? "do not compute: let the time pass that a processor of so many floating-point operations per second "
                  "would take. For simulated ranks; results are not checked"
                : "let the time pass that a processor of so many floating-point operations per second would take. For "
                  "simulated ranks, for whom computing itself takes no time");
        add("json", po::value(&json_)->value_name("FILE"), "write the report as JSON too");
        add("help", "print this");
        if (echelon::parsed({argv + 1, argv + argc}, options_).count("help") != 0) return true;
    } catch (const po::error& error) {
        throw WrongUse(error.what());
    }
    if (!(model_flops_ >= 0)) throw WrongUse("--model-flops: expected a number from 0 on");
    return false;
}

bool Example::writable(int rank) const {
    if (json_.empty()) return true;
    int well = 1;
    if (rank == 0) {
        try {
            echelon::check_writable(json_);
        } catch (const echelon::Error& error) {
            std::cerr << program_ << ": --json: " << error.what() << '\n';
            well = 0;
        }
    }
    MPI_Bcast(&well, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return well != 0;
}

bool Example::written(const std::string& json) const {
    try {
        if (!json_.empty()) echelon::write_file(json_, json);
        const std::string problem = echelon::problem_of_output();
        if (problem.empty()) return true;
        std::cerr << program_ << ": " << problem << '\n';
    } catch (const echelon::Error& error) {
        std::cerr << program_ << ": --json: " << error.what() << '\n';
    }
    return false;
}

int Example::run_ranks(int argc, char** argv, const std::function<bool(MPI_Comm)>& application) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // MPI is not called inside catch blocks: simulated ranks share a stack of caught exceptions.
    std::string wrong, failure;
    try {
        if (parse(argc, argv)) {
            if (rank == 0)
                std::cout << program_ << ": " << about_ << "\n\n"
                          << options_
                          << "\nExit codes: 0, 1 (a result was wrong, or something failed), 2 (wrong use).\n";
            return rank != 0 || written("") ? success : failed;
        }
        if (!writable(rank)) return failed;
        if (modelled()) report_.note("computation", "modelled, not checked");
        const bool right = application(MPI_COMM_WORLD);
        const std::string json = report_.print(std::cout, MPI_COMM_WORLD);
        if (!right && rank == 0) std::cerr << program_ << ": the result is WRONG\n";
        return (rank != 0 || written(json)) && right ? success : failed;
    } catch (const WrongUse& error) {
        wrong = error.what();
    } catch (const std::exception& error) {
        failure = error.what();
    }
    if (!wrong.empty()) {
        if (rank == 0) std::cerr << program_ << ": " << echelon::with_help(wrong, "--help") << '\n';
        return wrong_use;
    }
    std::cerr << program_ << ": rank " << rank << ": " << failure << '\n';
    MPI_Abort(MPI_COMM_WORLD, failed);
    return failed;
}

int Example::run(int argc, char** argv, const std::function<bool(MPI_Comm)>& application) {
    MPI_Init(&argc, &argv);
    const int code = run_ranks(argc, argv, application);
    MPI_Finalize();
    return code;
}

}  // namespace examples
