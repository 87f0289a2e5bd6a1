// SPDX-License-Identifier: Apache-2.0
#include "front/startup_benchmark.hpp"

#include "core/standard_arithmetic.hpp"
#include "estimators/choice/startup_results.hpp"
#include "front/front_door.hpp"
#include "front/native_call.hpp"
#include "mpi/any_call.hpp"
#include "mpi/clock.hpp"
#include "tuner/requests.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace echelon {
namespace {

/// Frequent collectives go first: there may be no time for all. A collective in which every rank waits for
/// all takes a tenth of the time of the others, which are also measured in a row.
constexpr std::array wait_for_all{Collective::allreduce, Collective::barrier, Collective::allgather,
                                  Collective::alltoall};
constexpr std::array with_a_root{Collective::bcast, Collective::reduce};
constexpr std::array rare{Collective::reduce_scatter, Collective::gather, Collective::scatter,
                          Collective::scan, Collective::exscan};
/// Sizes that lie in a line, short and long, in one slot, and in parts of a slot; then in several slots. If
/// shared memory leads at the other sizes, longer calls soon try it by themselves.
constexpr std::array<Bytes, 4> sizes{8, 64, Bytes(1) << 10, Bytes(8) << 10};
constexpr std::array<Bytes, 1> several_slots{Bytes(64) << 10};
/// If shared memory does not lead at the longest of these sizes, it may lead here, in collectives that some
/// ranks leave early.
constexpr Bytes long_one = Bytes(1) << 20;

/// Measures calls on MPI_COMM_WORLD until the time is over. All functions are collective, with the same
/// result on all ranks.
class Benchmark {
public:
    /// `budget` counts from `began`, by this rank's clock.
    Benchmark(Tuner& tuner, Seconds began, Seconds budget) : tuner_(tuner), began_(began), budget_(budget) {
        tuner_.set_together(true);
        tuner_.measure(&shared_);
    }
    ~Benchmark() {
        tuner_.set_together(false);
        tuner_.measure(nullptr);
        tuner_.clear_plans();
        tuner_.plans().count_anew();
    }
    Benchmark(const Benchmark&) = delete;
    Benchmark& operator=(const Benchmark&) = delete;

    /// The times of single calls. If ranks may leave a call early, the times of calls in a row, which send
    /// ahead, with the ratio that is worse for `shm`. Nullopt: the time is over, or ranks share no memory.
    std::optional<Pace> run(Collective collective, Bytes bytes) {
        // More calls than lines or ring of the window can hold.
        const int some = bytes <= 1024 ? 100 : bytes <= 8192 ? 40 : 8;
        const auto alone = measure(collective, bytes, 1);
        if (!alone || pattern(collective) == Pattern::to_all || bytes == long_one) return alone;
        auto in_a_row = measure(collective, bytes, some);
        if (in_a_row) in_a_row->shared = in_a_row->native * std::max(in_a_row->ratio(), alone->ratio());
        return in_a_row;
    }
    /// Time of the first call through shared memory, which makes the window.
    Seconds first_call() const { return first_call_; }

private:
    std::optional<Pace> measure(Collective collective, Bytes bytes, int calls) {
        // The first calls make what they need. Disturbances only lengthen a call, which spoils the median;
        // the least is an accident too. The second least of the other calls counts.
        std::vector<Seconds> native(bytes == long_one || calls > 1 ? 4 : 6), shared(native.size());
        for (std::size_t i = 0; i < native.size(); ++i) {
            // Tools behind Echelon see calls of the program only.
            native[i] =
                time(collective, bytes, calls, [](const auto& call) { return native_call(call, Next()); });
            shared[i] = time(collective, bytes, calls, [](const auto& call) { return front_call(call); });
            if (first_call_ == 0) first_call_ = shared[i];
            if (over_) return std::nullopt;
        }
        const auto second_least = [](auto& all) {
            std::nth_element(all.begin() + 1, all.begin() + 2, all.end());
            return all[2];
        };
        return Pace{second_least(native), second_least(shared)};
    }

