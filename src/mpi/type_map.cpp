// SPDX-License-Identifier: Apache-2.0
#include "mpi/type_map.hpp"

#include "mpi/quirks.hpp"

#include <vector>

namespace echelon {
namespace {

/// The contents of a datatype. MPI hands out new handles of derived types; the destructor frees them.
class Contents {
public:
    /// Reads the lists only if they have no more than `most` entries.
    Contents(MPI_Datatype type, MPI_Count most) {
#if ECHELON_HAS_LARGE_COUNTS
        MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
        check(PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner),
              "MPI_Type_get_envelope");
#else
        int integers = 0, addresses = 0, types = 0;
        constexpr int counts = 0;
        check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
              "MPI_Type_get_envelope");
#endif
        length = MPI_Count(integers) + addresses + counts + types;
        large = counts > 0;
        if (is_basic() || length > most) return;
        std::vector<int> small(std::size_t(integers) + 1);
        std::vector<MPI_Aint> places(std::size_t(addresses) + 1);
        parts.resize(std::size_t(types), MPI_DATATYPE_NULL);
#if ECHELON_HAS_LARGE_COUNTS
        std::vector<MPI_Count> more(std::size_t(counts) + 1);
        check(PMPI_Type_get_contents_c(type, integers, addresses, counts, types, small.data(), places.data(),
                                       more.data(), parts.data()),
              "MPI_Type_get_contents");
#else
        const std::vector<MPI_Count> more(1);
        check(PMPI_Type_get_contents(type, integers, addresses, types, small.data(), places.data(),
                                     parts.data()),
              "MPI_Type_get_contents");
#endif
        numbers.assign(small.begin(), small.end() - 1);
        numbers.insert(numbers.end(), places.begin(), places.end() - 1);
        numbers.insert(numbers.end(), more.begin(), more.end() - 1);
    }
    ~Contents() {
        for (MPI_Datatype part : parts)
            if (part != MPI_DATATYPE_NULL && !Contents(part, 0).is_basic()) PMPI_Type_free(&part);
    }
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;

    /// Types that have no contents and must not be freed.
    bool is_basic() const {
        return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
               combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
    }
    MPI_Count operator[](MPI_Count i) const { return numbers[std::size_t(i)]; }

    int combiner = MPI_COMBINER_NAMED;
    /// Entries of all lists.
    MPI_Count length = 0;
    /// The type's constructor had counts of MPI_Count.
    bool large = false;
    /// Counts, lengths, strides and displacements, in the order of the constructor's arguments.
    std::vector<MPI_Count> numbers;
    std::vector<MPI_Datatype> parts;
};

MPI_Count extent_of(MPI_Datatype type) {
    MPI_Count lower_bound = 0, extent = 0;
    check(PMPI_Type_get_extent_x(type, &lower_bound, &extent), "MPI_Type_get_extent");
    return extent;
}

/// A run that grows by adjacent pieces; any other piece invalidates it.
class Growing {
public:
    /// `count` times `part`, the first at `place`, `step` bytes from one to the next.
    void append(MPI_Count place, MPI_Count count, const Run& part, MPI_Count step) {
        if (count == 0 || part.length == 0) return;
        const MPI_Count begin = place + part.begin;
        if (run_.length == 0) run_.begin = begin;
        whole_ = whole_ && begin == run_.begin + run_.length && (count == 1 || step == part.length);
        run_.length += count * part.length;
    }
    std::optional<Run> run() const { return whole_ ? std::optional(run_) : std::nullopt; }

private:
    Run run_;
    bool whole_ = true;
};

class Reader {
public:
    std::optional<Run> run(MPI_Datatype type, int depth = 0);

private:
    std::optional<Run> of_struct(const Contents& made, int depth);
    static std::optional<Run> of_equal_blocks(const Contents& made, const Run& part, MPI_Count extent);
    static std::optional<Run> of_listed_blocks(const Contents& made, const Run& part, MPI_Count extent);
    static std::optional<Run> of_subarray(const Contents& made, Run part, MPI_Count extent);

