// SPDX-License-Identifier: Apache-2.0
/// Gathers and scatters whose ranks know only their own blocks: with the lengths that the program of numbers
/// tells each rank, and no others, every recipe is proved. The numbers of an alltoallv.
#include "core/replay.hpp"
#include "flat/catalog.hpp"
#include "hier/lengths.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>
#include <cstring>

namespace echelon {
namespace {

using Starts = std::vector<std::size_t>;

Starts starts_of(const std::vector<Bytes>& lengths) {
    Starts starts{0};
    for (const Bytes length : lengths) starts.push_back(starts.back() + length);
    return starts;
}

/// Two ranks sit on a node, dealt out.
Placement dealt_out(int p) {
    std::vector<Location> locations;
    for (int rank = 0; rank < p; ++rank) locations.push_back({.node = std::uint64_t(rank % ((p + 1) / 2))});
    return Placement::from(locations);
}

struct OwnBlocksCall {
    Recipe recipe;
    Collective collective;
    int p, root;
    Starts starts;
    Placement placement = dealt_out(p);

    Phase phase(int rank) const { return resolve(recipe, collective, placement, rank, {}); }
    Bytes length(int rank) const { return starts[std::size_t(rank) + 1] - starts[std::size_t(rank)]; }

    /// The lengths that each rank knows by itself.
    std::vector<std::vector<Bytes>> known() const {
        const auto n = std::size_t(p);
        std::vector<std::vector<Bytes>> all(n, std::vector<Bytes>(n));
        for (int rank = 0; rank < p; ++rank)
            for (int of = 0; of < p; ++of)
                if (of == rank || rank == root) all[std::size_t(rank)][std::size_t(of)] = length(of);
        return all;
    }

    /// Adds the lengths that the program of numbers tells.
    void learn(std::vector<std::vector<Bytes>>& known) const {
        const Bytes each = sizeof(BlockLength), all = each * Bytes(p);
        Schedule schedule{.ranks = std::vector<Program>(std::size_t(p))};
        Expressions expressions(p);
        std::vector<SymbolicMemory> memory(std::size_t(p), SymbolicMemory{});
        for (int rank = 0; rank < p; ++rank) {
            Program& program = schedule.ranks[std::size_t(rank)];
            RecordedTeam team(Recorder(program, rank, p, 1), placement);
            auto& [data, input, scratch] = memory[std::size_t(rank)];
            data.resize(record_lengths(phase(rank), team, root));
            scratch.resize(program.scratch);
            for (std::size_t e = 0; e < all; ++e)
                if (collective == Collective::scatter ? rank == root : e / each == std::size_t(rank))
                    data[e] = {expressions.leaf(rank), std::uint32_t(e)};
        }
        EXPECT_EQ(replay(schedule, expressions, memory, Ahead::first_strand, false), std::nullopt);
        for (int rank = 0; rank < p; ++rank) {
            const auto& data = memory[std::size_t(rank)][0];
            for (std::size_t e = all; e < data.size(); ++e)
                EXPECT_EQ(data[e].element % each, e % each) << "an incomplete number on rank " << rank;
            std::vector<BlockLength> received;
            for (std::size_t e = all; e < data.size(); e += each)
                received.push_back({data[e].element / each, length(int(data[e].element / each))});
            enter_received(received, known[std::size_t(rank)]);
        }
    }

