// SPDX-License-Identifier: Apache-2.0
#include "mpi/meeting.hpp"

#include "mpi/comm.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace echelon {
namespace {

/// What a rank shows the others.
struct Card {
    char magic[8] = "echelon";
    std::uint64_t number = 0, arguments = 0;
    std::uint32_t line = 0;
    char file[48] = {}, function[84] = {};

    explicit Card(const Meeting& meeting)
        : number(meeting.number), arguments(meeting.arguments), line(meeting.place.line) {
        // The ends say most.
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
    std::fprintf(stderr, "echelon: %s\n", sentence.c_str());
    std::fflush(stderr);
    // Hydra may lose what was written just before an abort.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    PMPI_Abort(comm, 1);
    std::abort();
}

}  // namespace

void meet(MPI_Comm comm, const Meeting& meeting, [[maybe_unused]] double patience_seconds) {
    const Card own(meeting);
    const int rank = rank_of(comm);
    std::vector<Card> cards(std::size_t(size_of(comm)), own);
#if defined(ECHELON_SMPI) || defined(OPEN_MPI)
    // Open MPI's nonblocking collectives use up tags of the program's communicator.
    check(PMPI_Allgather(&own, int(sizeof own), MPI_BYTE, cards.data(), int(sizeof own), MPI_BYTE, comm),
          "MPI_Allgather");
#else
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Iallgather(&own, int(sizeof own), MPI_BYTE, cards.data(), int(sizeof own), MPI_BYTE, comm,
                          &request),
          "MPI_Iallgather");
    const double began = PMPI_Wtime();
    for (int arrived = 0; arrived == 0; std::this_thread::yield()) {
        check(PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
        if (arrived == 0 && PMPI_Wtime() - began > patience_seconds)
            end(comm,
                "rank " + std::to_string(rank) + " waits at " + own.text() + ", and some rank stays away");
    }
#endif
    for (std::size_t other = 0; other < cards.size(); ++other)
        if (!(cards[other] == own))
            end(comm, "rank " + std::to_string(rank) + " is at " + own.text() + ", and rank " +
                          std::to_string(other) + " at " + cards[other].text());
}

}  // namespace echelon
