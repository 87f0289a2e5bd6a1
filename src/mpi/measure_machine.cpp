// SPDX-License-Identifier: Apache-2.0
#include "mpi/measure_machine.hpp"

#include "groups/partners.hpp"
#include "mpi/agree.hpp"
#include "mpi/combination.hpp"
#include "mpi/combining_time.hpp"
#include "mpi/comm.hpp"
#include "mpi/mpi_link.hpp"
#include "mpi/quirks.hpp"
#include "mpi/turns.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace echelon {
namespace {

constexpr int tag = 7, number_tag = 8;
constexpr Bytes longest = Bytes(4) << 20;
constexpr std::size_t most_at_once = 8;

using Lengths = std::vector<Bytes>;

/// Fewest lengths from which a network can be fitted.
constexpr std::size_t least = 3;

/// Lengths that show where protocols change: near the powers of two that libraries choose. The order puts a
/// few lengths from short to long first, then the lengths between them.
Lengths message_lengths() {
    Lengths all{1, 8, 64, 256}, in_order;
    for (Bytes length = 512; length <= longest; length *= 2) {
        all.push_back(length);
        if (length >= 4096 && length <= 262144) all.push_back(length + length / 2);
    }
    constexpr std::size_t stride = 5;
    for (std::size_t first = 0; first < stride; ++first)
        for (std::size_t i = first; i < all.size(); i += stride) in_order.push_back(all[i]);
    return in_order;
}

class Measurement {
public:
    Measurement(MPI_Comm comm, CommonStart& start)
        : comm_(comm),
          start_(start),
          rank_(rank_of(comm)),
          out_(std::make_unique<std::byte[]>(longest)),
          in_(std::make_unique<std::byte[]>(longest)) {}

    /// The time of one message, one way; all pairs communicate at once.
    Seconds message(const Pairs& pairs, std::size_t count, Bytes bytes, double deadline) {
        int partner = MPI_PROC_NULL;
        bool first = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (pairs[i].first == rank_) partner = pairs[i].second, first = true;
            if (pairs[i].second == rank_) partner = pairs[i].first;
        }
        const auto back_and_forth = [&] {
            if (partner == MPI_PROC_NULL) return;
            if (first) send(partner, bytes);
            receive(partner, bytes);
            if (!first) send(partner, bytes);
        };
        for (int i = 0; i < 2; ++i) back_and_forth();
        return timed(back_and_forth, true, deadline) / 2;
    }

    /// The first of `ranks` sends to `peers` others at once.
    Seconds fan(const std::vector<int>& ranks, std::size_t peers, Bytes bytes, double deadline) {
        const auto send_to_all = [&] {
            Requests sends{};
            for (std::size_t i = 0; i < peers; ++i) sends[i] = post(ranks[i + 1], bytes);
            PMPI_Waitall(int(peers), sends.data(), MPI_STATUSES_IGNORE);
        };
        return around_first(ranks, peers, deadline, send_to_all, [&] { receive(ranks[0], bytes); });
    }

    /// The first of `ranks` receives from `peers` others at once.
    Seconds fan_in(const std::vector<int>& ranks, std::size_t peers, Bytes bytes, double deadline) {
        const auto receive_from_all = [&] {
            Requests receives{};
            for (std::size_t i = 0; i < peers; ++i)
                PMPI_Irecv(in_.get() + i * bytes, int(bytes), MPI_BYTE, ranks[i + 1], tag, comm_,
                           &receives[i]);
            PMPI_Waitall(int(peers), receives.data(), MPI_STATUSES_IGNORE);
        };
        return around_first(ranks, peers, deadline, receive_from_all, [&] { send(ranks[0], bytes); });
    }

    /// The first of `ranks` receives from `peers` others, one after the other; they send at once.
    Seconds in_turn(const std::vector<int>& ranks, std::size_t peers, Bytes bytes, double deadline) {
        const auto receive_from_each = [&] {
            for (std::size_t i = 0; i < peers; ++i) receive(ranks[i + 1], bytes);
        };
        return around_first(ranks, peers, deadline, receive_from_each, [&] { send(ranks[0], bytes); });
    }