    /// Most entries that are read, and deepest nesting of types. Packing is cheap enough for a longer
    /// description.
    MPI_Count left_ = 1 << 14;
    static constexpr int deepest = 64;
};

std::optional<Run> Reader::run(MPI_Datatype type, int depth) {
    MPI_Count size = 0, begin = 0, reach = 0;
    check(PMPI_Type_size_x(type, &size), "MPI_Type_size");
    check(PMPI_Type_get_true_extent_x(type, &begin, &reach), "MPI_Type_get_true_extent");
    if (size == 0) return Run{};
    if (size != reach || depth > deepest) return std::nullopt;
    const Contents made(type, left_);
    if (made.is_basic()) return Run{begin, size};
    left_ -= made.length;
    if (left_ < 0) return std::nullopt;
    if (made.combiner == MPI_COMBINER_STRUCT) return of_struct(made, depth);
    if (made.parts.size() != 1) return std::nullopt;
    const std::optional<Run> part = run(made.parts.front(), depth + 1);
    if (!part) return std::nullopt;
    const MPI_Count extent = extent_of(made.parts.front());
    switch (made.combiner) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED:
            return part;
        case MPI_COMBINER_CONTIGUOUS:
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
            return of_equal_blocks(made, *part, extent);
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK:
            return of_listed_blocks(made, *part, extent);
        case MPI_COMBINER_SUBARRAY:
            return of_subarray(made, *part, extent);
        default:  // MPI_COMBINER_DARRAY: seldom one run
            return std::nullopt;
    }
}

std::optional<Run> Reader::of_struct(const Contents& made, int depth) {
    Growing all;
    const MPI_Count count = made[0];
    for (MPI_Count i = 0; i < count; ++i) {
        const std::optional<Run> part = run(made.parts[std::size_t(i)], depth + 1);
        if (!part) return std::nullopt;
        all.append(made[1 + count + i], made[1 + i], *part, extent_of(made.parts[std::size_t(i)]));
    }
    return all.run();
}

std::optional<Run> Reader::of_equal_blocks(const Contents& made, const Run& part, MPI_Count extent) {
    Growing block, all;
    const bool one_block = made.combiner == MPI_COMBINER_CONTIGUOUS;
    block.append(0, one_block ? made[0] : made[1], part, extent);
    if (one_block || !block.run()) return block.run();
    all.append(0, made[0], *block.run(), made.combiner == MPI_COMBINER_VECTOR ? made[2] * extent : made[2]);
    return all.run();
}

std::optional<Run> Reader::of_listed_blocks(const Contents& made, const Run& part, MPI_Count extent) {
    const bool in_bytes =
        made.combiner == MPI_COMBINER_HINDEXED || made.combiner == MPI_COMBINER_HINDEXED_BLOCK;
    const bool one_length =
        made.combiner == MPI_COMBINER_INDEXED_BLOCK || made.combiner == MPI_COMBINER_HINDEXED_BLOCK;
    const MPI_Count count = made[0];
    Growing all;
    for (MPI_Count i = 0; i < count; ++i) {
        const MPI_Count place = made[(one_length ? 2 : 1 + count) + i];
        all.append(in_bytes ? place : place * extent, made[one_length ? 1 : 1 + i], part, extent);
    }
    return all.run();
}

std::optional<Run> Reader::of_subarray(const Contents& made, Run part, MPI_Count extent) {
    // dimensions, sizes, parts taken, starts, order; with MPI_Count the two ints come first
    const MPI_Count dimensions = made[0], first = made.large ? 2 : 1;
    const MPI_Count order = made[made.large ? 1 : 1 + 3 * dimensions];
    for (MPI_Count i = 0; i < dimensions; ++i) {
        const MPI_Count at = first + (order == MPI_ORDER_C ? dimensions - 1 - i : i);
        Growing line;
        line.append(made[at + 2 * dimensions] * extent, made[at + dimensions], part, extent);
        if (!line.run()) return std::nullopt;
        part = *line.run();
        extent *= made[at];
    }
    return part;
}

}  // namespace

std::optional<Run> run_of(MPI_Datatype type) { return Reader().run(type); }

}  // namespace echelon
