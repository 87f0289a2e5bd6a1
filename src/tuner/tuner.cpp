// SPDX-License-Identifier: Apache-2.0
#include "tuner/tuner.hpp"

#include "mpi/broadcast_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace echelon {

Tuner::Tuner(State& state)
    : state_(state),
      shared_(SharedTuning::of(state.process())),
      machine_(state.process(), shared_, state.own()) {
    table_.set_requested(requested_rows());
    if (process().world().job_map() != nullptr) set_machine(process().profile().known()->profile);
    if (!requests().settled()) open_mail();
}

void Tuner::set_machine(std::shared_ptr<const LateProfile> profile) {
    classes_ = CallClasses(profile == nullptr ? Edges() : profile->edges());
    machine_.set(std::move(profile));
}

void Tuner::compare_requests() {
    Requests& requests = state_.requests();
    if (requests.settled()) return;
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
    clear_plans();
}

std::shared_ptr<const KnownProfile> Tuner::share_profile(const std::shared_ptr<const KnownProfile>& own) {
    const std::string told = broadcast(rank() == 0 ? own->told() : "", user());
    return own != nullptr ? own : process().profile().take(KnownProfile::heard(told));
}

void Tuner::keys_changed() {
    if (!state_.requests().unsettle()) return;
    clear_plans();
}

void Tuner::set_profile(std::shared_ptr<const Profile> profile) {
    table_.clear(true);
    set_machine(profile == nullptr ? nullptr : std::make_shared<const LateProfile>(std::move(profile)));
    clear_plans();
}

void Tuner::clear_plans() {
    plans().clear();
    plans().look_again();
    calls_.clear();
    trials_.clear();
    close();
    mail_.text.clear();
    mail_.asked.clear();
    mail_.wanted.clear();
    mail_.due.clear();
    mail_.on_way.clear();
    mail_.open = !requests().settled();
    own().forget_lacks();
    table_.clear(false);
    table_.set_requested(requested_rows());
}

void Tuner::open_mail() {
    if (!std::exchange(mail_.open, true)) {
        mail_.until = mail_.gap = 1;
        for (auto& [calls, state] : calls_) state.meetings = 0;
    }
    plans().look_again();
}

void Tuner::wait_for_parts(const Recipe& recipe, const PlanKey& key) {
    const auto is_it = [&](const auto& one) {
        return one.first == recipe && classes_.of(one.second) == classes_.of(key);
    };
    if (std::ranges::none_of(mail_.wanted, is_it)) mail_.wanted.emplace_back(recipe, key);
    open_mail();
}

void Tuner::measure(const Override* recipe) {
    override_ = recipe;
    plans().look_again();
}

int Tuner::percent(const PlanKey& key) const {
    const auto some = percents_.find(key.collective);
    const int* const percent = some == percents_.end() ? nullptr : some->second.find(key.bytes());
    return percent == nullptr ? settings().trial_percent : *percent;
}

void Tuner::set_percent(Collective collective, ByteRange sizes, int percent) {
    percents_[collective].add(sizes, percent);
    clear_plans();
}

bool Tuner::tries() const { return settings().trial_percent > 0 || !percents_.empty(); }

bool Tuner::trying() const {
    return std::ranges::any_of(calls_, [](const auto& one) { return one.second.stage != Stage::fixed; });
}

LearnedDecision Tuner::learned(const CallClass& calls, const Row& winner) {
    Bytes end = calls.size;  // the last size of the class
    while (Decider::size_class(end + 1) == calls.size) ++end;
    return {.collective = calls.collective,
            .p = size(),
            .layout = machine_.layout(),
            .sizes = {calls.size, end},
            .recipe = winner.choice.recipe,
            .seconds = winner.choice.evidence.ours,
            .native_seconds = winner.choice.evidence.native};
}

std::vector<LearnedDecision> Tuner::findings() {
    std::vector<LearnedDecision> all;
    for (const auto& [calls, row] : table_.by_class())
        if (row.found() && !calls.own_lengths) all.push_back(learned(calls, row));
    return all;
}

std::uint64_t Tuner::take_route() {
    ToldRoutes* const routes = process().world().told_routes();
    const std::optional<int> number = routes == nullptr || own().has_route() ? std::nullopt : routes->take();
    return number ? std::uint64_t(*number) + 1 : 0;
}

void Tuner::use_route(std::uint64_t route) {
    if (route == 0 || own().has_route()) return;
    own().take_route(process().world().told_routes()->route(user(), int(route) - 1));
}

void Tuner::close() {
    process().world().keep(mail_.up);
    process().world().keep(mail_.letter);
    process().world().keep(mail_.down);
}

}  // namespace echelon
