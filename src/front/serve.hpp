// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/make_plan.hpp"
#include "cache/state.hpp"
#include "front/native_call.hpp"
#include "mpi/clock.hpp"
#include "mpi/handles.hpp"
#include "tuner/plan_for.hpp"

namespace echelon {

// Common parts of the collectives of the front door.

/// The state of a communicator whose call Echelon serves. Nullptr: the library serves the call or reports its
/// errors. Requires: `good_arguments` is the same on all ranks of a correct program.
State* state_for(Collective collective, MPI_Comm comm, bool good_arguments);
template <class Call>
State* state_for(const Call& call, bool good_arguments) {
    return state_for(call.collective, call.comm, good_arguments);
}

/// Counts a call that goes to the library without a choice.
inline void note_bypass(State& state, Collective collective, Bypass why) {
    if (state.process().reporter().counts()) state.tally().bypassed(collective, why);
}

/// Passes a call to the library that moves no bytes or too many, or that the library must judge.
template <class Call, class How>
int bypassed(const Call& call, State& state, const How& how) {
    note_bypass(state, call.collective, Bypass::arguments);
    return how.native(call);
}

inline bool has_rank(const State& state, int rank) { return rank >= 0 && rank < state.size(); }

/// Some libraries crash if a count is negative or a buffer null. Null is legal for types with absolute
/// addresses (MPI_BOTTOM).
void check_buffer(const UserBuffer& buffer, const char* what);

/// MPI demands committed datatypes, and only calls that communicate check it. Requires: the plan is not
/// native.
void check_committed(const Element& element, const void* data, Memory& memory);

/// The operands of a reduction. `combination.served` is false if the library must serve it.
///
/// For a user-made operation, one rank may pass twelve ints and another one element of twelve. Each of the
/// `blocks` then is one element, like in MPICH: no recipe cuts it, and the ranks agree by its bytes.
struct Reduction {
    Reduction(State& state, Collective collective, MPI_Datatype type, MPI_Op op, std::size_t count,
              int blocks = 1);
    template <class Call>
    Reduction(State& state, const Call& call, std::size_t elements, int blocks = 1)
        : Reduction(state, call.collective, call.type, call.op, elements, blocks) {}
    Element element;
    std::size_t count;
    Combination combination;
};

inline bool reducible(const void* out, MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return out != MPI_IN_PLACE && count > 0 && may_be_type(type) && may_be_operation(op);
}
template <class Call>
bool reducible(const void* out, const Call& call) {
    return reducible(out, call.count, call.type, call.op);
}

/// True if each of `blocks` has some bytes, and all together no more than allowed.
inline bool moves(Bytes block, int blocks = 1) { return block > 0 && block < most_bytes / Bytes(blocks); }

PlanKey reduction_key(Collective collective, const Reduction& reduction, int root = 0);
/// The key of a call that only moves data. Ranks may describe the same bytes by different types, and all work
/// on bytes.
PlanKey bytes_key(Collective collective, Bytes bytes, int root = 0);

/// Counts a call and its time if this is asked for, and times it for the tuner.
class Timed {
public:
    explicit Timed(const Plan& plan)
        : counts_(plan.counts),
          kind_(plan.kind != nullptr && plan.kind->tracer->begins() ? plan.kind : nullptr),
          evidence_(plan.choice.evidence),
          counter_(plan.counter != nullptr && plan.counter->timed ? plan.counter : nullptr),
          start_(counts_ != nullptr || kind_ != nullptr ? ticks() : 0) {
        if (counter_ != nullptr) counter_->entered = now();
    }
    ~Timed() {
        if (counter_ != nullptr) counter_->departed = now();
        if (kind_ != nullptr) kind_->tracer->call(*kind_, start_, ticks());
        if (counts_ == nullptr) return;
        counts_->add(ticks() - start_, evidence_);
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    Tally::Counts* counts_;
    const Tracer::Kind* kind_;
    Evidence evidence_;
    CallCounter* counter_;
    std::uint64_t start_;
};

/// The place of the result: the user's memory, unless the elements have padding, which must not get there.
inline void* result_vector(Memory& memory, const Reduction& reduction, void* out) {
    return reduction.element.padded() ? memory.working_vector(reduction.element, reduction.count) : out;
}

/// Sets the data of a call. `input`: for collectives that do not work in place.
void begin_reduction(const Plan& plan, Memory& memory, const Reduction& reduction, MPI_Op op, void* data);
void begin_bytes(const Plan& plan, Memory& memory, void* data, const void* input = nullptr);
/// Runs a plan on the data of the communicator's memory.
void run(Plan& plan, State& state, const PlanKey& key);

/// The blocks of a call whose ranks know only their own.
class OwnBlocks {
public:
    OwnBlocks() = default;
    OwnBlocks(const OwnBlocks&) = delete;
    OwnBlocks& operator=(const OwnBlocks&) = delete;
    virtual ~OwnBlocks() = default;
    /// Bytes of the blocks of all ranks, by the lengths that this rank knows; 0 if one of them is empty.
    virtual Bytes estimated_bytes() const = 0;
    /// As far as this rank knows them.
    virtual GivenBlocks known() const = 0;
    /// Sets the memory for the program of numbers, which begins as those of this rank.
    virtual void ask(const Numbers& numbers, Memory& memory) const = 0;
    /// The blocks as far as the plan needs them, by the memory after the program.
    virtual GivenBlocks answer(const Numbers& numbers, Memory& memory) = 0;
};
/// Runs the program of numbers of a plan.
GivenBlocks learn(Plan& plan, State& state, const PlanKey& key, OwnBlocks& own);

/// True if the call sums floating point numbers, and ECHELON_REPRODUCIBLE=any asks for bits that no order
/// changes: sum_in_any_order() serves it (any_order.cpp). Equal on all ranks.
bool sums_in_any_order(const State& state, const Reduction& reduction, MPI_Op op);
int sum_in_any_order(const calls::Allreduce& call, State& state, const Reduction& reduction);
int sum_in_any_order(const calls::Reduce& call, State& state, const Reduction& reduction);
int sum_in_any_order(const calls::Reduce_scatter_block& call, State& state, const Reduction& reduction);
int sum_in_any_order(const calls::Reduce_scatter<int>& call, State& state, const Reduction& reduction);
int sum_in_any_order(const calls::Reduce_scatter<MPI_Count>& call, State& state, const Reduction& reduction);
int sum_in_any_order(const calls::Scan& call, State& state, const Reduction& reduction);
int sum_in_any_order(const calls::Exscan& call, State& state, const Reduction& reduction);

/// How a call runs: until it has ended. `begin(plan, memory)` sets the data before the plan runs, and
/// `end(memory)` hands the results over. `given`: blocks whose lengths differ; `own`: blocks that
/// only some ranks know.
struct Blocking {
    template <class Call>
    int native(const Call& call) const {
        return native_call(call);
    }
    bool serves(const Combination& combination) const { return combination.served; }
    bool sums_in_any_order(const State& state, const Reduction& reduction, MPI_Op op) const {
        return echelon::sums_in_any_order(state, reduction, op);
    }
    /// Items whose datatype outlives the call.
    template <class Items>
    const Items& kept(const Items& items) const {
        return items;
    }
    /// The same for items that only `begin` uses.
    template <class Items>
    const Items& kept_to_begin(const Items& items) const {
        return items;
    }
    template <class Call, class Begin, class End>
    int by_plan(const Call& call, State& state, const PlanKey& key, const Begin& begin, const End& end,
                const GivenBlocks* given = nullptr, const std::shared_ptr<OwnBlocks>& own = {}) const {
        Plan& plan = plan_for(Tuner::of(state), key, call.passed(state.rank(), state.size()));
        const Timed timed(plan);
        if (own != nullptr && plan.counter != nullptr) plan.counter->see(own->estimated_bytes());
        if (plan.native()) return native_call(call);
        if (given != nullptr) fit(plan, state, key, *given);
        if (own != nullptr)
            fit(plan, state, key, plan.numbers == nullptr ? own->known() : learn(plan, state, key, *own));
        Memory& memory = state.own().memory();
        begin(plan, memory);
        state.own().team().begin();
        run(plan, state, key);
        end(memory);
        return MPI_SUCCESS;
    }
};

}  // namespace echelon
