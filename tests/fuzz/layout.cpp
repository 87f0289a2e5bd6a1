// SPDX-License-Identifier: Apache-2.0
#include "fuzz/layout.hpp"

#include "fuzz/defects.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace fuzz {
namespace {

using Kind = Layout::Kind;

/// Places of a constructor's parts: (place in bytes, part), in the order of the map.
std::vector<std::pair<std::ptrdiff_t, const Layout*>> places(const Layout& layout,
                                                             const std::vector<Map>& parts) {
    std::vector<std::pair<std::ptrdiff_t, const Layout*>> found;
    const auto& n = layout.numbers;
    const std::ptrdiff_t step = parts.front().extent;
    const auto run = [&](std::ptrdiff_t at, long length, std::size_t part = 0) {
        for (long i = 0; i < length; ++i)
            found.emplace_back(at + i * parts[part].extent, &layout.parts[part]);
    };
    const std::size_t half = n.size() / 2;
    switch (layout.kind) {
        case Kind::contiguous:
            run(0, n[0]);
            break;
        case Kind::vector:
            for (long i = 0; i < n[0]; ++i) run(i * n[2] * step, n[1]);
            break;
        case Kind::hvector:
            for (long i = 0; i < n[0]; ++i) run(i * n[2], n[1]);
            break;
        case Kind::indexed:
            for (std::size_t i = 0; i < half; ++i) run(n[half + i] * step, n[i]);
            break;
        case Kind::hindexed:
            for (std::size_t i = 0; i < half; ++i) run(n[half + i], n[i]);
            break;
        case Kind::indexed_block:
            for (std::size_t i = 1; i < n.size(); ++i) run(n[i] * step, n[0]);
            break;
        case Kind::hindexed_block:
            for (std::size_t i = 1; i < n.size(); ++i) run(n[i], n[0]);
            break;
        case Kind::structure:
            for (std::size_t i = 0; i < half; ++i) run(n[half + i], n[i], i);
            break;
        case Kind::subarray: {
            const std::size_t d = (n.size() - 1) / 3;
            const long* const size = n.data() + 1;
            const long* const part = size + d;
            const long* const start = part + d;
            // The last index runs fastest in C, the first in Fortran.
            std::vector<std::size_t> slow_to_fast(d);
            for (std::size_t i = 0; i < d; ++i) slow_to_fast[i] = n[0] == 0 ? i : d - 1 - i;
            std::vector<long> index(d, 0);
            while (true) {
                std::ptrdiff_t place = 0;
                for (const std::size_t i : slow_to_fast) place = place * size[i] + start[i] + index[i];
                run(place * step, 1);
                std::size_t level = d;
                while (level > 0) {
                    const std::size_t i = slow_to_fast[level - 1];
                    if (++index[i] < part[i]) break;
                    index[i] = 0;
                    --level;
                }
                if (level == 0) break;
            }
            break;
        }
        case Kind::basic:
        case Kind::resized:
        case Kind::duplicate:
            run(0, 1);
            break;
    }
    return found;
}

void find_ends(Map& map) {
    if (map.pieces.empty()) return;
    map.first = map.pieces.front().at;
    map.last = map.first;
    for (const Piece& piece : map.pieces) {
        map.first = std::min(map.first, piece.at);
        map.last = std::max(map.last, piece.at + basics()[std::size_t(piece.basic)].extent);
    }
}

}  // namespace

Layout basic_layout(int basic) { return {Kind::basic, {basic}}; }

Map map_of(const Layout& layout) {
    if (layout.kind == Kind::basic) {
        const int index = int(layout.numbers[0]);
        const Basic& basic = basics()[std::size_t(index)];
        return {{{0, index}}, 0, basic.extent, 0, basic.extent, true};
    }
    std::vector<Map> parts;
    for (const Layout& part : layout.parts) parts.push_back(map_of(part));
    Map map;
    std::ptrdiff_t upper = 0;
    bool any = false;
    for (const auto& [at, part] : places(layout, parts)) {
        const Map& inner = parts[std::size_t(part - layout.parts.data())];
        for (const Piece& piece : inner.pieces) map.pieces.push_back({at + piece.at, piece.basic});
        const std::ptrdiff_t low = at + inner.lower, high = low + inner.extent;
        map.lower = any ? std::min(map.lower, low) : low;
        upper = any ? std::max(upper, high) : high;
        any = true;
    }
    map.extent = upper - map.lower;
    if (layout.kind == Kind::resized) {
        map.lower = layout.numbers[0];
        map.extent = layout.numbers[1];
    } else if (layout.kind == Kind::subarray) {
        const std::size_t d = (layout.numbers.size() - 1) / 3;
        map.lower = 0;
        map.extent = parts.front().extent;
        for (std::size_t i = 0; i < d; ++i) map.extent *= layout.numbers[1 + i];
    } else if (layout.kind == Kind::duplicate) {
        map.lower = parts.front().lower;
        map.extent = parts.front().extent;
    }
    find_ends(map);
    return map;
}

