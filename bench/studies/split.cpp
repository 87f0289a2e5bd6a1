// SPDX-License-Identifier: Apache-2.0
// Cost of splitting a communicator, paid once: a reduce on a communicator that is not split yet (a miss), the
// same call again (a hit), the two MPI_Comm_split in between, and the native reduce. Fig. 3 in Hasanov and
// Lastovetsky (2016) compares the splits with a reduce of 1 KB.
//   mpiexec -n 8 bench_split [--bytes 1K] [--recipe "leaders(sqrt, binomial, binomial)"] [--repetitions 50]
#include "cache/state.hpp"
#include "core/statistics.hpp"
#include "mpi/common_start.hpp"
#include "options/command_line.hpp"

#include <echelon/echelon.hpp>

#include <fmt/format.h>
#include <cstdio>
#include <iostream>
#include <vector>

namespace {

using namespace echelon;
namespace po = boost::program_options;

struct Options {
    Bytes bytes;
    std::string recipe;
    int repetitions;
};

/// No value: help was printed. Error: wrong use.
std::optional<Options> parse(int argc, char** argv, bool speaks) {
    std::string bytes;
    Options options;
    po::options_description known("bench_split: what dividing a communicator costs");
    auto add = known.add_options();
    add("help", "print this");
    add("bytes", po::value(&bytes)->default_value("1K"), "size of the reduce");
    add("recipe", po::value(&options.recipe)->default_value("leaders(sqrt, binomial, binomial)"),
        "what divides");
    add("repetitions", po::value(&options.repetitions)->default_value(50), "communicators made");
    const po::variables_map given = parsed({argv + 1, argv + argc}, known);
    if (given.count("help") != 0) {
        if (speaks) std::cout << known;
        return std::nullopt;
    }
    if (options.repetitions < 1) throw Error("--repetitions must be at least 1");
    options.bytes = parse_bytes(bytes);
    Recipe::parse(options.recipe);
    return options;
}

struct Samples {
    std::vector<double> native, splits, first, again;
    long splits_at_first = 0, splits_again = 0;
};

/// The two splits of a partition into about sqrt(p) groups, by the MPI library alone.
void split_twice(MPI_Comm comm) {
    const int rank = rank_of(comm);
    const Partition groups = resolve(Groups::sqrt(), size_of(comm));
    const int group = groups.group_of(rank), position = groups.position_of(rank);
    const Comm inside = Comm::split(comm, group, position), across = Comm::split(comm, position, group);
}

void measure(const Options& options, CommonStart& start, Samples& samples) {
    const int count = int(options.bytes / sizeof(double));
    std::vector<double> in(std::size_t(count), 1), out(in.size());
    const auto ours = [&](MPI_Comm comm) {
        reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, 0, comm);
    };

    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    PMPI_Reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, 0, fresh);  // connections, memory
    samples.native.push_back(
        start.time_once([&] { PMPI_Reduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, 0, fresh); }));
    samples.splits.push_back(start.time_once([&] { split_twice(fresh); }));
    samples.first.push_back(start.time_once([&] {
        Tuning(fresh).force("reduce", options.recipe);
        ours(fresh);
    }));
    const SplitCounters& counted = State::of(fresh)->own().split_counters();
    samples.splits_at_first = counted.splits;
    samples.again.push_back(start.time_once([&] { ours(fresh); }));
    samples.splits_again = counted.splits - samples.splits_at_first;
    MPI_Comm_free(&fresh);
}

void print(const Options& options, const Samples& samples) {
    const double native = median_interval(samples.native).median;
    fmt::print("reduce of {} on {} ranks, {}; median of {} communicators [95 % of the median]\n\n",
               format_bytes(options.bytes), size_of(MPI_COMM_WORLD), options.recipe, options.repetitions);
    const auto row = [&](const char* what, const std::vector<double>& seconds) {
        const MedianInterval us = median_interval(seconds);
        fmt::print("{:<42} {:10.2f} us [{:.2f} .. {:.2f}] {:8.2f} x native\n", what, us.median * 1e6,
                   us.low * 1e6, us.high * 1e6, us.median / native);
    };
    row("native reduce", samples.native);
    row("two MPI_Comm_split", samples.splits);
    row("first call: choice, division, plan, reduce", samples.first);
    row("second call", samples.again);
    fmt::print("\nsub-communicators made: {} in the first call, {} in the second\n", samples.splits_at_first,
               samples.splits_again);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const bool speaks = rank_of(MPI_COMM_WORLD) == 0;
    int exit_code = 0;
    try {
        if (const auto options = parse(argc, argv, speaks)) {
            CommonStart start(MPI_COMM_WORLD);
            Samples samples;
            for (int i = 0; i < options->repetitions; ++i) measure(*options, start, samples);
            if (speaks) print(*options, samples);
        }
    } catch (const std::exception& error) {
        if (speaks) fmt::print(stderr, "bench_split: {}\n", error.what());
        exit_code = 2;
    }
    MPI_Finalize();
    return exit_code;
}
