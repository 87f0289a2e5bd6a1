// SPDX-License-Identifier: Apache-2.0
#include "mpi/open_window.hpp"

#include "mpi/check.hpp"
#include "mpi/comm.hpp"
#include "mpi/patient_calls.hpp"
#include "mpi/pending_calls.hpp"
#include "mpi/processors.hpp"
#include "shm/segment.hpp"
#include "shm/waiting_cost.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace echelon {

namespace {

/// Lets MPI progress its messages: it probes for a message to oneself, which cannot exist while ranks wait in
/// a window. True: nonblocking collectives are under way.
bool move_messages(const Loopback& loopback) {
    int flag = 0;
    PMPI_Iprobe(loopback.rank, loopback.tag, loopback.comm, &flag, MPI_STATUS_IGNORE);
    return PendingCalls::advance();
}

/// The kernel allocates a page at its first write, near the writer, and maps it at its first read. Both
/// happen here, not in the first call.
enum class Touch : bool { read, write };

/// Touches all pages in one system call (Linux 5.14), instead of one page fault each. False: not supported.
bool touch_at_once(std::byte* begin, Bytes bytes, Touch how) {
#if defined(MADV_POPULATE_READ) && defined(MADV_POPULATE_WRITE)
    const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE)), first = std::uintptr_t(begin) & ~(page - 1);
    return madvise(reinterpret_cast<void*>(first), std::uintptr_t(begin) + bytes - first,
                   how == Touch::write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0;
#else
    (void)begin, (void)bytes, (void)how;
    return false;
#endif
}

void touch_pages(std::byte* begin, Bytes bytes, Touch how) {
    if (touch_at_once(begin, bytes, how)) return;
    constexpr Bytes page = 4096;
    for (Bytes at = 0; at < bytes; at += page) {
        volatile std::byte* const there = begin + at;
        if (how == Touch::write)
            *there = std::byte{0};
        else
            (void)*there;
    }
}

/// The ranks in MPI_COMM_WORLD; empty if there are only sessions.
Boards::Processes processes_of(const Route& route) {
    int initialized = 0;
    check(PMPI_Initialized(&initialized), "MPI_Initialized");
    if (initialized == 0) return {};
    return route.members.empty() ? ranks_in_world(route.comm) : ranks_in_world(route.comm, route.members);
}

/// The thread level decides. Without MPI_Init it is unknown, since each session may ask for its own: at_once.
Boards::Calls calls_here() {
    int initialized = 0, level = MPI_THREAD_MULTIPLE;
    check(PMPI_Initialized(&initialized), "MPI_Initialized");
    if (initialized != 0) check(PMPI_Query_thread(&level), "MPI_Query_thread");
    return level == MPI_THREAD_MULTIPLE ? Boards::Calls::at_once : Boards::Calls::in_turn;
}

/// The processors on which a rank may run, of the first 1024.
using Bound = std::array<std::uint64_t, 16>;

Bound own_bound() {
    const ProcessorSet own = own_processors();
    Bound made{};
    std::copy_n(own.begin(), std::min(own.size(), made.size()), made.begin());
    return made;
}

/// Rank 0's offer: a board that it has, the board's round, and its number for the new user; or a new board's
/// memory.
struct Offer {
    std::uint64_t known = 0, round = 0, user = 0;
    Segment::Address address = {};
};
struct Answer {
    Bound bound;
    int has_it;
};
struct Verdict {
    int all_have_it = 0, crowded = 0;
};

class Talk {
public:
    explicit Talk(const Route& route) : route_(route) {}
    template <class T>
    void send(int to, const T& what) const {
        check(PMPI_Send(&what, int(sizeof what), MPI_BYTE, route_.in_comm(to), tag(), route_.comm),
              "MPI_Send");
    }
    template <class T>
    T receive(int from) const {
        T what;
        MPI_Request request = MPI_REQUEST_NULL;
        check(
            PMPI_Irecv(&what, int(sizeof what), MPI_BYTE, route_.in_comm(from), tag(), route_.comm, &request),
            "MPI_Irecv");
        wait_patiently(request);
        return what;
    }

private:
    int tag() const { return route_.first_tag; }
    const Route& route_;
};

