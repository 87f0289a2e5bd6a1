// SPDX-License-Identifier: Apache-2.0
#include "cache/state.hpp"

#include "mpi/broadcast_text.hpp"

#include <array>
#include <utility>

namespace echelon {

State* State::known(MPI_Comm comm) {
    if (State* const recent = Recent::find(comm)) return recent;
    Process* const process = Process::instance(comm);
    if (process == nullptr || comm == MPI_COMM_NULL) return nullptr;
    return process->directory().find(comm);
}

State* State::of(MPI_Comm comm) {
    if (State* const known_one = known(comm)) return known_one;
    Process* const process = Process::instance(comm);
    if (process == nullptr || !is_communicator(comm)) return nullptr;
    auto made = std::unique_ptr<State>(new State(comm, *process));
    made->attach(made->requests_.keys());
    return made.release();
}

void State::attach(const Settings* keys) {
    requests_.attach(keys);
    check(PMPI_Comm_set_attr(user_, process_.keyval(), this), "MPI_Comm_set_attr");
    process_.directory().enter(user_, this);
    detached_ = false;
}

void State::detach() {
    detached_ = true;
    handout_.wait();  // lest the library keeps the communicator for it
    process_.directory().remove(user_);
    check(PMPI_Comm_delete_attr(user_, process_.keyval()), "MPI_Comm_delete_attr");
}

State::State(MPI_Comm user, Process& process) : user_(user), process_(process) {
    int is_inter = 0;
    check(PMPI_Comm_test_inter(user, &is_inter), "MPI_Comm_test_inter");
    if (is_inter != 0)
        unserved_ = Bypass::intercommunicator;
    else if (size() == 1)
        unserved_ = Bypass::one_rank;
    else if (!process.world().complete())
        unserved_ = Bypass::absent;
    else if (!within_world(user))
        unserved_ = Bypass::another_world;  // others may have no Echelon, or ask it for something else
    if (serves()) look_up();
    if (!serves() && !process_.reporter().counts()) plans_.set_all_native();
    process_.enlist(this);
}

void State::look_up() {
    const Roll* const roll = process_.world().roll();
    if (roll == nullptr) {
        agenda_.open();
        return;
    }
    own_.learn(*roll);
    set_machine(process_.profile().known()->profile);
    requests_.look_up();
    agenda_.done(requests_.settled());
}

void State::set_machine(std::shared_ptr<const LateProfile> profile, bool brief) {
    classes_ = CallClasses(profile == nullptr ? Edges() : profile->edges());
    machine_.set(std::move(profile), brief);
}

void State::settle() {
    if (requests_.settled()) return;
    clear_plans();
    const std::uint64_t fingerprint = requests_.take();
    meetings_.hold(0);
    // One rank reads the file. Who has not heard of the profile yet agrees with everything.
    // Keys are below 2^62: MPICH 4.0 takes the minimum of unsigned numbers as if they had a sign.
    constexpr std::uint64_t anything = std::uint64_t(1) << 62;
    const auto own = rank() == 0 ? process_.profile().read() : process_.profile().known();
    const std::array<std::uint64_t, 5> mine{fingerprint, ~fingerprint, own ? own->key : anything,
                                            own ? anything - own->key : anything, own ? 1u : 0u};
    std::array<std::uint64_t, 5> least{};
    check(PMPI_Allreduce(mine.data(), least.data(), int(mine.size()), MPI_UINT64_T, MPI_MIN, user_),
          "MPI_Allreduce");
    requests_.compared(least[0] == ~least[1]);
    const bool one_profile = least[2] == anything - least[3];
    if (!one_profile)
        process_.say().once(rank() == 0,
                            "the ranks of a communicator have read different profiles; it goes without one");
    const auto known = one_profile && least[4] == 0 ? share_profile(own) : own;
    if (!machine_.has_profile() && one_profile) set_machine(known->profile);
}

std::shared_ptr<const KnownProfile> State::share_profile(const std::shared_ptr<const KnownProfile>& own) {
    const std::string told = broadcast(rank() == 0 ? own->told() : "", user_);
    return own != nullptr ? own : process_.profile().take(KnownProfile::heard(told));
}

void State::set_profile(std::shared_ptr<const Profile> profile, bool brief) {
    set_machine(profile == nullptr ? nullptr : std::make_shared<const LateProfile>(std::move(profile)),
                brief);
    if (brief) {
        contests_.begin_again();
    } else {
        contests_.forget_findings();
        contests_.end();
    }
    forget_told();
}

void State::keys_changed() {
    if (!serves() || !requests_.unsettle()) return;
    agenda_.open();
    clear_plans();
}

State::~State() {
    if (process_.closed()) return;
    if (!detached_) process_.directory().remove(user_);
    process_.reporter().leave(this);
    if (process_.reporter().counts()) process_.reporter().keep(record(false));
    close();
}

CommunicatorRecord State::record(bool mpi_runs) const {
    CommunicatorRecord record{.name = user_ == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "",
                              .ranks = size(),
                              .tally = tally_,
                              .splits = own_.split_counters(),
                              .plans_made = plans_.made(),
                              .plan_hits = plans_.hits()};
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    if (mpi_runs && PMPI_Comm_get_name(user_, text, &length) == MPI_SUCCESS)
        record.name.assign(text, std::size_t(length));
    return record;
}

void State::close() {
    process_.world().keep(letters_);
    process_.world().keep(handout_);
    plans_.clear();
    own_.close();
}

void State::clear_plans() {
    contests_.end();
    forget_told();
}

void State::forget_told() {
    plans_.clear();
    letters_.give_up();
    process_.world().keep(handout_);
    agenda_.forget_wanted();
    own_.forget_lacks();
    told_.clear();
    plans_.look_again();
}

}  // namespace echelon
