// SPDX-License-Identifier: Apache-2.0
// Overhead of Echelon in a call, part by part: looking up the communicator's attribute, the plan and the
// partition; and costs of each new call, parsing and resolving a recipe. On 4 ranks; rank 0 measures while
// the others sleep.
//   mpiexec -n 4 bench_nanoseconds
#include "cache/state.hpp"
#include "hier/phase.hpp"

#include <benchmark/benchmark.h>
#include <echelon/echelon.hpp>

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using namespace echelon;

constexpr const char* three_levels = "leaders(node, chain(seg=32K), lanes(sqrt, ring, recursive_doubling))";

/// Time of MPI itself to find an attribute.
void mpi_attribute(benchmark::State& loop) {
    const int keyval = Process::instance()->keyval();
    for (auto _ : loop) {
        void* found = nullptr;
        int flag = 0;
        PMPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &found, &flag);
        benchmark::DoNotOptimize(found);
    }
}

void state_of_communicator(benchmark::State& loop) {
    for (auto _ : loop) benchmark::DoNotOptimize(State::of(MPI_COMM_WORLD));
}

/// Look-up among `range` plans of the communicator.
void plan_hit(benchmark::State& loop) {
    std::unordered_map<PlanKey, Plan, PlanKeyHash> plans;
    std::vector<PlanKey> keys;
    for (int i = 0; i < loop.range(0); ++i) {
        keys.push_back({Collective::allreduce, false, true, 0, 8, std::size_t(1) << (i % 24) | unsigned(i)});
        plans.try_emplace(keys.back());
    }
    std::size_t i = 0;
    for (auto _ : loop) {
        benchmark::DoNotOptimize(plans.find(keys[i]));
        if (++i == keys.size()) i = 0;
    }
}

void division_hit(benchmark::State& loop) {
    MpiTeam& site = State::of(MPI_COMM_WORLD)->own().team();
    const Groups groups = Groups::sqrt();
    for (auto _ : loop) benchmark::DoNotOptimize(&site.split(groups));
}

void parse_flat(benchmark::State& loop) {
    for (auto _ : loop) benchmark::DoNotOptimize(Recipe::parse("ring"));
}

void parse_three_levels(benchmark::State& loop) {
    for (auto _ : loop) benchmark::DoNotOptimize(Recipe::parse(three_levels));
}

void print_three_levels(benchmark::State& loop) {
    const Recipe recipe = Recipe::parse(three_levels);
    for (auto _ : loop) benchmark::DoNotOptimize(to_string(recipe));
}

/// Resolves on `range` ranks, 32 a node.
void resolve_three_levels(benchmark::State& loop) {
    const Recipe recipe = Recipe::parse(three_levels);
    std::vector<Location> locations(std::size_t(loop.range(0)));
    for (std::size_t rank = 0; rank < locations.size(); ++rank) locations[rank].node = rank / 32;
    const Placement placement = Placement::from(locations);
    for (auto _ : loop) benchmark::DoNotOptimize(resolve(recipe, Collective::allreduce, placement, 0, {}));
}

BENCHMARK(mpi_attribute);
BENCHMARK(state_of_communicator);
BENCHMARK(plan_hit)->Arg(1)->Arg(64)->Arg(4096);
BENCHMARK(division_hit);
BENCHMARK(parse_flat);
BENCHMARK(parse_three_levels);
BENCHMARK(print_three_levels);
BENCHMARK(resolve_three_levels)->RangeMultiplier(8)->Range(64, 4096);

/// Returns when all ranks have come, without keeping a processor busy.
void sleep_until_all_come() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 4) {
        if (rank == 0) std::fprintf(stderr, "bench_nanoseconds: needs 4 ranks, has %d\n", size);
        MPI_Finalize();
        return 2;
    }
    // Makes a plan, our communicator, and a partition of it.
    Tuning(MPI_COMM_WORLD).force("allreduce", "lanes(sqrt, ring, ring)");
    double in = 1, out = 0;
    allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        benchmark::Initialize(&argc, argv);
        benchmark::RunSpecifiedBenchmarks();
    }
    sleep_until_all_come();
    MPI_Finalize();
}