    /// Duration of a send from the second of `ranks` to the first, which exchanges four messages with the
    /// third before it posts the receive.
    Seconds late(const std::vector<int>& ranks, Bytes bytes, double deadline) {
        constexpr int enough = 5;
        std::vector<double> times;
        for (int left = quirks::simulated ? 1 : enough; left > 0; --left) {
            if (rank_ == ranks[0]) {
                if (now() > deadline) left = 1;
                for (const int other : {ranks[1], ranks[2]})
                    PMPI_Send(&left, 1, MPI_INT, other, number_tag, comm_);
                for (int i = 0; i < 2; ++i) receive(ranks[2], bytes), send(ranks[2], bytes);
                receive(ranks[1], bytes);
            } else if (rank_ == ranks[1] || rank_ == ranks[2]) {
                PMPI_Recv(&left, 1, MPI_INT, ranks[0], number_tag, comm_, MPI_STATUS_IGNORE);
                const double began = now();
                if (rank_ == ranks[1]) send(ranks[0], bytes);
                if (rank_ == ranks[1]) times.push_back(now() - began);
                for (int i = 0; i < 2 && rank_ == ranks[2]; ++i)
                    send(ranks[0], bytes), receive(ranks[0], bytes);
            }
        }
        double found = times.empty() ? 0 : median(std::move(times));
        check(PMPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_DOUBLE, MPI_MAX, comm_), "MPI_Allreduce");
        return found;
    }

    /// Processor time of posting a send to the second of a pair, of a blocking send if algorithms use it for
    /// this length, and at the second of receiving a message that has come.
    MachineSamples::Overheads overheads(const std::pair<int, int>& pair, Bytes bytes, double deadline) {
        const auto [send, receive] = posted(pair, bytes, deadline, false);
        const bool blocks = bytes <= MpiLink::sent_without_request;
        return {bytes, send, receive, blocks ? posted(pair, bytes, deadline, true)[0] : 0};
    }

    /// The time of combining on all ranks at once, like in an algorithm, or only on ranks with `here`.
    Seconds combining(Bytes bytes, double deadline, bool here = true) {
        const Element element = element_of(MPI_DOUBLE);
        const Combination sum = combination_of(MPI_SUM, element);
        const auto combine = [&] {
            if (!here) return;
            sum.kernel(in_.get(), in_.get(), out_.get(), bytes / sizeof(double));
            charge_combining(bytes);
        };
        return timed(combine, true, deadline);
    }
    Seconds copying(Bytes bytes, double deadline, bool here = true) {
        const auto copy = [&] {
            if (here) std::memcpy(in_.get(), out_.get(), bytes);
        };
        return timed(copy, true, deadline);
    }

