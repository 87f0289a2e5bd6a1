// SPDX-License-Identifier: Apache-2.0
// How many steps of a schedule the simulator replays in a second, on one core: items_per_second.
#include "estimators/simulator/simulator.hpp"
#include "core/blocks.hpp"
#include "core/ranks.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace echelon;

void ring_allreduce(Recorder& link, std::size_t count) {
    const int p = link.size(), me = link.rank(), next = wrap(me + 1, p), prev = wrap(me - 1, p);
    const Blocks blocks(count, p);
    for (int step = 0; step < p - 1; ++step)
        link.exchange_reduce(next, blocks[wrap(me - 1 - step, p)], prev, blocks[wrap(me - 2 - step, p)],
                             Side::before);
    for (int step = 0; step < p - 1; ++step)
        link.exchange(next, blocks[wrap(me - step, p)], prev, blocks[wrap(me - 1 - step, p)]);
}

void dissemination(Recorder& link, std::size_t) {
    const int p = link.size();
    for (int distance = 1; distance < p; distance *= 2)
        link.exchange(wrap(link.rank() + distance, p), {0, 0}, wrap(link.rank() - distance, p), {0, 0});
}

void pipelined_bcast(Recorder& link, std::size_t count) {
    const Segments segments({0, count}, (count + 127) / 128);
    auto sending = Link::Ticket::none;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (link.rank() > 0) link.receive(link.rank() - 1, segments[i]);
        link.wait(sending);
        if (link.rank() + 1 < link.size()) sending = link.start_send(link.rank() + 1, segments[i]);
    }
    link.wait(sending);
}

void flat_gather(Recorder& link, std::size_t count) {
    std::vector<Link::Ticket> tickets;
    for (int from = 1; from < link.size() && link.rank() == 0; ++from)
        tickets.push_back(link.start_receive(from, {0, count}));
    if (link.rank() > 0) tickets.push_back(link.start_send(0, {0, count}));
    for (const auto ticket : tickets) link.wait(ticket);
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
    const auto packed = pack(p, 8, [](Recorder& link) { body(link, 1 << 20); });
    const Machine machine = cards ? nodes_of_32(p) : flat;
    for (auto _ : state) benchmark::DoNotOptimize(simulate(packed, machine).makespan());
    state.SetItemsProcessed(state.iterations() * std::int64_t(packed.ops.size()));
}

template <auto body>
void record_and_pack(benchmark::State& state) {
    std::size_t steps = 0;
    for (auto _ : state)
        steps = pack(int(state.range(0)), 8, [](Recorder& link) { body(link, 1 << 20); }).ops.size();
    state.SetItemsProcessed(state.iterations() * std::int64_t(steps));
}

}  // namespace

BENCHMARK(replay<ring_allreduce, uniform>)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<ring_allreduce, shared_cards>)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<dissemination, uniform>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<dissemination, shared_cards>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<pipelined_bcast, uniform>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<flat_gather, uniform>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(record_and_pack<ring_allreduce>)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
