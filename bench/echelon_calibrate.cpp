// SPDX-License-Identifier: Apache-2.0
// echelon-calibrate: measures the machine under the ranks that mpiexec started, and writes its profile.
#include "bench/calibrate_options.hpp"
#include "bench/measuring_program.hpp"
#include "core/file.hpp"
#include "core/table.hpp"
#include "estimators/network/readable.hpp"
#include "estimators/profile/profile_search.hpp"
#include "groups/layout.hpp"
#include "measure/calibrate.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/quirks.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

namespace echelon::bench {
namespace {

double elapsed() {
    static const auto began = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void print_parameters(const Parameters& found, const Placement& placement) {
    const auto messages = [](const char* where, bool measured, const Network& network, double residual) {
        std::cout << fmt::format("{:<25}", where)
                  << (measured ? fmt::format("{}   (residual {:.0f} %)\n", readable(network), 100 * residual)
                               : "not measured: there are none among these ranks\n");
    };
    const auto megabytes = [](const char* what, BytesPerSecond rate) {
        if (rate < unlimited) std::cout << fmt::format("{:<25}{}\n", what, readable_rate(rate));
    };
    const Machine& machine = found.machine;
    messages("messages inside a node", found.inside_is_measured, machine.inside, found.inside_residual);
    if (machine.torus && !placement.torus().empty()) {
        std::vector<int> size;
        for (const std::uint8_t ring : placement.torus().front().size)
            if (ring > 0) size.push_back(ring);
        std::cout << fmt::format("{:<25}{}: a message takes {} for each link more, {}\n", "torus found",
                                 fmt::join(size, " x "), readable(machine.torus->hop),
                                 readable_rate(machine.torus->link));
    }
    messages("messages between nodes", found.between_is_measured, machine.between, found.between_residual);
    for (const Beyond& one : machine.beyond) {
        const std::string parts(plural(one.level));
        if (placement.knows(one.level))
            std::cout << fmt::format("{:<25}{}\n", parts, 1 + std::ranges::max(placement.by_node(one.level)));
        messages(("messages between " + parts).c_str(), true, one.network, one.residual);
        megabytes(one.level == Level::site ? "a site's uplink" : "a switch's uplink", one.uplink);
    }
    megabytes("a node's network card", machine.card);
    megabytes("a node's memory", machine.memory);
    if (const auto& window = machine.window)
        std::cout << fmt::format("{:<25}{} a hand-over, {} a byte\n", "shared memory",
                                 readable(window->hand_over), readable(window->copy));
    std::cout << fmt::format(
        "{:<25}{}\n{:<25}{}\nfour of five algorithms are within {:.0f} % of their replays\n\n",
        "combining a byte", readable(machine.gamma), "copying a byte", readable(machine.copy),
        100 * found.residual);
}

/// Prints the best measured recipe against the library at each size.
void print_findings(const Profile& profile, const Training& training, int p, const std::string& layout) {
    const TextTable table({{"collective", 12, TextTable::Side::left},
                           {"bytes", 8},
                           {"native us", 13},
                           {"best us", 13},
                           {"recipe", 0, TextTable::Side::left}},
                          "");
    const auto us = [](double seconds) { return fmt::format("{:.2f}", 1e6 * seconds); };
    std::cout << table.head();
    for (const Collective collective : training.collectives)
        for (const Bytes bytes : training.sizes) {
            const Sample *best = nullptr, *native = nullptr;
            for (const Sample& one : profile.samples) {
                if (one.collective != collective || one.bytes != bytes || one.p != p || one.layout != layout)
                    continue;
                if (best == nullptr || one.seconds < best->seconds) best = &one;
                if (one.recipe.kind == Recipe::Kind::native) native = &one;
            }
            if (best == nullptr || native == nullptr) continue;
            std::cout << table.row({std::string(name(collective)), format_bytes(bytes), us(native->seconds),
                                    us(best->seconds), to_string(best->recipe)});
        }
}

std::string samples_text(const Profile& profile) {
    std::string text = csv_line({"collective", "p", "layout", "bytes", "recipe", "seconds", "spread"});
    for (const Sample& one : profile.samples)
        text += csv_line({std::string(name(one.collective)), std::to_string(one.p), one.layout,
                          std::to_string(one.bytes), to_string(one.recipe),
                          fmt::format("{:.9g}", one.seconds), fmt::format("{:.9g}", one.spread)});
    return text;
}

/// One line per collective; empty if all sizes were reached.
std::string not_reached(const Profile& profile, int p, const std::string& layout) {
    std::string text;
    for (const NotReached& one : profile.not_reached) {
        if (one.p != p || one.layout != layout) continue;
        std::string sizes;
        for (const Bytes bytes : one.sizes)
            sizes.append(sizes.empty() ? " " : ",").append(format_bytes(bytes));
        text.append(name(one.collective)).append(sizes).append("\n");
    }
    return text;
}

/// Reason not to measure these ranks; empty if they are measured.
std::string reason_not_to(const CommonStart& start, int p) {
    if (!start.crowded()) return "";
    return std::to_string(p) +
           " ranks share the processors of a node, and the scheduler would be measured: start as many as there are "
           "processors, each bound to its own or none bound, or say --crowded, with which ranks that wait give theirs away";
}

Profile profile_to_begin_with(const CalibrateOptions& options, int rank) {
    const std::string file =
        options.go_on && std::filesystem::exists(options.output) ? options.output : options.update;
    std::string text;
    if (rank == 0 && !file.empty()) text = read_file(file);
    text = broadcast(text, MPI_COMM_WORLD);
    return text.empty() ? Profile() : Profile::parse(text);
}

/// The profile's path: in a folder of profiles, which is made if missing, one for this fingerprint. Error: no
/// folder can be determined.
std::string place_profile(const CalibrateOptions& options, const Fingerprint& fingerprint) {
    namespace fs = std::filesystem;
    const fs::path place = options.install ? own_profiles() : options.output;
    if (place.empty()) throw Error("--install: neither HOME nor XDG_CONFIG_HOME says where your files are");
    std::error_code failed;
    const bool folder = options.install || fs::is_directory(place, failed) || !place.has_filename() ||
                        place.filename() == "profile.d";
    if (!folder) return place;
    fs::create_directories(place, failed);
    if (failed) throw Error("the folder " + place.string() + " cannot be made: " + failed.message());
    return place / file_name(fingerprint);
}

/// Replaces --output by the path to write. Returns the reason if it cannot be written, equal on all ranks.
/// Collective.
std::string prepare_outputs(CalibrateOptions& options, int rank) {
    int busiest = ranks_on_own_node(MPI_COMM_WORLD);
    check(MPI_Allreduce(MPI_IN_PLACE, &busiest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
    std::string problem;
    if (rank == 0) {
        try {
            Fingerprint here = fingerprint_here();
            here.ranks_per_node = busiest;
            options.output = place_profile(options, here);
            problem = problem_of_outputs({{"--output", options.output}, {"--samples", options.samples}});
        } catch (const Error& error) {
            problem = error.what();
        }
    }
    options.output = broadcast(options.output, MPI_COMM_WORLD);
    return broadcast(problem, MPI_COMM_WORLD);
}

int measure(CalibrateOptions& options, const Speaker& say) {
    (void)elapsed();
    const int rank = say.rank;
    if (const std::string problem = prepare_outputs(options, rank); !problem.empty())
        return say(failed, problem);
    State* const state = State::of(MPI_COMM_WORLD);
    Profile profile = profile_to_begin_with(options, rank);
    Trainer trainer(Tuner::of(*state));
    const std::string reason = options.crowded ? "" : reason_not_to(trainer.start(), state->size());
    if (!reason.empty()) return say(failed, reason);
    Training training{
        .collectives = options.collectives,
        .sizes = options.bytes,
        .shortlist = std::size_t(options.shortlist),
        .go_on = options.go_on,
        .seconds = quirks::simulated ? 0 : options.seconds  // virtual seconds differ from real ones
    };
    std::size_t done = 0;
    training.done = [&](Collective collective, Bytes bytes, int ranks, std::size_t measured) {
        if (rank != 0) return;
        write_file(options.output, to_json(profile));  // keeps the finished part after any failure
        const bool whole = ranks == state->size();
        done += whole ? 1 : 0;
        const double all = double(training.collectives.size() * training.sizes.size());
        std::cerr << progress_text(options.progress, "echelon-calibrate",
                                   fmt::format("{} {}{}: {} {}", name(collective), format_bytes(bytes),
                                               whole ? "" : fmt::format(" on {} ranks", ranks), measured,
                                               measured == 1 ? "recipe" : "recipes"),
                                   elapsed(), seconds_left(elapsed(), training.seconds, double(done) / all));
    };
    training.machine_done = [&] {
        if (rank == 0) write_file(options.output, to_json(profile));
    };
    calibrate(trainer, profile, training);
    if (rank != 0) return success;
    std::cerr << progress_end(options.progress);

    const Placement& placement = state->own().placement(true, true);
    const std::string layout = layout_in(profile, placement);
    std::cout << fmt::format("# {}; {} ranks, {}\n", mpi_library(), placement.size(), layout);
    print_parameters(*profile.parameters, placement);
    print_findings(profile, training, placement.size(), layout);
    write_file(options.output, to_json(profile));
    if (!options.samples.empty()) write_file(options.samples, samples_text(profile));
    if (const std::string missing = not_reached(profile, placement.size(), layout); !missing.empty())
        std::cout << fmt::format("\nnot reached within {} s; --continue goes on with it:\n{}",
                                 options.seconds, missing);
    const bool is_found =
        options.install || std::filesystem::path(options.output).parent_path().filename() == "profile.d";
    std::cout << fmt::format("\nwritten to {} after {} s; {}\n", options.output, int(elapsed()),
                             is_found ? "programs that it fits go by it from now on: echelon profiles"
                                      : "use it by ECHELON_PROFILE=" + options.output);
    return success;
}

}  // namespace
}  // namespace echelon::bench

int main(int argc, char** argv) {
    using namespace echelon::bench;
    return MeasuringProgram<CalibrateOptions>{"echelon-calibrate", parse_calibrate_options, calibrate_help,
                                              measure}
        .run(argc, argv);
}