private:
    /// Number of repetitions of a measurement, at most.
    static constexpr int most_rounds = 25;
    using Requests = std::array<MPI_Request, most_at_once>;

    MPI_Request post(int to, Bytes bytes) {
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Isend(out_.get(), int(bytes), MPI_BYTE, to, tag, comm_, &request);
        return request;
    }
    /// Like the sends of an algorithm that are waited for.
    void send(int to, Bytes bytes) {
        if (bytes > MpiLink::sent_without_request) return finish(post(to, bytes));
        PMPI_Send(out_.get(), int(bytes), MPI_BYTE, to, tag, comm_);
    }
    static void finish(MPI_Request request) { PMPI_Wait(&request, MPI_STATUS_IGNORE); }
    void receive(int from, Bytes bytes) {
        PMPI_Recv(in_.get(), int(bytes), MPI_BYTE, from, tag, comm_, MPI_STATUS_IGNORE);
    }

    /// The time of `first` on the first of `ranks`, and of `other` on the next `peers`.
    template <class First, class Other>
    Seconds around_first(const std::vector<int>& ranks, std::size_t peers, double deadline, First first,
                         Other other) {
        const auto place = std::size_t(std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin());
        const auto once = [&] {
            if (place == 0)
                first();
            else if (place <= peers)
                other();
        };
        once();
        return timed(once, false, deadline);
    }

    /// Durations of a send and of its receive.
    std::array<double, 2> posted(const std::pair<int, int>& pair, Bytes bytes, double deadline,
                                 bool blocking) {
        std::vector<double> times;
        if (rank_ == pair.first || rank_ == pair.second) {
            const int partner = rank_ == pair.first ? pair.second : pair.first;
            for (int left = quirks::simulated ? 1 : most_rounds; left > 0; --left)
                times.push_back(rank_ == pair.first
                                    ? seconds_of_send(partner, bytes, deadline, left, blocking)
                                    : seconds_of_receive(partner, bytes, left));
        }
        std::array<double, 2> found{};
        if (!times.empty()) found[rank_ == pair.first ? 0 : 1] = median(std::move(times));
        check(PMPI_Allreduce(MPI_IN_PLACE, found.data(), 2, MPI_DOUBLE, MPI_MAX, comm_), "MPI_Allreduce");
        return found;
    }

    /// The message has come when an answer of the same length has gone back. The number behind it holds the
    /// rounds that are left.
    Seconds seconds_of_send(int to, Bytes bytes, double deadline, int& left, bool blocking) {
        if (now() > deadline) left = 1;
        MPI_Request request = MPI_REQUEST_NULL;
        const double began = now();
        if (blocking)
            send(to, bytes);
        else
            request = post(to, bytes);
        const Seconds took = now() - began;
        PMPI_Send(&left, 1, MPI_INT, to, number_tag, comm_);
        finish(request);
        receive(to, bytes);
        PMPI_Send(nullptr, 0, MPI_BYTE, to, number_tag, comm_);
        return took;
    }
    Seconds seconds_of_receive(int from, Bytes bytes, int& left) {
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Irecv(in_.get(), int(bytes), MPI_BYTE, from, tag, comm_, &request);
        PMPI_Recv(&left, 1, MPI_INT, from, number_tag, comm_, MPI_STATUS_IGNORE);
        finish(post(from, bytes));
        PMPI_Recv(nullptr, 0, MPI_BYTE, from, number_tag, comm_, MPI_STATUS_IGNORE);
        const double began = now();
        finish(request);
        return now() - began;
    }

    template <class Work>
    Seconds timed(Work work, bool in_a_row, double deadline) {
        const int rounds = quirks::simulated ? 1 : most_rounds;
        Turns turns(start_, comm_);
        turns.add([] {}, work, in_a_row);
        return turns
            .run({.fewest = std::min(rounds, 3), .rounds = rounds, .deadline = deadline, .precision = 0.03})
            .front()
            .seconds.median;
    }

    MPI_Comm comm_;
    CommonStart& start_;
    int rank_;
    std::unique_ptr<std::byte[]> out_, in_;
};

/// Divides a time among measurements. Time that one leaves unused goes to the next ones.
class Shares {
public:
    Shares(MPI_Comm comm, double seconds, std::size_t questions)
        : comm_(comm), end_(now() + seconds), left_(questions) {}
    /// True if there is time for a measurement of about `expected` seconds that can be left out. Collective.
    bool any(Seconds expected = 0) {
        finish();
        return as_rank_0_says(now() + std::max(expected, quickest_) < end_, comm_);
    }
    double next() {
        finish();
        const double begin = began_ = now();
        const std::size_t questions = std::max<std::size_t>(left_--, 1);
        return begin + std::max(0.0, end_ - begin) / double(questions);
    }

private:
    /// Records the shortest measurement: if ranks share processors, starting together takes longer than the
    /// work.
    void finish() {
        if (began_ == 0) return;
        const double took = now() - std::exchange(began_, 0);
        quickest_ = quickest_ == 0 ? took : std::min(quickest_, took);
    }

    MPI_Comm comm_;
    double end_;
    std::size_t left_;
    double began_ = 0;     // of the measurement under way
    double quickest_ = 0;  // of all measurements
};

/// Numbers of concurrent messages: 1, 2, 4 ... and all.
std::vector<std::size_t> numbers_to(std::size_t all) {
    std::vector<std::size_t> numbers;
    for (std::size_t n = 1; n < all; n *= 2) numbers.push_back(n);
    if (all > 0) numbers.push_back(all);
    return numbers;
}
std::vector<std::size_t> numbers_of(const Pairs& pairs) { return numbers_to(pairs.size()); }

