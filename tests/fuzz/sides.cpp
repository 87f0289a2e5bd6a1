// SPDX-License-Identifier: Apache-2.0
#include "fuzz/sides.hpp"

#include "fuzz/operation.hpp"

#include <algorithm>
#include <numeric>

namespace fuzz {
namespace {

/// Elements that go from rank `from` to rank `to` if ranks have counts of their own: any, all of one pair of
/// ranks, or equal ones.
long uneven_count(const Step& step, int from, int to, int ranks) {
    const std::uint64_t draw = mix(step.seed, 24), holder = draw / 4 % std::uint64_t(ranks);
    if (draw % 4 == 0) return from == int(holder) || to == int(holder) ? step.count : 0;
    if (draw % 4 == 1 && draw / 4 % 3 == 0) return step.count;
    return long(mix(step.seed, 4, from, to) % std::uint64_t(step.count + 1));
}

/// Counts of a reduce_scatter: equal, the first ones longer by one, or any.
long scatter_count(const Step& step, int rank) {
    const std::uint64_t draw = mix(step.seed, 5);
    if (step.call == Call::reduce_scatter_block || draw % 3 == 0) return step.count;
    if (draw % 3 == 1) return step.count + (rank < int(draw / 3 % 8));
    return long(mix(step.seed, 6, rank) % std::uint64_t(step.count + 1));
}

Side side(const Step& step, SideOf of, int rank, const std::vector<long>& counts) {
    const bool equal =
        std::all_of(counts.begin(), counts.end(), [&](long one) { return one == counts.front(); });
    const bool whole_block = equal && !uneven(step.call) && step.call != Call::reduce_scatter &&
                             step.call != Call::reduce_scatter_block &&
                             !(reduces(step.call) && step.op >= 100 &&
                               user_operations()[std::size_t(step.op - 100)].mixes_element);
    const Description description = describe(step, of, rank, counts.front(), whole_block);
    Side made{description.layout, map_of(description.layout), {}, {}};
    if (!uneven(step.call) || counts.size() == 1) {
        long at = 0;
        for (const long count : counts) {
            made.counts.push_back(int(description.count == counts.front() ? count : description.count));
            made.places.push_back(int(at));
            at += made.counts.back();
        }
        return made;
    }
    // Blocks in some order, with room between them.
    Random random(mix(step.seed, 7, rank, of));
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), 0);
    if (random.percent(50)) std::shuffle(order.begin(), order.end(), random);
    made.counts.assign(counts.begin(), counts.end());
    made.places.assign(counts.size(), 0);
    long at = random.between(0, 2);
    for (const std::size_t block : order) {
        made.places[block] = int(at);
        at += counts[block] + random.between(0, 2);
    }
    return made;
}

}  // namespace

std::vector<Block> Side::blocks() const {
    std::vector<Block> made;
    for (std::size_t i = 0; i < counts.size(); ++i) made.push_back({counts[i], places[i] * map.extent});
    return made;
}

std::vector<int> scatter_counts(const Step& step, int ranks) {
    std::vector<int> counts;
    for (int rank = 0; rank < ranks; ++rank) counts.push_back(int(scatter_count(step, rank)));
    return counts;
}

