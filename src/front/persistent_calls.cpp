// SPDX-License-Identifier: Apache-2.0
#include "front/persistent_calls.hpp"

#include "front/serve.hpp"
#include "mpi/next.hpp"
#include "mpi/pending_calls.hpp"

#include <unordered_map>
#include <utility>

namespace echelon {
namespace {

struct Persistent {
    std::shared_ptr<PendingCall> call;
    Plan plan;
    PersistentCalls::Begin begin;
};

/// Never destroyed: a program may forget requests. Simulated ranks have none.
std::unordered_map<MPI_Request, Persistent>& all() {
    static auto& all = *new std::unordered_map<MPI_Request, Persistent>;
    return all;
}

}  // namespace

MPI_Request PersistentCalls::add(std::shared_ptr<PendingCall> call, const Plan& plan, Begin begin) {
    Plan own{.choice = {.recipe = {}, .evidence = plan.choice.evidence},
             .phase = {.collective = plan.phase.collective},
             .given = plan.given,
             .scratch = plan.scratch,
             .writes_data = plan.writes_data,
             .counts = plan.counts,
             .kind = plan.kind};
    const MPI_Request request = call->make_persistent_request();
    all().insert_or_assign(request, Persistent{std::move(call), std::move(own), std::move(begin)});
    any_ = true;
    return request;
}

int PersistentCalls::start(MPI_Request* request) {
    const PendingCalls::Turn turn;
    const auto found = all().find(*request);
    if (found == all().end()) return next.Start(request);
    auto& [call, plan, begin] = found->second;
    if (call->user() == MPI_COMM_NULL) plan.counts = nullptr;  // they ended with it
    const Timed timed(plan);
    const int code = next.Start(request);
    if (code != MPI_SUCCESS) return code;
    call->restart();
    begin(plan, call->memory());
    PendingCalls::add_persistent(call);
    return MPI_SUCCESS;
}

int PersistentCalls::free(MPI_Request* request) {
    {
        const PendingCalls::Turn turn;
        all().erase(*request);
        any_ = !all().empty();
    }
    return next.Request_free(request);
}

}  // namespace echelon
