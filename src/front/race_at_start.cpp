// SPDX-License-Identifier: Apache-2.0
#include "front/race_at_start.hpp"

#include "estimators/choice/leads.hpp"
#include "front/choose.hpp"
#include "front/front_door.hpp"
#include "front/native_call.hpp"
#include "mpi/any_call.hpp"
#include "mpi/clock.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace echelon {
namespace {

/// Those that programs call most go first: there may be no time for all. Of these the ones in which every rank waits for all take a tenth
/// of what the others take to be raced, which are raced in a row, too.
constexpr std::array wait_for_all{Collective::allreduce, Collective::barrier, Collective::allgather,
                                  Collective::alltoall};
constexpr std::array with_a_root{Collective::bcast, Collective::reduce};
constexpr std::array seldom{Collective::reduce_scatter, Collective::gather, Collective::scatter,
                            Collective::scan, Collective::exscan};
/// What lies in a line, short and long, in one slot, in shares of a slot; in several slots: where memory leads at the others, such calls
/// soon try it by themselves.
constexpr std::array<Bytes, 4> sizes{8, 64, Bytes(1) << 10, Bytes(8) << 10};
constexpr std::array<Bytes, 1> several_slots{Bytes(64) << 10};
/// Where shared memory does not lead at the longest of these it may lead here, in calls in which some rank waits for nobody.
constexpr Bytes long_one = Bytes(1) << 20;

/// Measures calls of MPI_COMM_WORLD until time is over. All of it is collective, with the same outcome on all ranks.
class Race {
public:
    /// `began`: since when `budget` runs, by this rank's clock.
    Race(State& state, Seconds began, Seconds budget) : state_(state), began_(began), budget_(budget) {
        state_.meanwhile().set_together(true);
        state_.meanwhile().run_instead(&shared_);
    }
    ~Race() {
        state_.meanwhile().set_together(false);
        state_.meanwhile().run_instead(nullptr);
        state_.clear_plans();
        state_.plans().count_anew();
    }
    Race(const Race&) = delete;
    Race& operator=(const Race&) = delete;