Sides sides_of(const Step& step, int rank, int ranks) {
    const int root = step.root % ranks;
    const bool at_root = rank == root;
    const auto one = [](long count) { return std::vector<long>{count}; };
    const auto each = [&](auto&& count) {
        std::vector<long> counts;
        for (int other = 0; other < ranks; ++other) counts.push_back(count(other));
        return counts;
    };
    const auto same = each([&](int) { return step.count; });
    const auto send = [&](const std::vector<long>& counts) { return side(step, SideOf::send, rank, counts); };
    const auto receive = [&](const std::vector<long>& counts) {
        return side(step, SideOf::receive, rank, counts);
    };
    Sides made;
    switch (step.call) {
        case Call::barrier:
            break;
        case Call::allreduce:
        case Call::scan:
        case Call::exscan:
            made = {send(one(step.count)), receive(one(step.count)), step.in_place != 0};
            break;
        case Call::reduce:
            made = {send(one(step.count)), {}, step.in_place && at_root};
            if (at_root) made.receive = receive(one(step.count));
            break;
        case Call::bcast:
            made.receive = receive(one(step.count));
            break;
        case Call::gather:
            made = {send(one(step.count)), {}, step.in_place && at_root};
            if (at_root) made.receive = receive(same);
            break;
        case Call::scatter:
            made.receive = receive(one(step.count));
            if (at_root) made.send = send(same);
            made.in_place = step.in_place && at_root;
            break;
        case Call::allgather:
            made = {send(one(step.count)), receive(same), step.in_place != 0};
            break;
        case Call::alltoall:
            made = {send(same), receive(same), step.in_place != 0};
            break;
        case Call::reduce_scatter:
        case Call::reduce_scatter_block: {
            const auto counts = scatter_counts(step, ranks);
            const long total = std::accumulate(counts.begin(), counts.end(), 0L);
            made = {send(one(total)), receive(one(step.in_place ? total : counts[std::size_t(rank)])),
                    step.in_place != 0};
            break;
        }
        case Call::gatherv:
            made = {send(one(uneven_count(step, rank, 0, ranks))), {}, step.in_place && at_root};
            if (at_root)
                made.receive = receive(each([&](int other) { return uneven_count(step, other, 0, ranks); }));
            break;
        case Call::scatterv:
            made.receive = receive(one(uneven_count(step, 0, rank, ranks)));
            if (at_root)
                made.send = send(each([&](int other) { return uneven_count(step, 0, other, ranks); }));
            made.in_place = step.in_place && at_root;
            break;
        case Call::allgatherv:
            made.send = send(one(uneven_count(step, rank, 0, ranks)));
            made.receive = receive(each([&](int other) { return uneven_count(step, other, 0, ranks); }));
            made.in_place = step.in_place != 0;
            break;
        case Call::alltoallv:
        case Call::alltoallw:
            made.send = send(each([&](int other) { return uneven_count(step, rank, other, ranks); }));
            made.receive = receive(each([&](int other) { return uneven_count(step, other, rank, ranks); }));
            break;
    }
    if (made.in_place) (scatters(step.call) ? made.receive : made.send).reset();
    return made;
}

void fill(Buffer& buffer, const Step& step, int repetition, SideOf side, const Side& described, int rank,
          int ranks) {
    buffer.fill(mix(step.seed, 8, repetition, side, rank));
    if (!reduces(step.call) || step.op >= 100) return;
    const Basic& basic = basics()[std::size_t(step.basic)];
    const Combine combine = predefined()[std::size_t(step.op)].combine;
    for (int i = 0; i < described.counts[0]; ++i)
        basic.operand(buffer.address() + i * basic.extent, combine, rank, ranks,
                      mix(step.seed, 9, repetition, i));
}

