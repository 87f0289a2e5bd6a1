// SPDX-License-Identifier: Apache-2.0
// Switch of a node in Slurm's words, and words that name no switch.
#include "groups/slurm_switch.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(SlurmSwitch, is_the_last_before_the_node_with_those_above_it) {
    EXPECT_EQ(slurm_switch("s0.s4.s8.tux1", "switch.switch.switch.node", "tux1"), "s0.s4.s8");
    EXPECT_EQ(slurm_switch("leaf1.tux1", "switch.node", "tux1.example.org"), "leaf1");
    EXPECT_EQ(slurm_switch("s[0-1].s4.tux1", "switch.switch.node", "tux1"), "s[0-1].s4") << "two above";
    EXPECT_EQ(slurm_switch("s0.s4.tux1.example.org", "switch.switch.node", "tux1"), "s0.s4");
}

TEST(SlurmSwitch, is_not_known_by_other_words) {
    for (const auto& [address, pattern] : {std::pair("", ""),
                                           {"tux1", "node"},
                                           {"s0.tux1", ""},
                                           {"", "switch.node"},
                                           {"tux1", "switch.node"},
                                           {"s0.", "switch.node"},
                                           {".tux1", "switch.node"},
                                           {"s0..tux1", "switch.switch.node"},
                                           {"s0.tux1", "switch.switch.node"},
                                           {"b0.tux1", "block.node"},
                                           {"s0.tux1", "switch"},
                                           {"s0.b1.tux1", "switch.block.node"}})
        EXPECT_EQ(slurm_switch(address, pattern, "tux1"), "") << address << ", " << pattern;
    EXPECT_EQ(slurm_switch("s0.", "switch.node", ""), "");
}

// mpiexec hands the environment of the host where it was started to all ranks.
TEST(SlurmSwitch, of_another_host_is_not_that_of_this_one) {
    EXPECT_EQ(slurm_switch("s0.s4.tux1", "switch.switch.node", "tux2"), "");
    EXPECT_EQ(slurm_switch("s0.s4.tux1", "switch.switch.node", "tux10"), "");
}

}  // namespace
}  // namespace echelon