    Verdict prove() const {
        auto lengths = known();
        if (forwards_blocks(phase(0))) learn(lengths);
        Schedule schedule{.element_size = proof_element, .ranks = std::vector<Program>(std::size_t(p))};
        for (int rank = 0; rank < p; ++rank) {
            Starts own = starts_of(lengths[std::size_t(rank)]);
            // The checker keeps a rank's block at its place among all blocks.
            const Slice data{starts[std::size_t(rank)] - own[std::size_t(rank)], own.back()};
            RecordedTeam team(Recorder(schedule.ranks[std::size_t(rank)], rank, p, proof_element), placement);
            perform(phase(rank), team, {.data = data, .blocks = Blocks(data, std::move(own)), .root = root});
        }
        return check(schedule,
                     {.collective = collective, .count = starts.back(), .root = root, .starts = starts});
    }
};

std::vector<std::string> recipes() {
    return {"linear",
            "binomial",
            "bine",
            "leaders(sqrt, linear, linear)",
            "leaders(sqrt, binomial, bine)",
            "leaders(G=2, bine, binomial)",
            "leaders(node, linear, binomial)",
            "leaders(size=3, binomial, leaders(G=2, linear, bine))",
            "leaders(size=6, leaders(size=2, linear, binomial), linear)"};
}

TEST(OwnBlocks, ranks_learn_the_lengths_that_they_forward) {
    int proved = 0;
    for (const Collective collective : {Collective::gather, Collective::scatter})
        for (const std::string& recipe : recipes())
            for (int p = 6; p <= 19; ++p)
                for (const int root : roots_to_prove(collective, p))
                    for (Starts& starts : starts_to_prove(p, 3 * std::size_t(p))) {
                        const OwnBlocksCall call{Recipe::parse(recipe), collective, p, root, starts};
                        const Verdict verdict = call.prove();
                        EXPECT_TRUE(verdict) << name(collective) << ' ' << recipe << ", p = " << p
                                             << ", root = " << root << ": " << verdict.reason;
                        ++proved;
                    }
    EXPECT_GT(proved, 2 * 9 * 14 * 4 * 3 - 1);
}

TEST(OwnBlocks, recipes_of_few_ranks) {
    for (const Collective collective : {Collective::gather, Collective::scatter})
        for (const char* recipe : {"linear", "binomial", "bine", "leaders(G=1, binomial, binomial)"})
            for (int p = 1; p <= 5; ++p)
                for (int root = 0; root < p; ++root)
                    for (Starts& starts : starts_to_prove(p, 7)) {
                        const OwnBlocksCall call{Recipe::parse(recipe), collective, p, root, starts};
                        EXPECT_TRUE(call.prove()) << name(collective) << ' ' << recipe << ", p = " << p;
                    }
}

TEST(OwnBlocks, recipes_that_need_a_common_length_do_not_serve) {
    const auto serves = [](const char* recipe, Collective collective) {
        return serves_own_blocks(Recipe::parse(recipe), collective);
    };
    for (const Collective rooted : {Collective::gather, Collective::scatter}) {
        EXPECT_TRUE(serves("leaders(node, linear, binomial)", rooted));
        for (const char* recipe : {"shm", "leaders(node, shm, binomial)", "leaders(node, linear, native)"})
            EXPECT_FALSE(serves(recipe, rooted)) << recipe;
    }
    EXPECT_TRUE(serves("leaders(node, shm, native)", Collective::alltoall));
}

TEST(OwnBlocks, an_alltoallv_agrees_on_its_longest_block) {
    for (int p = 1; p <= 17; ++p) {
        Schedule schedule{.element_size = 8, .ranks = std::vector<Program>(std::size_t(p))};
        for (int rank = 0; rank < p; ++rank) {
            RecordedTeam team(Recorder(schedule.ranks[std::size_t(rank)], rank, p, 1), dealt_out(p));
            const Phase bruck =
                resolve(Recipe::parse("bruck"), Collective::alltoall, team.placement(), rank, {});
            EXPECT_TRUE(forwards_blocks(bruck));
            EXPECT_EQ(record_lengths(bruck, team, 0), sizeof(LongestBlock));
        }
        EXPECT_TRUE(check(schedule, {.collective = Collective::allreduce, .count = 2})) << p;
    }
}

/// A rank's vector is at most 64 KiB longer than twice the bytes that the busiest rank sends or receives.
TEST(OwnBlocks, blocks_are_padded_if_that_adds_little) {
    EXPECT_TRUE((LongestBlock{0, 0}.is_padded(1000)));
    EXPECT_TRUE((LongestBlock{64, 64}.is_padded(1024)));
    EXPECT_FALSE((LongestBlock{67, 67}.is_padded(1024)));
    EXPECT_TRUE((LongestBlock{1 << 20, 8 << 20}.is_padded(16)));
    EXPECT_FALSE((LongestBlock{1 << 20, 7 << 20}.is_padded(16)));
    EXPECT_FALSE((LongestBlock{Bytes(1) << 61, Bytes(1) << 62}.is_padded(2)));
    // Then pairwise exchange serves the blocks as they are.
    const Placement placement = dealt_out(4);
    const Phase bruck = resolve(Recipe::parse("bruck"), Collective::alltoall, placement, 0, {}),
                linear = resolve(Recipe::parse("linear"), Collective::alltoall, placement, 0, {});
    const GivenBlocks padded{Blocks(40, 4)}, own{Blocks(40, 4), Blocks(12, 4)};
    EXPECT_EQ(phase_for(bruck, padded).algorithm->name, "bruck");
    EXPECT_EQ(phase_for(bruck, own).algorithm->name, "pairwise");
    EXPECT_EQ(phase_for(linear, own).algorithm->name, "linear");
}

}  // namespace
}  // namespace echelon
