// SPDX-License-Identifier: Apache-2.0
#include "mpi/open_window.hpp"

#include "mpi/check.hpp"
#include "shm/segment.hpp"

#include <sched.h>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace echelon {

namespace {

/// The processors that a process may run on, the first thousand.
using Cores = std::array<std::uint64_t, 16>;

Cores own_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    Cores cores{};
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < 1024 && core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &set)) cores[std::size_t(core) / 64] |= std::uint64_t(1) << (core % 64);
    return cores;
}

int count(const Cores& cores) {
    int found = 0;
    for (const std::uint64_t some : cores) found += std::popcount(some);
    return found;
}

/// MPI moves all messages when it looks for one that is not there: messages to oneself are not under way while
/// ranks wait in a window.
void move_messages(const Loopback& loopback) {
    int flag = 0;
    PMPI_Iprobe(loopback.rank, loopback.tag, loopback.comm, &flag, MPI_STATUS_IGNORE);
}

/// Pages are made when they are first written, near who writes, and mapped when they are first read: before the
/// first call, which would take ten times as long.
constexpr Bytes page = 4096;

void write_pages(std::byte* begin, Bytes bytes) {
    for (Bytes at = 0; at < bytes; at += page) *static_cast<volatile std::byte*>(begin + at) = std::byte{0};
}

void read_pages(const std::byte* begin, Bytes bytes) {
    for (Bytes at = 0; at < bytes; at += page) (void)*static_cast<const volatile std::byte*>(begin + at);
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

struct Answer {
    Cores cores;
    int has_it;
};
struct Verdict {
    int all_have_it, core_each;
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
        check(PMPI_Recv(&what, int(sizeof what), MPI_BYTE, route_.in_comm(from), tag(), route_.comm,
                        MPI_STATUS_IGNORE),
              "MPI_Recv");
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
        write_pages(segment->memory() + Bytes(route.rank) * row, row);
        Board(segment->memory(), route.rank, route.size, shape, {}).introduce();
    };
    Share share(row, most);
    std::optional<Segment> segment;
    Verdict verdict{};
    if (route.rank == 0) {
        if (share.is_granted()) segment = Segment::make(all);
        write_own(segment);
        const Segment::Address address = segment ? segment->address() : Segment::Address();
        Cores cores = own_cores();
        verdict.all_have_it = segment ? 1 : 0;
        for (int rank = 1; rank < route.size; ++rank) talk.send(rank, address);
        for (int rank = 1; rank < route.size; ++rank) {
            const auto answer = talk.receive<Answer>(rank);
            verdict.all_have_it &= answer.has_it;
            for (std::size_t i = 0; i < cores.size(); ++i) cores[i] |= answer.cores[i];
        }
        verdict.core_each = count(cores) >= route.size ? 1 : 0;
        for (int rank = 1; rank < route.size; ++rank) talk.send(rank, verdict);
        if (segment) segment->hide();
    } else {
        const auto address = talk.receive<Segment::Address>(0);
        if (share.is_granted()) segment = Segment::open(address);
        write_own(segment);
        talk.send(0, Answer{own_cores(), segment ? 1 : 0});
        verdict = talk.receive<Verdict>(0);
    }
    if (verdict.all_have_it == 0) return nullptr;

    Patience patience{.progress = [loopback = route.loopback()] { move_messages(loopback); }};
    if (verdict.core_each == 0) patience.spins = 0;
    struct Both {
        Share share;
        Segment segment;
        Board board;
    };
    std::byte* const memory = segment->memory();
    read_pages(memory, all);
    const auto both = std::make_shared<Both>(
        Both{std::move(share), std::move(*segment), Board(memory, route.rank, route.size, shape, patience)});
    return {both, &both->board};
}

}  // namespace echelon
