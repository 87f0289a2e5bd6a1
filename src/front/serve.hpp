// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "front/native_call.hpp"
#include "front/plan_for.hpp"
#include "mpi/clock.hpp"
#include "mpi/handles.hpp"

#include <utility>

namespace echelon {

// What the collectives of the front door have in common.

/// The state of the communicator of a call that Echelon looks at. Nullptr: the library serves it, or says
/// what is wrong with it. Requires: `good_arguments` is the same on all ranks of a correct program.
State* looks_at(Collective collective, MPI_Comm comm, bool good_arguments);
template <class Call>
State* looks_at(const Call& call, bool good_arguments) {
    return looks_at(call.collective, call.comm, good_arguments);
}

/// Counts a call that went to the library before a recipe was asked for.
inline void note_bypass(State& state, Collective collective, Bypass why) {
    if (state.process().reporter().counts()) state.tally().bypassed(collective, why);
}

/// A call that moves no bytes, or too many, or that the library must judge.
template <class Call>
int bypassed(const Call& call, State& state) {
    note_bypass(state, call.collective, Bypass::arguments);
    return native_call(call);
}

inline bool has_rank(const State& state, int rank) { return rank >= 0 && rank < state.size(); }

/// Some libraries crash where a count is negative, or a buffer null; null is legal for types with absolute
/// addresses (MPI_BOTTOM).
void check_buffer(const UserBuffer& buffer, const char* what);

/// MPI wants datatypes of the user committed, and only a call that communicates looks at that.
/// Requires: a plan that is not native.
void check_committed(const Element& element, const void* data, State& state);

/// What a reduction combines; not served where that is the library's business.
///
/// Where the operation is user-made, one rank may say twelve ints and another one element of twelve: as MPICH
/// does, each of the `blocks` is then one element, which no recipe cuts, and ranks agree by its bytes.
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

/// Some bytes in each of `blocks`, and together no more than there can be.
inline bool moves(Bytes block, int blocks = 1) { return block > 0 && block < most_bytes / Bytes(blocks); }

PlanKey reduction_key(Collective collective, const Reduction& reduction, int root = 0);
/// Of a call that only moves data: ranks may describe the same bytes by different types, so all work on
/// bytes.
PlanKey bytes_key(Collective collective, Bytes bytes, int root = 0);

/// Counts a call and the time inside, where that was asked for; and tells a tournament when it ran.
class Timed {
public:
    explicit Timed(const Plan& plan)
        : counts_(plan.counts),
          kind_(plan.kind != nullptr && plan.kind->tracer->begins() ? plan.kind : nullptr),
          evidence_(plan.choice.evidence),
          contest_(plan.contest != nullptr && plan.contest->measures ? plan.contest : nullptr),
          at_root_(plan.at_root),
          start_(counts_ != nullptr || kind_ != nullptr ? ticks() : 0) {
        if (contest_ == nullptr) return;
        const auto made = std::exchange(contest_->began, std::nullopt);
        began_ = made ? *made : now();
    }
    ~Timed() {
        if (contest_ != nullptr) contest_->tournament.took(began_, now(), at_root_);
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
    Contest* contest_;
    bool at_root_;
    std::uint64_t start_;
    double began_ = 0;
};

/// Where the result comes to be: in the user's memory, but for elements whose padding must not get there.
inline void* result_vector(Memory& memory, const Reduction& reduction, void* out) {
    return reduction.element.padded() ? memory.working_vector(reduction.element, reduction.count) : out;
}

/// Says where a call's data is. `input`: of collectives that do not work in place.
void begin(Plan& plan, State& state, const Reduction& reduction, MPI_Op op, void* data);
void begin_bytes(Plan& plan, State& state, void* data, const void* input = nullptr);
/// Runs a plan on what was begun.
void run(Plan& plan, State& state, const PlanKey& key);

/// Serves a call by the plan for it: `work(plan)`, or the library's own.
template <class Call, class Work>
int by_plan(const Call& call, State& state, const PlanKey& key, const Work& work) {
    Plan& plan = plan_for(state, key, call.passed(state.rank(), state.size()));
    const Timed timed(plan);
    if (plan.native()) return native_call(call);
    work(plan);
    return MPI_SUCCESS;
}

}  // namespace echelon
