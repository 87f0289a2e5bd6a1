// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "mpi/async_broadcast.hpp"
#include "mpi/async_reduction.hpp"
#include "tuner/decision_table.hpp"
#include "tuner/known_machine.hpp"
#include "tuner/shared_tuning.hpp"
#include "tuner/trial.hpp"

#include <map>
#include <memory>
#include <vector>

namespace echelon {

/// The stage of a class of calls. `counting`: native calls before rank 0 is asked. `untried`: a recipe
/// serves, and rank 0 is asked for a trial when the counter has no calls left. `trying`: arms of a trial
/// serve some calls. `fixed`: one recipe serves, though a winner may be watched.
enum class Stage : std::uint8_t { counting, untried, trying, fixed };

/// The state of one class of calls. Equal on all ranks, except for readings of the clock: it changes by
/// counting calls and by rank 0's rows.
struct CallState : CallCounter {
    /// A call of the class.
    PlanKey key = {};
    Stage stage = Stage::counting;
    /// Rank 0's word is awaited.
    bool asks = false;
    /// Numbers of arms that cannot serve, a bit each.
    std::uint64_t unable = 0;
    /// Number of native calls before the decision, and this rank's clock at the first of them.
    long counted = 0;
    Seconds since = 0;
    /// Time that decisions of this rank had taken until then.
    Seconds decided = 0;
    /// Rank 0's decision has begun, and ran out of time. On rank 0.
    bool begun = false;
    Course course = {};
    /// Number of synchronising calls since messages are awaited; calls of the class before the last of them.
    int meetings = 0;
    long met = 0;
    /// Number of calls of the class between two synchronising calls; 0: unknown.
    long rhythm = 0;
};

/// A recipe that calls run in place of the choice while it is measured. Plans of different numbers exist side
/// by side.
struct Override {
    std::uint16_t number = 0;
    Recipe recipe = {};
};

/// Messages between rank 0 and the other ranks of a communicator. Down: rows of the table. Up: minima and
/// sums of timings. Both advance in the program's calls, and no rank waits for them.
struct Mail {
    AsyncBroadcast down;
    AsyncReduction up;
    /// Down, for calls from other roots than rank 0.
    AsyncLetter letter;
    /// Rank 0's message that the ranks have not heard yet; empty: none.
    std::string text;
    /// Recipes that wait for communicators or windows, in calls that do not synchronise.
    std::vector<std::pair<Recipe, PlanKey>> wanted;
    /// Classes that ask for rank 0's word, whose numbers wait, and whose numbers are on their way.
    std::vector<CallClass> asked, due, on_way;
    /// Some message is awaited: the calls take part in it.
    bool open = false;
    /// The program has made a call in which rank 0's messages can travel.
    bool reaches = false;
    /// Number of calls in which all ranks wait for the root, up to the next one that has a message. The gaps
    /// double.
    long until = 1, gap = 1;
    /// Rank 0's time in the exchange.
    Seconds busy = 0;
};

/// The choice at run time for one communicator. Rank 0 decides; the other ranks count calls and follow. The
/// functions of this room work on it. One thread at a time, like in MPI's collectives on a communicator.
class Tuner final : public Companion {
public:
    /// The tuner of a communicator, made on first use. Requires: the communicator is served. Local.
    static Tuner& of(State& state) { return state.companion().get<Tuner>(state); }
    /// Starts with the knowledge from MPI_Init.
    explicit Tuner(State& state);

    // The communicator.
    int rank() const { return state_.rank(); }
    int size() const { return state_.size(); }
    MPI_Comm user() const { return state_.user(); }
    State& state() { return state_; }
    const Settings& settings() const { return process().settings(); }
    Process& process() const { return state_.process(); }
    PrivateCommunicator& own() { return state_.own(); }
    PlanTable& plans() { return state_.plans(); }
    const Requests& requests() const { return state_.requests(); }
    const Hints& hints() const { return state_.hints(); }

    // Its parts.
    SharedTuning& shared() { return shared_; }
    const CallClasses& classes() const { return classes_; }
    KnownMachine& machine() { return machine_; }
    DecisionTable& table() { return table_; }
    Mail& mail() { return mail_; }
    std::map<CallClass, CallState>& calls() { return calls_; }
    /// The trials, on rank 0.
    std::map<CallClass, Trial>& trials() { return trials_; }

    /// Share of the time in calls of this size that trials may cost, in percent.
    int percent(const PlanKey& key) const;
    void set_percent(Collective collective, ByteRange sizes, int percent);
    /// True if any class may have trials.
    bool tries() const;
    /// True if a class is not fixed yet. Equal on all ranks.
    bool trying() const;
    /// The winner of a trial in a form for all communicators of this size and layout.
    LearnedDecision learned(const CallClass& calls, const Row& winner);
    /// The winners of all trials. Equal on all ranks.
    std::vector<LearnedDecision> findings();

    /// True while a collective function of Echelon runs, or a recipe is measured: every call may wait for the
    /// other ranks.
    bool together() const { return together_ || override_ != nullptr; }
    void set_together(bool on) { together_ = on; }
    /// True if any call may wait for the other ranks now: together(), or the first call of a communicator
    /// compares the requests of the ranks, because neither MPI_Init nor MPI_Comm_dup and its like were seen.
    bool may_wait() const {
        return together() || (!requests().settled() && process().world().job_map() == nullptr);
    }
    /// Measures a recipe, which must outlive its use; nullptr: no more.
    void measure(const Override* recipe);
    const Override* measured() const { return override_; }

    /// Compares the settings and info keys of the ranks and shares rank 0's profile, unless this was done.
    /// Collective.
    void compare_requests();
    /// Info keys were set: the ranks compare them in the next synchronising call.
    void keys_changed();
    /// Sets the machine's profile for the calls that follow; null: none. Drops the findings. Collective, the
    /// same on all ranks.
    void set_profile(std::shared_ptr<const Profile> profile);
    /// Drops plans, decisions and trials, and reads the requests again. Findings stay. Collective.
    void clear_plans();

    /// Some message is awaited: all calls take part in it.
    void open_mail();
    /// The recipe needs communicators or windows, which the ranks make in the next synchronising call.
    void wait_for_parts(const Recipe& recipe, const PlanKey& key);
    /// A number of a route for the messages of recipes, which rank 0 tells; 0: none is left. Local.
    std::uint64_t take_route();
    /// Uses the route of this number, unless there is one already. Equal on all ranks.
    void use_route(std::uint64_t route);

    /// The reasons why calls are left to the library without a comparison or a request, and the next step: a
    /// sentence each (why_native.cpp). Empty: none are. Local.
    std::vector<std::string> reasons() override;
    void complete() override { mail_.down.wait(); }
    void close() override;

private:
    /// The rows of requests, the strongest first: ranks with different settings, Echelon switched off, hints
    /// of the program, info keys, settings, reproducible results (requests.cpp). Local.
    std::vector<Requested> requested_rows();
    void set_machine(std::shared_ptr<const LateProfile> profile);
    /// Rank 0's profile, for ranks without one. Collective.
    std::shared_ptr<const KnownProfile> share_profile(const std::shared_ptr<const KnownProfile>& own);

    State& state_;
    SharedTuning& shared_;
    CallClasses classes_;
    KnownMachine machine_;
    DecisionTable table_{classes_};
    Mail mail_;
    std::map<CallClass, CallState> calls_;
    std::map<CallClass, Trial> trials_;
    std::map<Collective, BySize<int>> percents_;
    const Override* override_ = nullptr;
    bool together_ = false;
};

}  // namespace echelon
