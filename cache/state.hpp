// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/companion.hpp"
#include "cache/plan_table.hpp"
#include "cache/private_communicator.hpp"
#include "cache/process.hpp"
#include "cache/requests.hpp"
#include "cache/sum_scratch.hpp"
#include "mpi/meeting.hpp"
#include "report/reported.hpp"
#include "settings/hints.hpp"

#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// Echelon's state of one of the user's communicators, stored as its attribute: MPI deletes it with the
/// communicator and does not copy it. It holds the private communicator, the plans and the counts; a
/// companion holds the tuner's part. Only one thread at a time may use it, as MPI demands of collectives on a
/// communicator.
class State final : public Reported {
public:
    /// The state of a communicator, made on first use. Null if MPI does not run: before initialisation and
    /// after MPI_Finalize. Local.
    static State* of(MPI_Comm comm);
    /// The state of a communicator; null if it has none yet. Local.
    static State* known(MPI_Comm comm);
    /// Deletes a state that belongs to the handle of the new communicator `made`, but is not its attribute.
    /// It is the state of a communicator whose end was not seen: MPICH runs delete callbacks, which may call
    /// collectives, when the last nonblocking call on a freed communicator has completed. Local.
    static void forget_dead(MPI_Comm made);
    ~State() override;
    /// Frees `comm` by `free`, a function of the library, and returns its result. All attributes of a
    /// communicator together determine the order in which the library runs delete callbacks of the program,
    /// and whether it sees each refusal. Echelon therefore removes its attributes first: all ranks go native
    /// from the same call on, and the library works like without Echelon. A communicator that could not be
    /// freed keeps its state and info keys.
    static int free_by(int (*free)(MPI_Comm*), MPI_Comm* comm);

    int rank() const { return own_.rank(); }
    int size() const { return own_.size(); }
    MPI_Comm user() const { return user_; }
    Process& process() const { return process_; }
    /// True if Echelon serves this communicator: an intracommunicator of several ranks that were started
    /// together. Otherwise unserved() is the reason.
    bool serves() const { return !unserved_; }
    std::optional<Bypass> unserved() const { return unserved_; }

    // Its parts.
    PrivateCommunicator& own() { return own_; }
    const PrivateCommunicator& own() const { return own_; }
    PlanTable& plans() { return plans_; }
    const PlanTable& plans() const { return plans_; }
    Requests& requests() { return requests_; }
    const Requests& requests() const { return requests_; }
    Hints& hints() { return hints_; }
    const Hints& hints() const { return hints_; }
    CompanionSlot& companion() { return companion_; }
    Meetings& meetings() { return meetings_; }
    Tally& tally() { return tally_; }
    SumScratch& sum_scratch() { return sum_scratch_; }

    CommunicatorRecord record(bool mpi_runs) const override;

    /// Removes this state from the communicator, which is about to be freed. If it stays alive, attach() puts
    /// the state back; `keys` are the settings of its info keys.
    void detach();
    void attach(const Settings* keys);
    bool is_detached() const override { return detached_; }
    /// Frees the communicators; only memory remains.
    void close() override;

private:
    /// Sentences of the tuner for the summary.
    std::vector<std::string> reasons() const;
    State(MPI_Comm user, Process& process);

    MPI_Comm user_;
    Meetings meetings_{user_};
    Process& process_;
    PlanTable plans_;
    PrivateCommunicator own_{user_, process_, meetings_, plans_};
    Requests requests_{user_, process_};
    Hints hints_;
    Tally tally_;
    SumScratch sum_scratch_;
    std::optional<Bypass> unserved_;  // reason why Echelon serves no call here
    bool detached_ = false;
    std::vector<std::string> last_reasons_;  // of a detached state, which must not use the communicator
    CompanionSlot companion_;                // last, because it uses the other members
};

}  // namespace echelon
