// SPDX-License-Identifier: Apache-2.0
#include "core/table.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

using Side = TextTable::Side;

TEST(Table, columns_stand_under_their_heads) {
    const TextTable table(
        {{"name", 6, Side::left}, {"bytes", 7}, {"recipe", 9, Side::left}, {"why", 9, Side::left}});
    EXPECT_EQ(table.head(), "  name     bytes  recipe    why\n");
    EXPECT_EQ(table.row({"scan", "8", "ring", ""}), "  scan         8  ring\n");
    EXPECT_EQ(table.row({"much_longer", "12345678", "r", "x"}), "  much_longer 12345678  r         x\n");
}

TEST(Csv, quotes_what_would_be_read_otherwise) {
    EXPECT_EQ(csv_line({"allreduce", "8", "1.5"}), "allreduce,8,1.5\n");
    EXPECT_EQ(csv_line({"leaders(G=4, ring)", "say \"x\"", "two\nlines", ""}),
              "\"leaders(G=4, ring)\",\"say \"\"x\"\"\",\"two\nlines\",\n");
}

}  // namespace
}  // namespace echelon