/// The number of ranks before a rank on its node, and the most ranks of a node.
struct Seat {
    Seat(const Placement& placement, int rank) {
        std::vector<std::size_t> of_node(static_cast<std::size_t>(placement.node_count()));
        for (int other = 0; other < placement.size(); ++other) {
            std::size_t& there = of_node[std::size_t(placement.node(other))];
            if (other == rank) before = there;
            most = std::max(most, ++there);
        }
    }
    std::size_t before = 0, most = 0;
};

}  // namespace

MachineSamples measure_machine(MPI_Comm comm, const Placement& placement, CommonStart& start,
                               double seconds) {
    const Partners partners(placement, most_at_once);
    MachineSamples samples{.hops = partners.hops, .most_hops = partners.most_hops};
    for (const Partners::WayOut& one : partners.ways_out) samples.beyond.push_back({.level = one.level});
    std::vector<std::pair<Pairs, std::vector<MessageSample>*>> lone;
    const auto add = [&](const std::vector<Pairs>& all, std::vector<MessageSample>& into) {
        for (const Pairs& one : all) lone.emplace_back(one, &into);
    };
    if (!partners.inside.empty()) add({Pairs{partners.inside.front()}}, samples.inside);
    add(partners.far, samples.between);
    add(partners.farthest, samples.farthest);
    std::size_t uplinks = 0;
    for (std::size_t i = 0; i < partners.ways_out.size(); ++i) {
        add(partners.ways_out[i].lone, samples.beyond[i].messages);
        uplinks += numbers_of(partners.ways_out[i].uplink).size();
    }
    const Lengths messages = message_lengths();
    const Lengths bulk{Bytes(64) << 10, Bytes(256) << 10, Bytes(1) << 20};
    const Lengths fan_lengths{8, Protocol::long_one};  // the shortest shows processors, the longest ports
    // Two lengths give the time of a byte. Libraries switch their protocols at powers of two, or a header's
    // length below.
    const Lengths posted{8, 8192, 1024, 4096, 12288, 16384, 24576, 32768, 49152, 61440, 65536};
    const Lengths turns{8, 1024, 4096, 8192, 16384, 32768, 65536};
    // The indispensable lengths come first.
    const Lengths work{4096, 65536, 1 << 20, 16384, 262144};
    const Seat seat(placement, rank_of(comm));
    // Skipped if shared memory or the fit does not need it. One rank and all ranks come first: they tell
    // most.
    std::vector<std::size_t> workers;
    if (!quirks::simulated && seat.most > 1) {
        workers = numbers_to(seat.most);
        std::rotate(workers.begin() + 1, workers.end() - 1, workers.end());
    }
    Shares shares(comm, seconds,
                  messages.size() * lone.size() +
                      bulk.size() * (numbers_of(partners.across).size() + numbers_of(partners.inside).size() +
                                     uplinks) +
                      2 * 4 * (fan_lengths.size() + 1) + 6 * turns.size() + 2 * posted.size() +
                      2 * work.size() + 2 * workers.size());
    Measurement measure(comm, start);

    // The last message's time predicts the time of the next ones; each is repeated.
    Seconds last = 0, shortest = unlimited;
    Bytes last_bytes = 1;
    const auto expected = [&](Bytes bytes, std::size_t at_once = 1) {
        constexpr double repeated = 20;
        return repeated * std::max(shortest, last * double(bytes * at_once) / double(last_bytes));
    };

    const auto alone = [&](std::size_t pair, Bytes bytes) {
        const auto& [pairs, into] = lone[pair];
        last = measure.message(pairs, 1, bytes, shares.next());
        last_bytes = bytes;
        shortest = std::min(shortest, last);
        into->push_back({bytes, 1, last});
    };
    const auto at_once = [&](const Pairs& pairs, Bytes bytes, std::vector<ConcurrentSample>& into) {
        for (const std::size_t n : numbers_of(pairs))
            if (shares.any(expected(bytes, n)))
                into.push_back({bytes, int(n), measure.message(pairs, n, bytes, shares.next())});
    };
    const auto fan = [&](auto way, const std::vector<int>& ranks, Bytes bytes,
                         std::vector<MessageSample>& into) {
        for (std::size_t peers = 1; peers < ranks.size(); peers *= 2)
            if (shares.any(expected(bytes, peers)))
                into.push_back({bytes, int(peers), (measure.*way)(ranks, peers, bytes, shares.next())});
    };
    const auto in_turn = [&](const std::vector<int>& ranks, Bytes bytes, std::vector<MessageSample>& into) {
        for (std::size_t peers = 1; peers <= 2 && ranks.size() > 2; ++peers)
            if (shares.any(expected(bytes, peers)))
                into.push_back({bytes, int(peers), measure.in_turn(ranks, peers, bytes, shares.next())});
    };
    const auto late = [&](const std::vector<int>& ranks, Bytes bytes, std::vector<MessageSample>& into) {
        if (ranks.size() > 2 && shares.any(expected(bytes)))
            into.push_back({bytes, 1, measure.late(ranks, bytes, shares.next())});
    };
    const auto overheads = [&](const Pairs& pairs, Bytes bytes, bool first,
                               std::vector<MachineSamples::Overheads>& into) {
        if (!pairs.empty() && (first || shares.any(expected(bytes))))
            into.push_back(measure.overheads(pairs.front(), bytes, shares.next()));
    };
    const auto work_on = [&](Bytes bytes) {
        samples.combining.push_back({bytes, measure.combining(bytes, shares.next())});
        samples.copying.push_back({bytes, measure.copying(bytes, shares.next())});
    };

    const auto work_at_once = [&](std::size_t ranks) {
        constexpr Bytes bytes = Bytes(1) << 20;  // far longer than a slot: includes memory beside the caches
        const bool here = seat.before < ranks;
        const Seconds combining = measure.combining(bytes, shares.next(), here),
                      copying = measure.copying(bytes, shares.next(), here);
        samples.at_once.push_back({bytes, int(ranks), combining, copying});
    };

    // The first pass measures the most informative values of each kind, even if they take longer than
    // `seconds`; the second measures the rest while time is left.
    for (const bool first : {true, false}) {
        const auto of = [first](const Lengths& all, std::size_t at_first) {
            const auto middle = all.begin() + std::ptrdiff_t(std::min(at_first, all.size()));
            return first ? std::span(all.begin(), middle) : std::span(middle, all.end());
        };
        for (const Bytes bytes : of(messages, least))
            for (std::size_t pair = 0; pair < lone.size(); ++pair)
                if (first || shares.any(expected(bytes))) alone(pair, bytes);
        for (const Bytes bytes : of(bulk, 1)) {
            at_once(partners.across, bytes, samples.card);
            at_once(partners.inside, bytes, samples.memory);
            for (std::size_t i = 0; i < partners.ways_out.size(); ++i)
                at_once(partners.ways_out[i].uplink, bytes, samples.beyond[i].uplink);
        }
        for (const Bytes bytes : of(fan_lengths, 1)) {
            fan(&Measurement::fan, partners.inside_fan, bytes, samples.inside_fan);
            fan(&Measurement::fan, partners.between_fan, bytes, samples.between_fan);
        }
        if (first) {
            fan(&Measurement::fan_in, partners.inside_fan, fan_lengths.front(), samples.inside_fan_in);
            fan(&Measurement::fan_in, partners.between_fan, fan_lengths.front(), samples.between_fan_in);
        }
        for (const Bytes bytes : of(posted, 2)) {
            overheads(partners.inside, bytes, first, samples.inside_overheads);
            overheads(partners.across, bytes, first, samples.between_overheads);
        }
        for (const Bytes bytes : of(turns, 0)) {
            in_turn(partners.inside_fan, bytes, samples.inside_turns);
            in_turn(partners.between_fan, bytes, samples.between_turns);
            late(partners.inside_fan, bytes, samples.inside_late);
            late(partners.between_fan, bytes, samples.between_late);
        }
        for (const Bytes bytes : of(work, least))
            if (first || shares.any()) work_on(bytes);
        for (std::size_t i = 0; first && i < workers.size(); ++i)
            if (i < 2 || shares.any()) work_at_once(workers[i]);
    }
    // A simulation may charge no time for work.
    const auto free = [](const WorkSample& sample) { return sample.time <= 0; };
    std::erase_if(samples.combining, free);
    std::erase_if(samples.copying, free);
    return samples;
}

}  // namespace echelon
