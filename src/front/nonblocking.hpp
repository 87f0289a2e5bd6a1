// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/items.hpp"
#include "front/persistent_calls.hpp"
#include "front/serve.hpp"
#include "mpi/pending_calls.hpp"

#include <memory>
#include <utility>

namespace echelon {

/// The step of a call behind its program of numbers: the call continues with the blocks.
template <class Begin>
auto after_numbers(const std::shared_ptr<Numbers>& numbers, const std::shared_ptr<StartedPlan>& blocks,
                   const std::shared_ptr<OwnBlocks>& own, const Begin& begin) {
    return [=](Memory& memory) {
        blocks->fit(own->answer(*numbers, memory));
        begin(blocks->plan, memory);
        return blocks->plan.program;
    };
}

/// How a call runs: it starts, and continues while the MPI library makes progress.
struct Starting {
    MPI_Request* request;

    template <class Call>
    int native(const Call& call) const {
        return native_start(call, request);
    }
    /// A user's function may be freed before it is called.
    bool serves(const Combination& combination) const { return combination.served && !combination.user_made; }
    /// A sum in any order needs several steps.
    static bool sums_in_any_order(const State& /*state*/, const Reduction& /*reduction*/, MPI_Op /*op*/) {
        return false;
    }
    /// Items whose datatype the program may free at once.
    static Items kept(Items items);
    /// The call has begun before the program can free the datatype.
    static const Items& kept_to_begin(const Items& items) { return items; }
    template <class Call, class Begin, class End>
    int by_plan(const Call& call, State& state, const PlanKey& key, const Begin& begin, const End& end,
                const GivenBlocks* given = nullptr, const std::shared_ptr<OwnBlocks>& own = {}) const {
        PrivateCommunicator& mine = state.own();
        Plan* const plan = mine.has_route() ? plan_for_started(Tuner::of(state), key) : nullptr;
        if (plan == nullptr) {
            note_bypass(state, call.collective, Bypass::nonblocking);
            return native(call);
        }
        const Timed timed(*plan);
        if (plan->native()) return native(call);
        if (given != nullptr) fit(*plan, state, key, *given);
        if (own != nullptr && plan->numbers == nullptr) fit(*plan, state, key, own->known());
        const TagRange tags = mine.take_tags(PendingCall::needed_tags(*plan->program));
        const PendingCalls::Turn turn;
        auto pending = PendingCall::from(plan->ended, mine.route(), tags, plan->program, state.user());
        pending->set_end(end);
        if (const auto numbers = plan->numbers) {
            pending->set_next(after_numbers(numbers, numbers->blocks, own, begin));
            own->ask(*numbers, pending->memory());
        } else {
            begin(*plan, pending->memory());
        }
        *request = PendingCalls::add(std::move(pending));
        return MPI_SUCCESS;
    }
};

/// How a call runs: the program starts it by MPI_Start, as often as it wants.
struct Persisting : Starting {
    MPI_Info info;

    /// Each start checks the datatype, and packs by it.
    static Items kept(Items items);
    static Items kept_to_begin(Items items) { return kept(std::move(items)); }
    template <class Call>
    int native(const Call& call) const {
        return native_persistent(call, info, request);
    }
    template <class Call, class Begin, class End>
    int by_plan(const Call& call, State& state, const PlanKey& key, const Begin& begin, const End& end,
                const GivenBlocks* given = nullptr, const std::shared_ptr<OwnBlocks>& own = {}) const {
        Plan* const plan = plan_for_persistent(Tuner::of(state), key);
        if (plan != nullptr && plan->native()) return native(call);
        if (plan != nullptr && given != nullptr) fit(*plan, state, key, *given);
        if (plan != nullptr && own != nullptr && plan->numbers == nullptr)
            fit(*plan, state, key, own->known());
        const auto [route, tags] =
            plan == nullptr ? PersistentTags()
                            : state.own().take_persistent_tags(PendingCall::needed_tags(*plan->program));
        if (route == nullptr) {
            note_bypass(state, call.collective, Bypass::persistent);
            return native(call);
        }
        const PendingCalls::Turn turn;
        auto pending = std::make_shared<PendingCall>(route, tags, plan->program);
        pending->set_end(end);
        PersistentCalls::Begin each = begin;
        if (const auto numbers = plan->numbers) {
            // The lengths of a persistent call stay as they are at its first start.
            const auto blocks = numbers->blocks->renewed();
            pending->set_next(after_numbers(numbers, blocks, own, begin));
            each = [=](const Plan& /*plan*/, Memory& memory) {
                if (blocks->plan.given)
                    begin(blocks->plan, memory);
                else
                    own->ask(*numbers, memory);
            };
        }
        *request = PersistentCalls::add(std::move(pending), *plan, std::move(each));
        return MPI_SUCCESS;
    }
};

/// All forms of a collective, from serve(call, how).
#define ECHELON_SERVE(...)                                                                      \
    int front_call(const calls::__VA_ARGS__& call) { return serve(call, Blocking()); }          \
    int front_start(const calls::__VA_ARGS__& call, MPI_Request* request) {                     \
        return serve(call, Starting{request});                                                  \
    }                                                                                           \
    int front_persistent(const calls::__VA_ARGS__& call, MPI_Info info, MPI_Request* request) { \
        return serve(call, Persisting{{request}, info});                                        \
    }

}  // namespace echelon
