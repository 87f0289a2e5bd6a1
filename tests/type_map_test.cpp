// SPDX-License-Identifier: Apache-2.0
/// The packed order of a type was inferred from its sizes: dense types out of memory order travelled in
/// memory order.
#include "mpi/type_map.hpp"
#include "mpi/element.hpp"

#include <gtest/gtest.h>
#include <array>
#include <numeric>
#include <random>
#include <vector>

namespace echelon {
namespace {

/// Owns a type and the types that it was made of.
class Type {
public:
    template <class Make>
    explicit Type(const Make& make) {
        make(&type_);
        MPI_Type_commit(&type_);
    }
    Type(Type&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    Type& operator=(Type&&) = delete;
    ~Type() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    operator MPI_Datatype() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Random types of all constructors over ints, with small parameters, of which many are dense.
class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    Type any(int depth) {
        if (depth == 0) return Type([](auto* made) { MPI_Type_dup(MPI_INT, made); });
        const Type part = any(depth - 1);
        MPI_Aint lower_bound = 0, extent = 0;
        MPI_Type_get_extent(part, &lower_bound, &extent);
        const int n = below(4), length = below(3);
        std::array<int, 4> lengths{}, places{};
        std::array<MPI_Aint, 4> bytes{};
        std::array<MPI_Datatype, 4> parts{};
        parts.fill(part);
        for (std::size_t i = 0, at = 0; i < 4; ++i) {
            lengths[i] = below(3);
            // Mostly one behind the other.
            places[i] = below(5) == 0 ? below(5) - 1 : int(at);
            at += std::size_t(below(8) == 0 ? 1 : lengths[i]);
            bytes[i] = places[i] * extent;
        }
        switch (below(11)) {
            case 0:
                return Type([&](auto* made) { MPI_Type_contiguous(n, part, made); });
            case 1:
                return Type([&](auto* made) { MPI_Type_vector(n, length, below(4) - 1, part, made); });
            case 2:
                return Type([&](auto* made) {
                    MPI_Type_create_hvector(n, length, extent * (below(4) - 1), part, made);
                });
            case 3:
                return Type(
                    [&](auto* made) { MPI_Type_indexed(n, lengths.data(), places.data(), part, made); });
            case 4:
                return Type([&](auto* made) {
                    MPI_Type_create_hindexed(n, lengths.data(), bytes.data(), part, made);
                });
            case 5:
                for (int& place : places) place = place * length / 2;
                return Type(
                    [&](auto* made) { MPI_Type_create_indexed_block(n, length, places.data(), part, made); });
            case 6:
                return Type(
                    [&](auto* made) { MPI_Type_create_hindexed_block(n, length, bytes.data(), part, made); });
            case 7:
                return Type([&](auto* made) {
                    MPI_Type_create_struct(n, lengths.data(), bytes.data(), parts.data(), made);
                });
            case 8: {
                std::array<int, 3> sizes{}, taken{}, starts{};
                for (std::size_t i = 0; i < 3; ++i) {
                    sizes[i] = 1 + below(3);
                    taken[i] = below(2) == 0 ? sizes[i] : 1 + below(sizes[i]);
                    starts[i] = below(sizes[i] - taken[i] + 1);
                }
                const int order = below(2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
                return Type([&](auto* made) {
                    MPI_Type_create_subarray(3, sizes.data(), taken.data(), starts.data(), order, part, made);
                });
            }
            case 9:
                return Type([&](auto* made) {
                    MPI_Type_create_resized(part, lower_bound, extent + MPI_Aint(sizeof(int)) * below(2),
                                            made);
                });
            default:
                return Type([&](auto* made) { MPI_Type_dup(part, made); });
        }
    }

private:
    int below(int n) { return int(random_() % unsigned(n)); }
    std::mt19937 random_;
};

/// Indices of the ints that MPI_Pack takes for an element, in order.
std::vector<int> taken(MPI_Datatype type) {
    constexpr int reach = 4000;
    std::vector<int> numbers(2 * reach), packed(reach);
    std::iota(numbers.begin(), numbers.end(), -reach);
    int end = 0;
    MPI_Pack(numbers.data() + reach, 1, type, packed.data(), int(packed.size() * sizeof(int)), &end,
             MPI_COMM_SELF);
    packed.resize(std::size_t(end) / sizeof(int));
    return packed;
}

TEST(TypeMap, IsWhatTheLibraryPacks) {
    int runs = 0, others = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        const Type type = Maker(seed).any(1 + int(seed % 3));
        const std::vector<int> map = taken(type);
        if (map.empty()) continue;
        bool is_run = true;
        for (std::size_t i = 0; i < map.size(); ++i) is_run = is_run && map[i] == map[0] + int(i);
        const auto found = run_of(type);
        MPI_Aint begin = 0, reach = 0;
        MPI_Type_get_true_extent(type, &begin, &reach);
        if (found) {
            ASSERT_TRUE(is_run) << "seed " << seed;
            ASSERT_EQ(found->begin, map[0] * MPI_Count(sizeof(int))) << "seed " << seed;
            ASSERT_EQ(found->length, MPI_Count(map.size() * sizeof(int))) << "seed " << seed;
        }
        ASSERT_EQ(is_run, found.has_value()) << "seed " << seed;
        is_run ? ++runs : ++others;
        // Sizes alone would take more types for plain.
        const Element element = element_of(type);
        ASSERT_EQ(element.dense(), is_run && map[0] == 0 && element.size == Bytes(element.extent))
            << "seed " << seed;
    }
    EXPECT_GT(runs, 2000);
    EXPECT_GT(others, 2000);
}

/// The standard's own example: rows become columns.
Type transposed() {
    const Type column([](auto* made) { MPI_Type_vector(3, 1, 3, MPI_INT, made); });
    return Type([&](auto* made) { MPI_Type_create_hvector(3, 1, sizeof(int), column, made); });
}

TEST(TypeMap, IsKeptWithTheType) {
    Type type = transposed();
    EXPECT_FALSE(element_of(type).dense());
    EXPECT_EQ(element_of(type).size, 9 * sizeof(int));
    // Handles are reused; the map of the old type must not serve the new one.
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(element_of(transposed()).dense());
        EXPECT_TRUE(element_of(Type([](auto* made) { MPI_Type_contiguous(9, MPI_INT, made); })).dense());
    }
    const Type copy([&](auto* made) { MPI_Type_dup(type, made); });
    EXPECT_FALSE(element_of(copy).dense());
}

TEST(TypeMap, LongListsAreNotReadToTheirEnd) {
    constexpr int many = 1 << 20;
    std::vector<int> lengths(many, 1), places(many);
    std::iota(places.begin(), places.end(), 0);
    const Type list(
        [&](auto* made) { MPI_Type_indexed(many, lengths.data(), places.data(), MPI_INT, made); });
    EXPECT_FALSE(run_of(list).has_value());
    const Type few([&](auto* made) { MPI_Type_indexed(1000, lengths.data(), places.data(), MPI_INT, made); });
    EXPECT_TRUE(run_of(few).has_value());
    // Deep types are not followed to their end either.
    std::vector<Type> deep;
    deep.emplace_back([](auto* made) { MPI_Type_contiguous(2, MPI_INT, made); });
    for (int i = 0; i < 1000; ++i) deep.emplace_back([&](auto* made) { MPI_Type_dup(deep.back(), made); });
    EXPECT_NO_THROW((void)run_of(deep.back()));
}

/// MPI_Type_size cannot express these sizes and gave -32766 bytes.
TEST(TypeMap, TypesBeyondTwoGigabytesHaveASize) {
    const Type mega([](auto* made) { MPI_Type_contiguous(1 << 20, MPI_INT, made); });
    const Type large([&](auto* made) { MPI_Type_contiguous(600, mega, made); });
    const Element element = element_of(large);
    EXPECT_EQ(element.size, Bytes(600) << 22);
    EXPECT_TRUE(element.dense());
    const Type spread([&](auto* made) { MPI_Type_vector(600, 1, 2, mega, made); });
    EXPECT_EQ(element_of(spread).size, Bytes(600) << 22);
    EXPECT_FALSE(element_of(spread).dense());
    // The size of this many elements overflows.
    EXPECT_EQ(element.bytes(std::size_t(1) << 40), most_bytes);
    EXPECT_EQ(element.bytes(3), 3 * element.size);
}

#if MPI_VERSION >= 4
TEST(TypeMap, KnowsTheConstructorsWithLargeCounts) {
    const std::array<MPI_Count, 3> lengths{1, 2, 1}, forwards{0, 4, 12}, backwards{12, 4, 0},
        numbers{0, 1, 3};
    const std::array<MPI_Datatype, 3> types{MPI_INT, MPI_INT, MPI_INT};
    const std::array<MPI_Count, 2> sizes{4, 3}, rows{2, 3}, columns{4, 2}, starts{2, 0};
    const auto is_run = [](auto make) { return run_of(Type(make)).has_value(); };
    EXPECT_TRUE(is_run([](auto* made) { MPI_Type_contiguous_c(3, MPI_INT, made); }));
    EXPECT_TRUE(is_run([](auto* made) { MPI_Type_vector_c(3, 2, 2, MPI_INT, made); }));
    EXPECT_FALSE(is_run([](auto* made) { MPI_Type_vector_c(3, 2, 3, MPI_INT, made); }));
    EXPECT_TRUE(is_run([](auto* made) { MPI_Type_create_hvector_c(3, 2, 8, MPI_INT, made); }));
    EXPECT_FALSE(is_run([](auto* made) { MPI_Type_create_hvector_c(3, 2, -8, MPI_INT, made); }));
    EXPECT_TRUE(
        is_run([&](auto* made) { MPI_Type_indexed_c(3, lengths.data(), numbers.data(), MPI_INT, made); }));
    for (const auto& places : {forwards, backwards}) {
        const bool in_order = places == forwards;
        EXPECT_EQ(in_order, is_run([&](auto* made) {
                      MPI_Type_create_hindexed_c(3, lengths.data(), places.data(), MPI_INT, made);
                  }));
        EXPECT_EQ(in_order, is_run([&](auto* made) {
                      MPI_Type_create_struct_c(3, lengths.data(), places.data(), types.data(), made);
                  }));
    }
    EXPECT_TRUE(is_run([&](auto* made) {
        MPI_Type_create_subarray_c(2, sizes.data(), rows.data(), starts.data(), MPI_ORDER_C, MPI_INT, made);
    }));
    EXPECT_FALSE(is_run([&](auto* made) {
        MPI_Type_create_subarray_c(2, sizes.data(), columns.data(), numbers.data(), MPI_ORDER_C, MPI_INT,
                                   made);
    }));
}
#endif

TEST(TypeMap, ElementsMayFollowEachOtherBackwards) {
    const Type backwards([](auto* made) { MPI_Type_create_resized(MPI_INT, 0, -4, made); });
    const Element one = element_of(backwards), all = one.times(5);
    EXPECT_EQ(one.extent, -4);
    EXPECT_EQ(all.span(1), 20u);
    EXPECT_EQ(all.lowest(1), -16);
    EXPECT_EQ(all.item().lowest(1), 0);
    EXPECT_EQ(all.item().span(5), 20u);
    EXPECT_EQ(all.item().lowest(5), -16);
}

}  // namespace
}  // namespace echelon
