// SPDX-License-Identifier: Apache-2.0
#include "core/blocks.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Slice, parts_stay_in_their_buffer) {
    const Slice scratch{10, 5, Buffer::scratch};
    EXPECT_EQ(scratch.part(2, 3), (Slice{12, 3, Buffer::scratch}));
    EXPECT_EQ(scratch.end(), 15u);
}

TEST(Slice, overlaps_only_in_its_own_buffer) {
    const Slice slice{10, 5};
    EXPECT_TRUE(slice.overlaps({14, 1}));
    EXPECT_TRUE(slice.overlaps({0, 100}));
    EXPECT_FALSE(slice.overlaps({15, 3}));
    EXPECT_FALSE(slice.overlaps({5, 5}));
    EXPECT_FALSE(slice.overlaps({10, 5, Buffer::input}));
}

TEST(Blocks, differ_by_one_element_longer_ones_first) {
    const Blocks blocks(11, 4);
    EXPECT_EQ(blocks[0], (Slice{0, 3}));
    EXPECT_EQ(blocks[1], (Slice{3, 3}));
    EXPECT_EQ(blocks[2], (Slice{6, 3}));
    EXPECT_EQ(blocks[3], (Slice{9, 2}));
}

TEST(Blocks, of_fewer_elements_than_parts_are_empty) {
    const Blocks blocks(2, 4);
    EXPECT_EQ(blocks[1], (Slice{1, 1}));
    EXPECT_EQ(blocks[2], (Slice{2, 0}));
    EXPECT_EQ(blocks[3], (Slice{2, 0}));
    EXPECT_TRUE(Blocks(0, 3)[2].empty());
}

TEST(Blocks, beyond_the_last_part_are_empty) {
    const Blocks blocks(9, 3);
    EXPECT_EQ(blocks[3], (Slice{9, 0}));
    EXPECT_EQ(blocks[8], (Slice{9, 0}));
    EXPECT_EQ(blocks.range(2, 8), (Slice{6, 3}));
}

TEST(Blocks, of_a_part_of_a_vector_stay_in_it) {
    const Blocks blocks(Slice{100, 5, Buffer::scratch}, 2);
    EXPECT_EQ(blocks[1], (Slice{103, 2, Buffer::scratch}));
    EXPECT_EQ(blocks.whole(), (Slice{100, 5, Buffer::scratch}));
    EXPECT_EQ(blocks.parts(), 2);
}

TEST(Blocks, join_to_the_whole) {
    for (const std::size_t total : {0u, 1u, 6u, 7u, 8u, 100u})
        for (int parts = 1; parts <= 9; ++parts) {
            const Blocks blocks(Slice{5, total}, parts);
            std::size_t end = 5;
            for (int part = 0; part < parts; ++part) {
                EXPECT_EQ(blocks[part].offset, end);
                EXPECT_LE(blocks[part].count, blocks[0].count);
                EXPECT_GE(blocks[part].count + 1, blocks[0].count);
                EXPECT_EQ(blocks.range(0, part).end(), end);
                end = blocks[part].end();
            }
            EXPECT_EQ(end, 5 + total);
            EXPECT_EQ(blocks.range(0, parts), blocks.whole());
        }
}

TEST(Blocks, are_cut_where_one_likes) {
    const Blocks blocks({10, 7, Buffer::scratch}, {0, 3, 3, 7});
    ASSERT_EQ(blocks.parts(), 3);
    EXPECT_EQ(blocks[0], (Slice{10, 3, Buffer::scratch}));
    EXPECT_EQ(blocks[1], (Slice{13, 0, Buffer::scratch}));
    EXPECT_EQ(blocks[2], (Slice{13, 4, Buffer::scratch}));
    EXPECT_EQ(blocks.range(1, 3), (Slice{13, 4, Buffer::scratch}));
    EXPECT_TRUE(blocks[3].empty());
    EXPECT_EQ(blocks.range(0, 9), blocks.whole());
}

TEST(Segments, cut_a_slice_and_leave_a_rest) {
    const Segments segments({10, 7}, 3);
    ASSERT_EQ(segments.size(), 3u);
    EXPECT_EQ(segments[0], (Slice{10, 3}));
    EXPECT_EQ(segments[1], (Slice{13, 3}));
    EXPECT_EQ(segments[2], (Slice{16, 1}));
    EXPECT_EQ(segments.longest(), 3u);
}

TEST(Segments, of_length_0_or_more_than_all_are_one) {
    for (const std::size_t length : {0u, 7u, 100u}) {
        const Segments one({10, 7}, length);
        ASSERT_EQ(one.size(), 1u);
        EXPECT_EQ(one[0], (Slice{10, 7}));
        EXPECT_EQ(one.longest(), 7u);
    }
}

TEST(Segments, of_nothing_are_one_empty_segment) {
    for (const std::size_t length : {0u, 1u, 8u}) {
        const Segments none({10, 0}, length);
        ASSERT_EQ(none.size(), 1u);
        EXPECT_EQ(none[0], (Slice{10, 0}));
        EXPECT_EQ(none.longest(), 0u);
    }
}

TEST(Segments, hold_whole_elements) {
    EXPECT_EQ(segment_elements(32, 8), 4u);
    EXPECT_EQ(segment_elements(39, 8), 4u);
    EXPECT_EQ(segment_elements(7, 8), 1u) << "an element is not cut";
    EXPECT_EQ(segment_elements(0, 8), 0u) << "uncut";
    EXPECT_EQ(segment_elements(32, 0), 32u) << "a datatype of no bytes";
}

}  // namespace
}  // namespace echelon
