// SPDX-License-Identifier: Apache-2.0
// Cost of a new decision: the first call of a size on a known communicator. Argument: the number of ranks, 16
// a node.
#include "estimators/choice/advisor.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "groups/layout.hpp"

#include <benchmark/benchmark.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace echelon;

/// A profile like a calibration makes: at each power of two the native time and some dozens of recipes.
std::shared_ptr<const Profile> calibrated(const Placement& placement) {
    auto profile = std::make_shared<Profile>();
    profile->parameters = Parameters{.machine = {.inside = Hockney{5e-7, 2.5e-10},
                                                 .between = Hockney{2e-5, 8e-10},
                                                 .card = 1.25e9,
                                                 .gamma = 3e-10}};
    Decider model(profile, placement);
    const std::string layout = layout_of(placement);
    constexpr std::size_t recipes = 60;
    std::vector<Sample> samples;
    for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::bcast})
        for (Bytes bytes = 8; bytes <= Bytes(4) << 20; bytes *= 2) {
            double noise = 0.9;
            const auto list = model.shortlist(collective, bytes, {}, recipes);
            for (const Candidate& one : list) {
                noise = noise > 1.1 ? 0.9 : noise + 0.013;
                samples.push_back(
                    {collective, placement.size(), layout, bytes, one.recipe, noise * one.expected, 0.01});
            }
            samples.push_back(
                {collective, placement.size(), layout, bytes, {}, 1.5 * list.front().expected, 0.01});
        }
    profile->samples = std::move(samples);
    return profile;
}

void new_size(benchmark::State& state, Collective collective) {
    const Placement placement = placement_of_layout(std::to_string(state.range(0) / 16) + "x16");
    const auto profile = calibrated(placement);
    std::optional<Advisor> advisor;
    // Each iteration takes a new size class; after the last one the advisor is made anew, unmeasured.
    Bytes bytes = ~Bytes(0) / 2;
    for (auto _ : state) {
        bytes += Decider::size_class(bytes) / 8 + 1;
        if (bytes > Bytes(4) << 20) {
            state.PauseTiming();
            advisor.emplace(profile, placement);
            (void)advisor->advise(collective, 8, {});
            bytes = 16;
            state.ResumeTiming();
        }
        benchmark::DoNotOptimize(advisor->advise(collective, bytes, {}));
    }
}

/// Decision on a communicator without any earlier decision.
void new_communicator(benchmark::State& state, Collective collective) {
    const Placement placement = placement_of_layout(std::to_string(state.range(0) / 16) + "x16");
    const auto profile = calibrated(placement);
    for (auto _ : state) {
        Advisor advisor(profile, placement);
        benchmark::DoNotOptimize(advisor.advise(collective, 1000, {}));
    }
}

/// Decision by a profile of 16 ranks a node on a part of them: 3 on the first node, 16 on each other.
void part_of_measured(benchmark::State& state, Collective collective, Bytes bytes) {
    const Placement whole = placement_of_layout(std::to_string(state.range(0) / 16) + "x16");
    const auto profile = calibrated(whole);
    std::vector<int> most(std::size_t(whole.size()) - 13);
    std::iota(most.begin(), most.end(), 13);
    const Placement part = whole.of(most);
    for (auto _ : state) {
        Decider decider(profile, part);
        benchmark::DoNotOptimize(decider.chosen(collective, bytes, {}, Policy::model).rivals);
    }
}

/// Decision without measurements on 8 ranks a node, like rank 0 makes it after some calls with nothing set.
void nothing_known(benchmark::State& state, Collective collective, Bytes bytes) {
    const int p = int(state.range(0));
    const Placement placement = placement_of_layout(std::to_string(p / 8) + "x8");
    for (auto _ : state) {
        Decider prior(built_in_profile(), placement, Width::few);
        benchmark::DoNotOptimize(prior.chosen(collective, bytes, {}, Policy::model).rivals);
    }
}

/// 2 to 61 nodes with different numbers of ranks up to 12; every third time up to 11 nodes of up to 64.
Placement drawn(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const bool wide = seed % 3 == 0;
    const std::uint64_t nodes = 2 + random() % (wide ? 10 : 60),
                        most = wide ? 16 + random() % 49 : 1 + random() % 12;
    std::vector<Location> ranks;
    for (std::uint64_t node = 0; node < nodes; ++node)
        ranks.insert(ranks.end(), 1 + random() % most, Location{.node = node});
    return Placement::from(ranks);
}

/// nothing_known on layouts drawn by a seed; the label gives the numbers of ranks and nodes.
void nothing_known_drawn(benchmark::State& state, Collective collective, Bytes bytes) {
    const Placement placement = drawn(std::uint64_t(state.range(0)));
    state.SetLabel(std::to_string(placement.size()) + " on " + std::to_string(placement.node_count()));
    for (auto _ : state) {
        Decider prior(built_in_profile(), placement, Width::few);
        benchmark::DoNotOptimize(prior.chosen(collective, bytes, {}, Policy::model).rivals);
    }
}