    /// Time of a call, on the slowest rank. All ranks begin the next calls together.
    template <class Serve>
    Seconds time(Collective collective, Bytes bytes, int calls, const Serve& serve) {
        if (over_) return 0;
        const std::size_t count = bytes / sizeof(double), room = std::max(count, std::size_t(tuner_.size()));
        // No longer than needed: pages without a touch take as long as many calls.
        if (in_.size() < room) in_.resize(room), out_.resize(room);
        const Vectors vectors{.in = in_.data(),
                              .out = out_.data(),
                              .whole = MPI_Count(count),
                              .whole_type = MPI_DOUBLE,
                              .block = std::max(MPI_Count(count) / tuner_.size(), MPI_Count(1)),
                              .block_type = MPI_DOUBLE,
                              .op = MPI_SUM,
                              .root = 0,
                              .comm = tuner_.user()};
        std::fill_n(in_.begin(), count, 0.0);  // programs also send fresh data
        const Seconds entered = now();
        for (int i = 0; i < calls; ++i) check(call_on(vectors, collective, serve), "a call in MPI_Init");
        const Seconds left = now();
        std::array<Seconds, 2> longest{(left - entered) / calls, left - began_};
        tuner_.state().meetings().hold(0);
        check(PMPI_Allreduce(MPI_IN_PLACE, longest.data(), int(longest.size()), MPI_DOUBLE, MPI_MAX,
                             tuner_.user()),
              "MPI_Allreduce");
        over_ = longest[1] > budget_ || tuner_.own().lacks_windows(shared_.recipe, collective);
        return longest[0];
    }

    Tuner& tuner_;
    const Seconds began_, budget_;
    Seconds first_call_ = 0;
    bool over_ = false;
    const Override shared_{.number = 1, .recipe = shared_memory()};
    std::vector<double> in_, out_;
};

/// Results of one collective, by size.
struct Shown {
    std::vector<Raced> measured = {};
    std::optional<Raced> longer = {};
};
using Found = std::map<Collective, Shown>;

/// Measures all collectives for each size.
void measure_all(Benchmark& benchmark, std::span<const Collective> collectives,
                 std::span<const Bytes> of_sizes, Found& found) {
    for (const Bytes size : of_sizes)
        for (const Collective collective : collectives) {
            const bool barrier = collective == Collective::barrier;
            if (barrier && size != sizes.front()) continue;
            const Bytes bytes = barrier ? 0 : size;
            const auto pace = benchmark.run(collective, bytes);
            if (!pace) return;
            auto& [measured, longer] = found[collective];
            measured.push_back({bytes, *pace});
            if (size != several_slots.back() || pace->leads() || pattern(collective) == Pattern::to_all)
                continue;
            if (const auto far = benchmark.run(collective, long_one)) longer = {long_one, *far};
        }
}

Found measure_all(Benchmark& benchmark) {
    Found found;
    measure_all(benchmark, wait_for_all, sizes, found);
    measure_all(benchmark, with_a_root, sizes, found);
    measure_all(benchmark, with_a_root, several_slots, found);
    measure_all(benchmark, wait_for_all, several_slots, found);
    measure_all(benchmark, rare, sizes, found);
    measure_all(benchmark, rare, several_slots, found);
    return found;
}

/// The smallest budget of the ranks.
Seconds budget_of(const Process& process, Seconds init_took) {
    const double percent = process.settings().trial_percent;
    Seconds budget = std::min(4e-3 * percent, 0.04 * percent * init_took);
    check(PMPI_Allreduce(MPI_IN_PLACE, &budget, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    return budget;
}

}  // namespace

void startup_benchmark(Process& process, Seconds init_took) {
    if (!memory_is_shared || process.world().job_map() == nullptr || !process.world().job_map()->all_alike())
        return;
    if (process.world().job_map()->is_crowded()) return;
    State* const state = State::of(MPI_COMM_WORLD);
    if (state == nullptr || !state->serves()) return;
    Tuner& tuner = Tuner::of(*state);
    if (!is_open_to_shared_memory(tuner)) return;
    const Spending spending(process.reporter());
    const StandardArithmetic arithmetic;
    // The first rank waits here for the others, which does not count as time of the benchmark.
    const Seconds budget = budget_of(process, init_took), began = now();
    if (budget < 2 * seconds(default_costs_here(tuner).window())) return;
    StartupResults results;
    {
        Benchmark benchmark(tuner, began, budget);
        for (const auto& [collective, shown] : measure_all(benchmark))
            for (const StartupResult& one : results_of(shown.measured, shown.longer))
                results.found[collective].add(one.sizes, one);
        results.window = benchmark.first_call();
    }
    tuner.shared().startup_results() = std::move(results);
}

}  // namespace echelon
