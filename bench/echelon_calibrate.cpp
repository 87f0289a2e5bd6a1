// SPDX-License-Identifier: Apache-2.0
// echelon-calibrate: measures the machine under the ranks that mpiexec started, and writes its profile.
#include "api/calibrate.hpp"
#include "bench/calibrate_options.hpp"
#include "bench/options.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"

#include <echelon/version.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace echelon::bench {
namespace {

enum ExitCode { success = 0, failed = 1, wrong_use = 2 };

int say(int rank, ExitCode code, const std::string& sentence) {
    if (rank == 0)
        std::cerr << "echelon-calibrate: " << sentence << (code == wrong_use ? "; see --help\n" : "\n");
    return code;
}

double elapsed() {
    static const auto began = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::string readable(const Network& network) {
    std::ostringstream text;
    text << std::setprecision(3);
    const auto line = [&](const Hockney& model) {
        text << model.alpha * 1e6 << " us + ";
        if (model.beta > 0)
            text << 1e-6 / model.beta << " MB/s";
        else
            text << "0 a byte";
    };
    if (const auto* one = std::get_if<Hockney>(&network)) line(*one);
    if (const auto* many = std::get_if<PiecewiseHockney>(&network))
        for (const auto& [from, model] : many->pieces) {
            text << (from == 0 ? "" : "; from " + format_bytes(from) + ' ');
            line(model);
        }
    return text.str();
}

void print_parameters(const Parameters& found) {
    const auto percent = [](double share) { return std::to_string(int(100 * share + 0.5)) + " %"; };
    std::cout << std::setprecision(3)  //
              << "messages inside a node   " << readable(found.machine.inside) << "   (residual "
              << percent(found.inside_residual) << ")\n"
              << "messages between nodes   " << readable(found.machine.between) << "   (residual "
              << percent(found.between_residual) << ")\n";
    if (found.machine.card < unlimited)
        std::cout << "a node's network card    " << found.machine.card * 1e-6 << " MB/s\n";
    if (found.machine.memory < unlimited)
        std::cout << "a node's memory          " << found.machine.memory * 1e-6 << " MB/s\n";
    std::cout << "combining a byte         " << found.machine.gamma * 1e9 << " ns\n"
              << "copying a byte           " << found.machine.copy * 1e9 << " ns\n"
              << "algorithms to their forms, typically off by " << percent(found.residual) << "\n\n";
}

/// What was found at each size: the best measured recipe against the library.
void print_findings(const Profile& profile, const Lessons& lessons, int p, const std::string& layout) {
    std::cout << std::left << std::setw(12) << "collective" << std::right << std::setw(9) << "bytes"
              << std::setw(14) << "native us" << std::setw(14) << "best us"
              << "  recipe\n";
    for (const Collective collective : lessons.collectives)
        for (const Bytes bytes : lessons.sizes) {
            const Sample *best = nullptr, *native = nullptr;
            for (const Sample& one : profile.samples) {
                if (one.collective != collective || one.bytes != bytes || one.p != p || one.layout != layout)
                    continue;
                if (best == nullptr || one.seconds < best->seconds) best = &one;
                if (one.recipe.kind == Recipe::Kind::native) native = &one;
            }
            if (best == nullptr || native == nullptr) continue;
            std::cout << std::left << std::setw(12) << name(collective) << std::right << std::setw(9)
                      << format_bytes(bytes) << std::fixed << std::setprecision(2) << std::setw(14)
                      << native->seconds * 1e6 << std::setw(14) << best->seconds * 1e6 << "  "
                      << to_string(best->recipe) << '\n';
        }
}

void write_samples(std::ostream& out, const Profile& profile) {
    out << "collective,p,layout,bytes,recipe,seconds,spread\n" << std::setprecision(9);
    for (const Sample& one : profile.samples)
        out << name(one.collective) << ',' << one.p << ',' << one.layout << ',' << one.bytes << ",\""
            << to_string(one.recipe) << "\"," << one.seconds << ',' << one.spread << '\n';
}

Profile profile_to_update(const CalibrateOptions& options, int rank) {
    std::string text;
    if (!options.update.empty() && rank == 0) text = read_text(options.update);
    text = broadcast(text, MPI_COMM_WORLD);
    return text.empty() ? Profile() : Profile::parse(text);
}

int measure(const CalibrateOptions& options, int rank) {
    State* const state = State::of(MPI_COMM_WORLD);
    Profile profile = profile_to_update(options, rank);
    Trainer trainer(*state);
    Lessons lessons{
        .collectives = options.collectives,
        .sizes = options.bytes,
        .shortlist = std::size_t(options.shortlist),
#ifdef ECHELON_SMPI
        .seconds = 0  // virtual seconds cost others
#else
        .seconds = options.seconds
#endif
    };
    lessons.done = [&](Collective collective, Bytes bytes, std::size_t measured) {
        if (rank == 0 && !options.quiet)
            std::cerr << "echelon-calibrate: " << name(collective) << ' ' << format_bytes(bytes) << ": "
                      << measured << " recipes, " << int(elapsed()) << " s\n";
    };
    calibrate(trainer, profile, lessons);
    if (rank != 0) return success;

    const Placement& placement = state->placement(true, true);
    std::cout << "# " << mpi_library() << "; " << placement.size() << " ranks, " << layout_of(placement)
              << "\n";
    print_parameters(*profile.parameters);
    print_findings(profile, lessons, placement.size(), layout_of(placement));
    std::ofstream output(options.output);
    output << to_json(profile);
    output.close();
    if (!output) return say(rank, failed, options.output + " cannot be written");
    if (!options.samples.empty()) {
        std::ofstream samples(options.samples);
        write_samples(samples, profile);
        samples.close();
        if (!samples) return say(rank, failed, options.samples + " cannot be written");
    }
    std::cout << "\nwritten to " << options.output << " after " << std::setprecision(0) << elapsed()
              << " s; use it by ECHELON_PROFILE=" << options.output << '\n';
    return success;
}

int run(int argc, char** argv) {
    int rank = 0, p = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    (void)elapsed();
    CalibrateOptions options;
    std::string wrong, failure;
    try {
        options = parse_calibrate_options(argc, argv);
    } catch (const WrongUse& error) {
        wrong = error.what();
    }
    if (!wrong.empty()) return say(rank, wrong_use, wrong);
    if (options.help || options.version) {
        if (rank == 0)
            std::cout << (options.help ? calibrate_help()
                                       : std::string("echelon-calibrate ") + ECHELON_VERSION + "\n" +
                                             mpi_library() + "\n");
        return success;
    }
    if (p == 1)
        return say(rank, wrong_use,
                   "one rank has nobody to talk to: start it as mpiexec -n 4 echelon-calibrate");
    try {
        return measure(options, rank);
    } catch (const std::exception& error) {
        failure = error.what();
    }
    std::cerr << "echelon-calibrate: rank " << rank << ": " << failure << '\n';
    MPI_Abort(MPI_COMM_WORLD, failed);
    return failed;
}

}  // namespace
}  // namespace echelon::bench

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int code = echelon::bench::run(argc, argv);
    MPI_Finalize();
    return code;
}
