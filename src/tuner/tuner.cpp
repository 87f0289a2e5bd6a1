// SPDX-License-Identifier: Apache-2.0
#include "tuner/tuner.hpp"

#include "mpi/broadcast_text.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace echelon {

Tuner::Tuner(State& state)
    : state_(state),
      shared_(SharedTuning::of(state.process())),
      pending_(state.plans(), classes_),
      machine_(state.process(), shared_, state.own()),
      forced_recipe_(state.plans()),
      trials_(state.process().settings().trial_percent, classes_) {
    if (process().world().job_map() == nullptr) {
        pending_.open();
        return;
    }
    set_machine(process().profile().known()->profile);
    pending_.done(requests().settled());
}

void Tuner::set_machine(std::shared_ptr<const LateProfile> profile) {
    classes_ = CallClasses(profile == nullptr ? Edges() : profile->edges());
    machine_.set(std::move(profile));
}

void Tuner::compare_requests() {
    Requests& requests = state_.requests();
    if (requests.settled()) return;
    clear_plans();
    const std::uint64_t fingerprint = requests.take();
    state_.meetings().hold(0);
    // Rank 0 reads the file. A rank without a profile agrees with every profile.
    // Keys are below 2^62: MPICH 4.0 takes the minimum of unsigned numbers as if they had a sign.
    constexpr std::uint64_t anything = std::uint64_t(1) << 62;
    JobProfile& profile = process().profile();
    const auto own = rank() == 0 ? profile.read() : profile.known();
    const std::array<std::uint64_t, 5> mine{fingerprint, ~fingerprint, own ? own->key : anything,
                                            own ? anything - own->key : anything, own ? 1u : 0u};
    std::array<std::uint64_t, 5> least{};
    check(PMPI_Allreduce(mine.data(), least.data(), int(mine.size()), MPI_UINT64_T, MPI_MIN, user()),
          "MPI_Allreduce");
    requests.compared(least[0] == ~least[1]);
    const bool one_profile = least[2] == anything - least[3];
    if (!one_profile)
        process().log().once(rank() == 0,
                             "the ranks of a communicator have read different profiles; it goes without one");
    const auto known = one_profile && least[4] == 0 ? share_profile(own) : own;
    if (!machine_.has_profile() && one_profile) set_machine(known->profile);
}

std::shared_ptr<const KnownProfile> Tuner::share_profile(const std::shared_ptr<const KnownProfile>& own) {
    const std::string told = broadcast(rank() == 0 ? own->told() : "", user());
    return own != nullptr ? own : process().profile().take(KnownProfile::heard(told));
}

void Tuner::keys_changed() {
    if (!state_.requests().unsettle()) return;
    pending_.open();
    clear_plans();
}

void Tuner::set_profile(std::shared_ptr<const Profile> profile) {
    set_machine(profile == nullptr ? nullptr : std::make_shared<const LateProfile>(std::move(profile)));
    trials_.forget_findings();
    clear_plans();
}

void Tuner::clear_plans() {
    trials_.end();
    plans().clear();
    async_reduction_.give_up();
    process().world().keep(async_broadcast_);
    pending_.forget_wanted();
    own().forget_lacks();
    decisions_.clear();
    plans().look_again();
}

void Tuner::take_findings(const std::vector<CallClass>& found) {
    if (rank() == 0 && own().knows_placement(true, false)) {
        const std::string layout = machine_.layout();
        for (const CallClass& calls : found)
            shared_.learned().add(learned(calls, *trials_.finding(calls), size(), layout));
    }
    for (const CallClass& calls : found)
        plans().erase_if([&](const auto& plan) {
            return classes_.of(plan.first) == calls &&
                   (plan.first.variant == Variant{} || trials_.find(calls) == nullptr);
        });
}

void Tuner::close() {
    process().world().keep(async_reduction_);
    process().world().keep(async_broadcast_);
}

}  // namespace echelon