bool overlaps(const Map& map, long count) {
    std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> runs;
    // Elements further apart than their length cannot meet.
    const std::ptrdiff_t apart = std::max<std::ptrdiff_t>(std::abs(map.extent), 1);
    count = std::min<long>(count, long((map.last - map.first) / apart) + 2);
    if (count > 1 && map.extent == 0) return true;
    if (std::size_t(count) * map.pieces.size() > 100000) return true;
    for (long i = 0; i < count; ++i)
        for (const Piece& piece : map.pieces) {
            const std::ptrdiff_t at = i * map.extent + piece.at;
            runs.emplace_back(at, at + basics()[std::size_t(piece.basic)].extent);
        }
    std::sort(runs.begin(), runs.end());
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (runs[i].first < runs[i - 1].second) return true;
    return false;
}

std::string words(const Layout& layout) {
    if (layout.kind == Kind::basic) return basics()[std::size_t(layout.numbers[0])].name;
    static constexpr std::array names{"basic",   "contiguous", "vector",        "hvector",
                                      "indexed", "hindexed",   "indexed_block", "hindexed_block",
                                      "struct",  "subarray",   "resized",       "dup"};
    std::string text = std::string(names[std::size_t(layout.kind)]) + "(";
    const std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(layout.numbers.size(), most) && layout.kind != Kind::duplicate; ++i)
        text += std::to_string(layout.numbers[i]) + " ";
    if (layout.numbers.size() > most) text += "... ";
    for (std::size_t i = 0; i < std::min<std::size_t>(layout.parts.size(), 4); ++i)
        text += (i ? ", " : "") + words(layout.parts[i]);
    if (layout.parts.size() > 4) text += ", ...";
    return text + ")";
}

