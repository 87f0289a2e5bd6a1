// SPDX-License-Identifier: Apache-2.0
#include "mpi/meeting.hpp"

#include "core/say.hpp"
#include "mpi/comm.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace echelon {
namespace {

/// The record of a meeting that ranks exchange and compare.
struct Card {
    char magic[8] = "echelon";
    std::uint64_t number = 0, arguments = 0;
    std::uint32_t line = 0;
    char file[48] = {}, function[84] = {};

    explicit Card(const Meeting& meeting)
        : number(meeting.number), arguments(meeting.arguments), line(meeting.place.line) {
        // A path is cut at its beginning.
        const std::string path = meeting.place.file, name = meeting.place.function;
        path.substr(path.size() - std::min(path.size(), sizeof file - 1)).copy(file, sizeof file - 1);
        name.copy(function, sizeof function - 1);
    }
    bool is_ours() const { return std::memcmp(magic, "echelon", sizeof magic) == 0; }
    std::string text() const {
        if (!is_ours()) return "a call of the program's";
        return "agreement " + std::to_string(number) + " (" + std::to_string(arguments) + ") at " + file +
               ':' + std::to_string(line) + " in " + function;
    }
    friend bool operator==(const Card& a, const Card& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
};

[[noreturn]] void end(MPI_Comm comm, const std::string& sentence) {
    say(sentence);
    std::fflush(stderr);
    // Hydra may lose output written just before an abort.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    PMPI_Abort(comm, 1);
    std::abort();
}

constexpr bool may_be_impatient =
    !quirks::simulated && !quirks::nonblocking_collectives_use_up_tags;  // polling takes virtual time

/// Exchanges the cards. False if not all have arrived after `patience_seconds`. Collective.
bool show(MPI_Comm comm, const Card& own, std::vector<Card>& cards, double patience_seconds) {
    const int length = sizeof own;
    if (!may_be_impatient) {
        check(PMPI_Allgather(&own, length, MPI_BYTE, cards.data(), length, MPI_BYTE, comm), "MPI_Allgather");
        return true;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Iallgather(&own, length, MPI_BYTE, cards.data(), length, MPI_BYTE, comm, &request),
          "MPI_Iallgather");
    const double began = PMPI_Wtime();
    for (int arrived = 0; arrived == 0; std::this_thread::yield()) {
        check(PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
        if (arrived == 0 && PMPI_Wtime() - began > patience_seconds) return false;
    }
    return true;
}

}  // namespace

void meet(MPI_Comm comm, const Meeting& meeting, double patience_seconds) {
    const Card own(meeting);
    const int rank = rank_of(comm);
    std::vector<Card> cards(std::size_t(size_of(comm)), own);
    if (!show(comm, own, cards, patience_seconds))
        end(comm, "rank " + std::to_string(rank) + " waits at " + own.text() + ", and some rank stays away");
    for (std::size_t other = 0; other < cards.size(); ++other)
        if (!(cards[other] == own))
            end(comm, "rank " + std::to_string(rank) + " is at " + own.text() + ", and rank " +
                          std::to_string(other) + " at " + cards[other].text());
}

}  // namespace echelon