/// The shortlist that a calibration measures first at a size; all ranks compute the shortlists of all sizes
/// side by side.
void shortlist(benchmark::State& state, Collective collective, Bytes bytes) {
    const Placement placement = placement_of_layout(std::to_string(state.range(0) / 16) + "x16");
    const auto profile = std::make_shared<Profile>();
    profile->parameters = calibrated(placement_of_layout("2x16"))->parameters;
    constexpr std::size_t most = 8;
    for (auto _ : state) {
        Decider decider(profile, placement);
        benchmark::DoNotOptimize(decider.shortlist(collective, bytes, {}, most));
    }
}

void known_size(benchmark::State& state) {
    const Placement placement = placement_of_layout(std::to_string(state.range(0) / 16) + "x16");
    Advisor advisor(calibrated(placement), placement);
    for (auto _ : state) benchmark::DoNotOptimize(advisor.advise(Collective::allreduce, 1024, {}));
}

void ranks(benchmark::internal::Benchmark* one) {
    one->Arg(64)->Arg(512)->Arg(4096)->Unit(benchmark::kMicrosecond);
}

void many_ranks(benchmark::internal::Benchmark* one) {
    one->Arg(64)->Arg(1024)->Arg(10000)->Unit(benchmark::kMillisecond);
}

void few_ranks(benchmark::internal::Benchmark* one) {
    one->Arg(24)->Arg(56)->Arg(128)->Arg(512)->Arg(4096)->Arg(65536)->Unit(benchmark::kMicrosecond);
}

void some_ranks(benchmark::internal::Benchmark* one) {
    one->Arg(32)->Arg(64)->Arg(128)->Unit(benchmark::kMicrosecond);
}

void some_seeds(benchmark::internal::Benchmark* one) {
    one->DenseRange(1, 12)->Unit(benchmark::kMicrosecond);
}

}  // namespace

BENCHMARK_CAPTURE(new_size, allreduce, Collective::allreduce)->Apply(ranks);
BENCHMARK_CAPTURE(new_size, reduce, Collective::reduce)->Apply(ranks);
BENCHMARK_CAPTURE(new_size, bcast, Collective::bcast)->Apply(ranks);
BENCHMARK_CAPTURE(new_communicator, allreduce, Collective::allreduce)->Apply(ranks);
BENCHMARK_CAPTURE(new_communicator, bcast, Collective::bcast)->Apply(ranks);
BENCHMARK_CAPTURE(nothing_known, allreduce_8, Collective::allreduce, 8)->Apply(few_ranks);
BENCHMARK_CAPTURE(nothing_known, allreduce_64K, Collective::allreduce, 64 << 10)->Apply(few_ranks);
BENCHMARK_CAPTURE(nothing_known, reduce_64K, Collective::reduce, 64 << 10)->Apply(few_ranks);
BENCHMARK_CAPTURE(nothing_known, bcast_1K, Collective::bcast, 1 << 10)->Apply(few_ranks);
BENCHMARK_CAPTURE(nothing_known, allgather_64K, Collective::allgather, 64 << 10)->Apply(few_ranks);
BENCHMARK_CAPTURE(nothing_known, alltoall_64K, Collective::alltoall, 64 << 10)->Apply(few_ranks);
BENCHMARK_CAPTURE(nothing_known_drawn, allreduce_8, Collective::allreduce, 8)->Apply(some_seeds);
BENCHMARK_CAPTURE(nothing_known_drawn, allreduce_1M, Collective::allreduce, 1 << 20)->Apply(some_seeds);
BENCHMARK_CAPTURE(nothing_known_drawn, reduce_64K, Collective::reduce, 64 << 10)->Apply(some_seeds);
BENCHMARK_CAPTURE(nothing_known_drawn, alltoall_64K, Collective::alltoall, 64 << 10)->Apply(some_seeds);
BENCHMARK_CAPTURE(part_of_measured, allreduce_1K, Collective::allreduce, 1 << 10)->Apply(some_ranks);
BENCHMARK_CAPTURE(part_of_measured, allreduce_256K, Collective::allreduce, 256 << 10)->Apply(some_ranks);
BENCHMARK_CAPTURE(part_of_measured, reduce_64K, Collective::reduce, 64 << 10)->Apply(some_ranks);
BENCHMARK_CAPTURE(part_of_measured, bcast_64K, Collective::bcast, 64 << 10)->Apply(some_ranks);
BENCHMARK_CAPTURE(part_of_measured, alltoall_64K, Collective::alltoall, 64 << 10)->Apply(some_ranks);
BENCHMARK_CAPTURE(shortlist, allreduce_8, Collective::allreduce, 8)->Apply(many_ranks);
BENCHMARK_CAPTURE(shortlist, allreduce_1M, Collective::allreduce, 1 << 20)->Apply(many_ranks);
BENCHMARK_CAPTURE(shortlist, bcast_1M, Collective::bcast, 1 << 20)->Apply(many_ranks);
BENCHMARK(known_size)->Arg(512)->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
