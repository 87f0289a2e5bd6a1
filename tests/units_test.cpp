// SPDX-License-Identifier: Apache-2.0
#include "core/units.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace echelon {
namespace {

TEST(Units, sizes_are_written_in_their_shortest_exact_form) {
    EXPECT_EQ(format_bytes(0), "0");
    EXPECT_EQ(format_bytes(1023), "1023");
    EXPECT_EQ(format_bytes(1024), "1K");
    EXPECT_EQ(format_bytes(1536), "1536") << "1.5K is nobody's word for it";
    EXPECT_EQ(format_bytes(Bytes(3) << 30), "3G");
    for (const Bytes bytes :
         {Bytes(0), Bytes(1), Bytes(40'960), Bytes(1) << 40, std::numeric_limits<Bytes>::max()})
        EXPECT_EQ(parse_bytes(format_bytes(bytes)), bytes);
}

TEST(Units, what_is_no_size_is_refused) {
    for (const char* const text :
         {"", "K", "-1", "1.5K", "1KB", "1 K", "18446744073709551616", "17179869184G"})
        EXPECT_THROW((void)parse_bytes(text), Error) << text;
}

TEST(Units, times_and_rates_have_the_unit_that_keeps_them_short) {
    EXPECT_EQ(readable(0), "0");
    EXPECT_EQ(readable(2.5e-9), "2.5 ns");
    EXPECT_EQ(readable(1.25e-6), "1.25 us");
    EXPECT_EQ(readable(0.99995e-3), "1 ms") << "not 1000 us";
    EXPECT_EQ(readable(90), "90 s");
    EXPECT_EQ(readable_rate(3.76e9), "3760 MB/s");
    EXPECT_EQ(readable_rate(10.47e9), "10.47 GB/s");
}

}  // namespace
}  // namespace echelon