namespace {

MPI_Datatype made(const Layout& layout) {
    if (layout.kind == Kind::basic) return basics()[std::size_t(layout.numbers[0])].type;
    std::vector<MPI_Datatype> parts;
    for (const Layout& part : layout.parts) parts.push_back(made(part));
    const MPI_Datatype part = parts.front();
    const auto& n = layout.numbers;
    const std::vector<int> ints(n.begin(), n.end());
    const std::size_t half = n.size() / 2;
    const std::vector<MPI_Aint> second_half(n.begin() + long(half), n.end());
    const std::vector<MPI_Aint> behind_first(n.begin() + long(std::min<std::size_t>(1, n.size())), n.end());
    MPI_Datatype type = MPI_DATATYPE_NULL;
    switch (layout.kind) {
        case Kind::basic:
            break;
        case Kind::contiguous:
            MPI_Type_contiguous(ints[0], part, &type);
            break;
        case Kind::vector:
            MPI_Type_vector(ints[0], ints[1], ints[2], part, &type);
            break;
        case Kind::hvector:
            MPI_Type_create_hvector(ints[0], ints[1], MPI_Aint(n[2]), part, &type);
            break;
        case Kind::indexed:
            MPI_Type_indexed(int(half), ints.data(), ints.data() + half, part, &type);
            break;
        case Kind::hindexed:
            MPI_Type_create_hindexed(int(half), ints.data(), second_half.data(), part, &type);
            break;
        case Kind::indexed_block:
            MPI_Type_create_indexed_block(int(n.size()) - 1, ints[0], ints.data() + 1, part, &type);
            break;
        case Kind::hindexed_block:
            MPI_Type_create_hindexed_block(int(n.size()) - 1, ints[0], behind_first.data(), part, &type);
            break;
        case Kind::structure:
            MPI_Type_create_struct(int(half), ints.data(), second_half.data(), parts.data(), &type);
            break;
        case Kind::subarray: {
            const int d = int(n.size() - 1) / 3;
            MPI_Type_create_subarray(d, ints.data() + 1, ints.data() + 1 + d, ints.data() + 1 + 2 * d,
                                     ints[0] == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part, &type);
            break;
        }
        case Kind::resized:
            MPI_Type_create_resized(part, MPI_Aint(n[0]), MPI_Aint(n[1]), &type);
            break;
        case Kind::duplicate:
            MPI_Type_dup(part, &type);
            break;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (layout.parts[i].kind != Kind::basic) MPI_Type_free(&parts[i]);
    return type;
}

}  // namespace

MPI_Datatype make(const Layout& layout) {
    MPI_Datatype type = made(layout);
    if (layout.kind == Kind::basic) return type;
    MPI_Type_commit(&type);
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    const Map map = map_of(layout);
    if (lower != map.lower || extent != map.extent) {
        std::fprintf(stderr,
                     "fuzz: the tester is wrong about %s: lower bound %ld, extent %ld, not %ld and %ld\n",
                     words(layout).c_str(), long(lower), long(extent), long(map.lower), long(map.extent));
        std::_Exit(4);
    }
    return type;
}

void release(const Layout& layout, MPI_Datatype& type) {
    if (layout.kind != Kind::basic && type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
}

namespace {

Layout with_extent(Layout inner, std::ptrdiff_t lower, std::ptrdiff_t extent) {
    return {Kind::resized, {long(lower), long(extent)}, {std::move(inner)}};
}
/// MPI may round the extent of a type placed by bytes; this one gets an explicit extent.
Layout named_extent(Layout inner) {
    const Map map = map_of(inner);
    return with_extent(std::move(inner), map.lower, map.extent);
}

/// `number` places, in some order; without overlap they are apart by at least `length` units.
std::vector<long> random_places(Random& random, int number, long length, bool may_overlap) {
    std::vector<long> found;
    long at = random.percent(30) ? -random.between(1, 12) : random.percent(50) ? 0 : random.between(0, 5);
    for (int i = 0; i < number; ++i) {
        found.push_back(at);
        at += may_overlap && random.percent(40) ? random.between(0, int(length))
                                                : length + (random.percent(50) ? 0 : random.between(0, 3));
    }
    if (random.percent(40))
        std::shuffle(found.begin(), found.end(), random);
    else if (random.percent(20))
        std::reverse(found.begin(), found.end());
    return found;
}

Layout grown(Random& random, int depth, bool may_overlap, int one_basic) {
    if (depth == 0) return basic_layout(one_basic >= 0 ? one_basic : random.below(int(basics().size())));
    const auto inside = [&] { return grown(random, random.below(depth), may_overlap, one_basic); };
    Layout layout{Kind(random.between(1, 11)), {}, {inside()}};
    const Map part = map_of(layout.parts[0]);
    const long span = std::max<long>(std::abs(part.extent), long(part.last - part.first));
    const int n = random.between(1, 4), length = random.between(1, 3);
    auto& numbers = layout.numbers;
    switch (layout.kind) {
        case Kind::basic:
            break;
        case Kind::contiguous:
            numbers = {n};
            break;
        case Kind::vector:
            numbers = {n, length,
                       random.percent(20) ? -random.between(length, length + 2)
                                          : random.between(length, length + 3)};
            break;
        case Kind::hvector:
            numbers = {n, length,
                       (random.percent(20) ? -1 : 1) *
                           (length * span + (random.percent(50) ? 0 : random.between(0, 9)))};
            break;
        case Kind::indexed:
            for (int i = 0; i < n; ++i) numbers.push_back(random.between(1, length));
            for (const long at : random_places(random, n, length, may_overlap)) numbers.push_back(at);
            break;
        case Kind::hindexed:
            for (int i = 0; i < n; ++i) numbers.push_back(random.between(1, length));
            for (const long at : random_places(random, n, length * span, may_overlap)) numbers.push_back(at);
            break;
        case Kind::indexed_block:
            numbers = {length};
            for (const long at : random_places(random, n, length, may_overlap)) numbers.push_back(at);
            break;
        case Kind::hindexed_block:
            numbers = {length};
            for (const long at : random_places(random, n, length * span, may_overlap)) numbers.push_back(at);
            break;
        case Kind::structure: {
            while (int(layout.parts.size()) < n) layout.parts.push_back(inside());
            long longest = 0;
            for (const Layout& one : layout.parts) {
                const Map map = map_of(one);
                longest = std::max({longest, long(std::abs(map.extent)), long(map.last - map.first)});
            }
            for (int i = 0; i < n; ++i) numbers.push_back(random.between(1, length));
            for (const long at : random_places(random, n, length * longest, may_overlap))
                numbers.push_back(at);
            return named_extent(std::move(layout));
        }
        case Kind::subarray: {
            const int d = random.between(1, 3);
            numbers = {random.below(2)};
            std::vector<long> part_sizes, starts;
            for (int i = 0; i < d; ++i) {
                const int size = random.between(1, 4), share = random.between(1, size);
                numbers.push_back(size);
                part_sizes.push_back(share);
                starts.push_back(random.between(0, size - share));
            }
            numbers.insert(numbers.end(), part_sizes.begin(), part_sizes.end());
            numbers.insert(numbers.end(), starts.begin(), starts.end());
            break;
        }
        case Kind::resized: {
            const long longer =
                long(part.last - part.first) + (random.percent(50) ? 0 : random.between(0, 16));
            if (random.percent(30) && part.last - part.first > 8) {
                // Interleaved elements, like the columns of a matrix.
                numbers = {long(part.first),
                           long(basics()[std::size_t(part.pieces[0].basic)].extent) * random.between(1, 2)};
                break;
            }
            numbers = {random.percent(50) ? long(part.first) : long(part.first) - random.between(-3, 9),
                       std::max<long>(longer, 1)};
            break;
        }
        case Kind::duplicate:
            break;
    }
    const bool in_bytes =
        layout.kind == Kind::hvector || layout.kind == Kind::hindexed || layout.kind == Kind::hindexed_block;
    return in_bytes ? named_extent(std::move(layout)) : layout;
}

constexpr std::size_t most_pieces = 64;

}  // namespace

Layout random_layout(Random& random, long count, bool may_overlap, bool one_basic) {
    for (int attempt = 0; attempt < 50; ++attempt) {
        Layout layout = grown(random, random.between(1, 3), may_overlap,
                              one_basic ? random.below(int(basics().size())) : -1);
        const Map map = map_of(layout);
        if (map.pieces.empty() || map.pieces.size() > most_pieces || layout.kind == Kind::basic ||
            is_known_defect(layout))
            continue;
        if (may_overlap || !overlaps(map, count)) return layout;
        if (!overlaps(map, 1)) return with_extent(std::move(layout), map.first, map.last - map.first);
    }
    return {Kind::contiguous, {2}, {basic_layout(0)}};
}

Layout relaid(const Map& map, Random& random, bool may_overlap) {
    std::ptrdiff_t longest = 0;
    for (const Piece& piece : map.pieces)
        longest = std::max(longest, basics()[std::size_t(piece.basic)].extent);
    const int number = int(map.pieces.size());
    Layout layout{Kind::structure, std::vector<long>(std::size_t(number), 1), {}};
    for (const Piece& piece : map.pieces) layout.parts.push_back(basic_layout(piece.basic));
    const int style = random.below(4);
    std::vector<long> at;
    if (style == 0) {  // in order, without gaps
        long next = 0;
        for (const Piece& piece : map.pieces) {
            at.push_back(next);
            next += basics()[std::size_t(piece.basic)].extent;
        }
    } else {
        at = random_places(random, number, longest, may_overlap && style == 3);
        if (style == 1)
            for (long& place : at) place = place / longest * longest;
        if (style == 1) std::sort(at.begin(), at.end());
    }
    layout.numbers.insert(layout.numbers.end(), at.begin(), at.end());
    Map ends = map_of(layout);
    if (!may_overlap && overlaps(ends, 1)) {
        for (int i = 0; i < number; ++i) layout.numbers[std::size_t(number + i)] = (number - i) * longest;
        ends = map_of(layout);
    }
    return with_extent(std::move(layout), ends.first, ends.last - ends.first);
}

Layout wide_layout(Random& random) {
    const int basic = random.percent(50) ? 0 : random.below(int(basics().size()));
    const long far = (2L << 30) + random.between(0, 1 << 20) * 16L;
    Layout layout{
        Kind::hindexed, {random.between(1, 3), random.between(1, 3), 0, far}, {basic_layout(basic)}};
    if (random.percent(40)) std::swap(layout.numbers[2], layout.numbers[3]);
    return named_extent(std::move(layout));
}

Layout moved(Layout inner, std::ptrdiff_t behind) {
    return named_extent({Kind::hindexed_block, {1, long(behind)}, {std::move(inner)}});
}

}  // namespace fuzz
