// SPDX-License-Identifier: Apache-2.0
#include "mpi/open_window.hpp"

#include "mpi/check.hpp"
#include "mpi/patient_calls.hpp"
#include "mpi/processors.hpp"
#include "shm/segment.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace echelon {

namespace {

/// MPI moves all messages when it looks for one that is not there: messages to oneself are not under way while
/// ranks wait in a window.
void move_messages(const Loopback& loopback) {
    int flag = 0;
    PMPI_Iprobe(loopback.rank, loopback.tag, loopback.comm, &flag, MPI_STATUS_IGNORE);
}

/// Pages are made when they are first written, near who writes, and mapped when they are first read: before the
/// first call, which would take ten times as long.
enum class Touch : bool { read, write };

/// One call of the system makes all of them, where it can (Linux 5.14): otherwise each is a fault of its own.
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

/// What a process holds of all boards: its own rows, so that a node's memory is the sum over its processes.
class Share {
public:
    Share(Bytes bytes, Bytes most) : bytes_(bytes) {
        if (held.fetch_add(bytes) + bytes <= most) return;
        held -= std::exchange(bytes_, 0);
    }
    Share(Share&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
    ~Share() { held -= bytes_; }
    bool is_granted() const { return bytes_ > 0; }

private:
    static inline std::atomic<Bytes> held = 0;
    Bytes bytes_;
};

/// Where a rank may run, of the first thousand processors.
using Bound = std::array<std::uint64_t, 16>;

Bound own_bound() {
    const ProcessorSet own = own_processors();
    Bound made{};
    std::copy_n(own.begin(), std::min(own.size(), made.size()), made.begin());
    return made;
}

struct Answer {
    Bound bound;
    int has_it;
};
struct Verdict {
    int all_have_it, crowded;
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

}  // namespace

std::shared_ptr<Board> open_board(const Route& route, const WindowShape& shape, Bytes most) {
    if constexpr (!memory_is_shared) return nullptr;
    const Talk talk(route);
    const Bytes all = Board::bytes_of(route.size, shape), row = all / Bytes(route.size);
    const auto write_own = [&](const std::optional<Segment>& segment) {
        if (!segment) return;
        touch_pages(segment->memory() + Bytes(route.rank) * row, row, Touch::write);
        Board(segment->memory(), route.rank, route.size, shape, {}).introduce();
    };
    Share share(row, most);
    std::optional<Segment> segment;
    Verdict verdict{};
    if (route.rank == 0) {
        if (share.is_granted()) segment = Segment::make(all);
        const Segment::Address address = segment ? segment->address() : Segment::Address();
        const Bound own = own_bound();
        std::vector<ProcessorSet> bound{{own.begin(), own.end()}};
        verdict.all_have_it = segment ? 1 : 0;
        for (int rank = 1; rank < route.size; ++rank) talk.send(rank, address);
        write_own(segment);
        for (int rank = 1; rank < route.size; ++rank) {
            const auto answer = talk.receive<Answer>(rank);
            verdict.all_have_it &= answer.has_it;
            bound.emplace_back(answer.bound.begin(), answer.bound.end());
        }
        verdict.crowded = is_crowded(bound) ? 1 : 0;
        for (int rank = 1; rank < route.size; ++rank) talk.send(rank, verdict);
        if (segment) segment->hide();
    } else {
        const auto address = talk.receive<Segment::Address>(0);
        if (share.is_granted()) segment = Segment::open(address);
        write_own(segment);
        talk.send(0, Answer{own_bound(), segment ? 1 : 0});
        verdict = talk.receive<Verdict>(0);
    }
    if (verdict.all_have_it == 0) return nullptr;

    Patience patience{.progress = [loopback = route.loopback()] { move_messages(loopback); }};
    if (verdict.crowded != 0) patience.spins = 0;
    struct Both {
        Share share;
        Segment segment;
        Board board;
    };
    std::byte* const memory = segment->memory();
    touch_pages(memory, all, Touch::read);
    const auto both = std::make_shared<Both>(
        Both{std::move(share), std::move(*segment), Board(memory, route.rank, route.size, shape, patience)});
    return {both, &both->board};
}

}  // namespace echelon