namespace {

/// A rank's buffers before the call.
class Before {
public:
    Before(const Step& step, int repetition, int rank, int ranks) : sides_(sides_of(step, rank, ranks)) {
        const auto make = [&](SideOf side, const std::optional<Side>& described,
                              std::unique_ptr<Buffer>& buffer) {
            if (!described) return;
            buffer = std::make_unique<Buffer>(described->map, described->blocks());
            fill(*buffer, step, repetition, side, *described, rank, ranks);
        };
        make(SideOf::send, sides_.send, send_);
        make(SideOf::receive, sides_.receive, receive_);
    }
    const Sides& sides() const { return sides_; }
    /// The rank's operand, by element: the block of its send buffer, or of its receive buffer in place.
    std::vector<std::byte> gives(int block, int in_place_block) const {
        return sides_.send ? bytes(*sides_.send, *send_, block)
                           : bytes(*sides_.receive, *receive_, in_place_block);
    }
    std::unique_ptr<Buffer> take_receive() { return std::move(receive_); }

private:
    static std::vector<std::byte> bytes(const Side& side, const Buffer& buffer, int block) {
        std::vector<std::byte> all, one;
        const auto& [counts, places] = std::tie(side.counts, side.places);
        for (int i = 0; i < counts[std::size_t(block)]; ++i) {
            take_element(buffer.address() + (places[std::size_t(block)] + i) * side.map.extent, side.map,
                         one);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }
    Sides sides_;
    std::unique_ptr<Buffer> send_, receive_;
};

void put_block(Buffer& buffer, const Side& side, int block, const std::vector<std::byte>& bytes) {
    const std::size_t length = element_bytes(side.map);
    for (std::size_t i = 0; length > 0 && i < bytes.size() / length; ++i)
        put_element(
            buffer.address() + (side.places[std::size_t(block)] + std::ptrdiff_t(i)) * side.map.extent,
            side.map, bytes.data() + i * length);
}

/// Both hold the value bytes, one element after the other; the result goes to `right`.
void combine(const Step& step, const std::vector<std::byte>& left, std::vector<std::byte>& right) {
    const Map map = map_of(describe(step, SideOf::send, 0, 1, false).layout);
    if (step.op >= 100) return combine_bytes(step.op - 100, element_bytes(map), left, right);
    // The library's own reduction of two operands.
    const long count = long(left.size() / element_bytes(map));
    Buffer in(map, {{count, 0}}), out(map, {{count, 0}});
    in.fill(0);
    out.fill(0);
    const Side side{basic_layout(step.basic), map, {int(count)}, {0}};
    put_block(in, side, 0, left);
    put_block(out, side, 0, right);
    const Basic& basic = basics()[std::size_t(step.basic)];
    PMPI_Reduce_local(in.address(), out.address(), int(count), basic.type,
                      predefined()[std::size_t(step.op)].op);
    std::vector<std::byte> one;
    right.clear();
    for (long i = 0; i < count; ++i) {
        take_element(out.address() + i * map.extent, map, one);
        right.insert(right.end(), one.begin(), one.end());
    }
}

}  // namespace

std::unique_ptr<Buffer> expected(const Step& step, int repetition, int rank, int ranks) {
    Before own(step, repetition, rank, ranks);
    const Sides sides = own.sides();
    if (!sides.receive) return nullptr;
    const int root = step.root % ranks;
    const auto from = [&](int other) { return Before(step, repetition, other, ranks); };
    std::vector<std::vector<std::byte>> arrives(sides.receive->counts.size());
    switch (step.call) {
        case Call::barrier:
            break;
        case Call::bcast:
            arrives[0] = from(root).gives(0, 0);
            break;
        case Call::scatter:
        case Call::scatterv:
            arrives[0] = from(root).gives(rank, 0);
            break;
        case Call::gather:
        case Call::gatherv:
        case Call::allgather:
        case Call::allgatherv:
            for (int other = 0; other < ranks; ++other)
                arrives[std::size_t(other)] = from(other).gives(0, other);
            break;
        case Call::alltoall:
        case Call::alltoallv:
        case Call::alltoallw:
            for (int other = 0; other < ranks; ++other)
                arrives[std::size_t(other)] = from(other).gives(rank, rank);
            break;
        default: {
            const int end = step.call == Call::scan ? rank + 1 : step.call == Call::exscan ? rank : ranks;
            if (end == 0) break;
            auto& result = arrives[0];
            result = from(end - 1).gives(0, 0);
            for (int other = end - 2; other >= 0; --other) combine(step, from(other).gives(0, 0), result);
            if (step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block) {
                const std::size_t length = element_bytes(sides.receive->map);
                std::size_t begin = 0;
                for (int other = 0; other < rank; ++other)
                    begin += std::size_t(scatter_count(step, other)) * length;
                const std::size_t own_bytes = std::size_t(scatter_count(step, rank)) * length;
                result = {result.begin() + std::ptrdiff_t(begin),
                          result.begin() + std::ptrdiff_t(begin + own_bytes)};
            }
        }
    }
    std::unique_ptr<Buffer> buffer = own.take_receive();
    for (std::size_t block = 0; block < arrives.size(); ++block)
        put_block(*buffer, *sides.receive, int(block), arrives[block]);
    return buffer;
}

}  // namespace fuzz