    /// Of calls one at a time; of calls in a row, where some rank waits for nobody, so that what is sent ahead counts, but their ratio is
    /// the worse one for `shm`. Nothing where time is over, or there is no memory.
    std::optional<Pace> run(Collective collective, Bytes bytes) {
        // More than lie in the window's lines or ring.
        const int some = bytes <= 1024 ? 100 : bytes <= 8192 ? 40 : 8;
        const auto alone = race(collective, bytes, 1);
        if (!alone || pattern(collective) == Pattern::to_all || bytes == long_one) return alone;
        auto in_a_row = race(collective, bytes, some);
        if (in_a_row) in_a_row->shared = in_a_row->native * std::max(in_a_row->ratio(), alone->ratio());
        return in_a_row;
    }
    /// Through shared memory, which that one makes.
    Seconds first_call() const { return first_call_; }

private:
    std::optional<Pace> race(Collective collective, Bytes bytes, int calls) {
        // The first ones make what they need. What is disturbed takes longer, never less: not the median, and not the
        // least, which is an accident too.
        std::vector<Seconds> native(bytes == long_one || calls > 1 ? 4 : 6), shared(native.size());
        for (std::size_t i = 0; i < native.size(); ++i) {
            // Tools behind Echelon see the program's calls alone.
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

    /// A call's, of the rank that took longest. All begin the next ones together.
    template <class Serve>
    Seconds time(Collective collective, Bytes bytes, int calls, const Serve& serve) {
        if (over_) return 0;
        const std::size_t count = bytes / sizeof(double), room = std::max(count, std::size_t(state_.size()));
        // As long as is needed: pages that nobody has touched take as long as many a call.
        if (in_.size() < room) in_.resize(room), out_.resize(room);
        const Vectors vectors{.in = in_.data(),
                              .out = out_.data(),
                              .whole = MPI_Count(count),
                              .whole_type = MPI_DOUBLE,
                              .block = std::max(MPI_Count(count) / state_.size(), MPI_Count(1)),
                              .block_type = MPI_DOUBLE,
                              .op = MPI_SUM,
                              .root = 0,
                              .comm = state_.user()};
        std::fill_n(in_.begin(), count, 0.0);  // as programs do, which send what they have just written
        const Seconds entered = now();
        for (int i = 0; i < calls; ++i) check(call_on(vectors, collective, serve), "a call in MPI_Init");
        const Seconds left = now();
        std::array<Seconds, 2> longest{(left - entered) / calls, left - began_};
        state_.meetings().hold(0);
        check(PMPI_Allreduce(MPI_IN_PLACE, longest.data(), int(longest.size()), MPI_DOUBLE, MPI_MAX,
                             state_.user()),
              "MPI_Allreduce");
        over_ = longest[1] > budget_ || state_.own().lacks_windows(shared_.recipe, collective);
        return longest[0];
    }

    State& state_;
    const Seconds began_, budget_;
    Seconds first_call_ = 0;
    bool over_ = false;
    const Override shared_{.number = 1, .recipe = shared_memory()};
    std::vector<double> in_, out_;
};

/// What a collective's calls have shown, by size.
struct Shown {
    std::vector<Raced> raced = {};
    std::optional<Raced> longer = {};
};
using Found = std::map<Collective, Shown>;

/// Of each size all of them.
void race_all(Race& race, std::span<const Collective> collectives, std::span<const Bytes> of_sizes,
              Found& found) {
    for (const Bytes size : of_sizes)
        for (const Collective collective : collectives) {
            const bool barrier = collective == Collective::barrier;
            if (barrier && size != sizes.front()) continue;
            const Bytes bytes = barrier ? 0 : size;
            const auto pace = race.run(collective, bytes);
            if (!pace) return;
            auto& [raced, longer] = found[collective];
            raced.push_back({bytes, *pace});
            if (size != several_slots.back() || pace->leads() || pattern(collective) == Pattern::to_all)
                continue;
            if (const auto far = race.run(collective, long_one)) longer = {long_one, *far};
        }
}

Found race_all(Race& race) {
    Found found;
    race_all(race, wait_for_all, sizes, found);
    race_all(race, with_a_root, sizes, found);
    race_all(race, with_a_root, several_slots, found);
    race_all(race, wait_for_all, several_slots, found);
    race_all(race, seldom, sizes, found);
    race_all(race, seldom, several_slots, found);
    return found;
}

/// The least that a rank would grant.
Seconds budget_of(const Process& process, Seconds init_took) {
    const double percent = process.settings().trial_percent;
    Seconds budget = std::min(4e-3 * percent, 0.04 * percent * init_took);
    check(PMPI_Allreduce(MPI_IN_PLACE, &budget, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    return budget;
}

}  // namespace

void race_at_start(Process& process, Seconds init_took) {
    if (!memory_is_shared || process.world().roll() == nullptr || !process.world().roll()->all_alike())
        return;
    if (process.world().roll()->is_crowded()) return;
    State* const state = State::of(MPI_COMM_WORLD);
    if (state == nullptr || !is_open_to_shared_memory(*state)) return;
    const Spending spending(process.reporter());
    // Who comes first waits for the others here: that is not the race's time.
    const Seconds budget = budget_of(process, init_took), began = now();
    if (budget < 2 * seconds(rough_here(*state).window())) return;
    Leads leads;
    {
        Race race(*state, began, budget);
        for (const auto& [collective, shown] : race_all(race))
            for (const Lead& lead : leads_of(shown.raced, shown.longer))
                leads.found[collective].add(lead.sizes, lead);
        leads.window = race.first_call();
    }
    process.leads() = std::move(leads);
}

}  // namespace echelon
