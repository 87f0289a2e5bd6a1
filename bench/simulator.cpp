// SPDX-License-Identifier: Apache-2.0
// Steps of a schedule that the simulator replays in a second, on one core: items_per_second.
#include "estimators/simulator/simulator.hpp"
#include "flat/allreduce.hpp"
#include "flat/barrier.hpp"
#include "flat/bcast.hpp"
#include "flat/gather.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace echelon;

constexpr Bytes element = 8;
constexpr Slice data{0, 1 << 20};
constexpr Bytes segment = data.count / 128 * element;

template <auto body>
PackedSchedule packed(int p) {
    const Args args{.data = data, .blocks = Blocks(data, p), .segment = segment};
    return pack(p, element, [&](Recorder& link) { body(link, args); });
}

const Machine flat = uniform_machine(Hockney{2e-6, 1e-10}, 3e-10);

Machine nodes_of_32(int p) {
    Machine machine{.inside = Hockney{5e-7, 2e-10}, .between = Hockney{2e-6, 1e-10}, .gamma = 3e-10};
    machine.nodes = block_nodes(p, 32);
    machine.card = 1.25e10;
    return machine;
}

constexpr bool uniform = false, shared_cards = true;

template <auto body, bool cards>
void replay(benchmark::State& state) {
    const int p = int(state.range(0));
    const PackedSchedule schedule = packed<body>(p);
    const Machine machine = cards ? nodes_of_32(p) : flat;
    for (auto _ : state) benchmark::DoNotOptimize(simulate(schedule, machine).makespan());
    state.SetItemsProcessed(state.iterations() * std::int64_t(schedule.ops.size()));
}

template <auto body>
void record_and_pack(benchmark::State& state) {
    std::size_t steps = 0;
    for (auto _ : state) steps = packed<body>(int(state.range(0))).ops.size();
    state.SetItemsProcessed(state.iterations() * std::int64_t(steps));
}

}  // namespace

BENCHMARK(replay<allreduce_ring, uniform>)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<allreduce_ring, shared_cards>)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<barrier_dissemination, uniform>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<barrier_dissemination, shared_cards>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<bcast_chain, uniform>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<gather_linear, uniform>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(record_and_pack<allreduce_ring>)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