/// Rank 0 offers a board, runs `meanwhile`, and collects the answers. Returns the verdict that all ranks get:
/// all of them have the board or not, and whether they share processors.
template <class Work>
Verdict offer_to_all(const Talk& talk, int size, const Offer& offer, bool has_it, const Work& meanwhile) {
    for (int rank = 1; rank < size; ++rank) talk.send(rank, offer);
    meanwhile();
    const Bound own = own_bound();
    std::vector<ProcessorSet> bound{{own.begin(), own.end()}};
    Verdict verdict{.all_have_it = has_it ? 1 : 0};
    for (int rank = 1; rank < size; ++rank) {
        const auto answer = talk.receive<Answer>(rank);
        verdict.all_have_it &= answer.has_it;
        bound.emplace_back(answer.bound.begin(), answer.bound.end());
    }
    verdict.crowded = is_crowded(bound) ? 1 : 0;
    for (int rank = 1; rank < size; ++rank) talk.send(rank, verdict);
    return verdict;
}

Verdict answer_to_0(const Talk& talk, bool has_it) {
    talk.send(0, Answer{own_bound(), has_it ? 1 : 0});
    return talk.receive<Verdict>(0);
}

/// One rank's part in opening a window.
class Opening {
public:
    Opening(const Route& route, const WindowShape& shape, Boards& boards)
        : route_(route), shape_(shape), boards_(boards) {}

    Boards::Lease open() { return route_.rank == 0 ? lead() : follow(); }

private:
    Boards::Lease lead() {
        if (auto known = boards_.find(processes_, calls_, progress_)) {
            const Offer offer{.known = known.mark(), .round = known.board().next_round, .user = known.user()};
            if (offer_to_all(talk_, route_.size, offer, true, [] {}).all_have_it != 0) return known;
            boards_.forget(known);
        }
        Boards::Share share = boards_.grant(row_);
        std::optional<Segment> segment;
        if (share.is_granted()) segment = Segment::make(all_);
        const Offer offer{.address = segment ? segment->address() : Segment::Address()};
        const Verdict verdict =
            offer_to_all(talk_, route_.size, offer, segment.has_value(), [&] { write_own(segment); });
        if (segment) segment->hide();
        return enter(verdict, std::move(share), std::move(segment));
    }

    Boards::Lease follow() {
        auto offer = talk_.receive<Offer>(0);
        if (offer.known != 0) {
            auto known = boards_.find(offer.known, offer.round, calls_, progress_);
            known.set_user(std::uint16_t(offer.user));
            if (answer_to_0(talk_, bool(known)).all_have_it != 0) return known;
            boards_.forget(known);
            offer = talk_.receive<Offer>(0);
        }
        Boards::Share share = boards_.grant(row_);
        std::optional<Segment> segment;
        if (share.is_granted()) segment = Segment::open(offer.address);
        write_own(segment);
        const Verdict verdict = answer_to_0(talk_, segment.has_value());
        return enter(verdict, std::move(share), std::move(segment));
    }

    void write_own(const std::optional<Segment>& segment) const {
        if (!segment) return;
        touch_pages(segment->memory() + Bytes(route_.rank) * row_, row_, Touch::write);
        Board(segment->memory(), route_.rank, route_.size, shape_, {}).introduce();
    }

    Boards::Lease enter(const Verdict& verdict, Boards::Share share, std::optional<Segment> segment) {
        if (verdict.all_have_it == 0) return {};
        touch_pages(segment->memory(), all_, Touch::read);
        const Boards::Place place{.rank = route_.rank,
                                  .size = route_.size,
                                  .shape = shape_,
                                  .patience = patience_by(waiting_cost(), verdict.crowded != 0)};
        return boards_.enter(processes_, std::move(share), std::move(*segment), place, progress_);
    }

    const Route& route_;
    const WindowShape& shape_;
    Boards& boards_;
    const Talk talk_{route_};
    const Boards::Calls calls_ = calls_here();
    const Boards::Processes processes_ = processes_of(route_);
    const Boards::Progress progress_ = [loopback = route_.loopback()] { return move_messages(loopback); };
    const Bytes all_ = Board::bytes_of(route_.size, shape_), row_ = all_ / Bytes(route_.size);
};

}  // namespace

Boards::Lease open_board(const Route& route, const WindowShape& shape, Boards& boards) {
    if constexpr (!memory_is_shared) return {};
    return Opening(route, shape, boards).open();
}

}  // namespace echelon
