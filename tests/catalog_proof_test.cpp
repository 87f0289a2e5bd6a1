// SPDX-License-Identifier: Apache-2.0
// Proof of every row of the catalog, for every number of ranks, root, count and parameter in reach.
#include "core/recorder.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>

#include <set>

namespace echelon {
namespace {

class CatalogProof : public testing::TestWithParam<const Algorithm*> {};

/// Proves a case with all its variants. Returns the number of proofs.
int expect_proved(const ProofCase& one) {
    int proved = 0;
    for (ProofCase variant : variants_to_prove(one))
        for (const bool in_order : {false, true}) {
            if (in_order && !(one.row->keeps_order && reduces(one.row->collective))) continue;
            variant.in_order = in_order;
            const Verdict verdict = prove(variant);
            EXPECT_TRUE(verdict) << variant << "\n" << verdict.reason;
            ++proved;
        }
    return proved;
}

TEST_P(CatalogProof, holds_for_all_p_roots_and_counts) {
    const Algorithm& row = *GetParam();
    int proved = 0;
    for (int p = 1; p <= 33 && !HasFailure(); ++p)
        for (const int root : roots_to_prove(row.collective, p))
            for (const std::size_t count : counts_to_prove(row.collective, p)) {
                ProofCase one = proof_case(row, p, count);
                one.root = root;
                proved += expect_proved(one);
            }
    const bool with_data = row.collective != Collective::barrier;
    EXPECT_GE(proved, (rooted(row.collective) ? 4 : 1) * (with_data ? 5 : 1) * 33);
}

/// Excluded from daily runs for its length: `ctest -C long -R catalog_proof_long`.
TEST_P(CatalogProof, DISABLED_holds_for_many_ranks) {
    const Algorithm& row = *GetParam();
    std::vector<int> many{191, 192, 193, 255, 256, 257};
    for (int p = 34; p <= 129; ++p) many.push_back(p);
    for (const int p : many) {
        const auto n = std::size_t(p);
        for (const int root : rooted(row.collective) ? std::vector{0, p / 2} : std::vector{0})
            for (const std::size_t count : {n, 2 * n + 1}) {
                if (row.collective == Collective::alltoall && count % n != 0) continue;
                ProofCase one = proof_case(row, p, row.collective == Collective::barrier ? 0 : count);
                one.root = root;
                for (const Bytes segment : {row.default_segment, 12 * proof_element}) {
                    if (segment != row.default_segment && !row.takes_segment) continue;
                    one.segment = segment;
                    const Verdict verdict = prove(one);
                    ASSERT_TRUE(verdict) << one << "\n" << verdict.reason;
                }
            }
    }
}

/// Moves a schedule by `by` elements in the vector. Empty slices are equal wherever they lie.
Schedule moved(Schedule schedule, std::size_t by) {
    for (Program& program : schedule.ranks)
        for (Step& step : program.strands.front())
            for (Slice* slice : {&step.what, &step.from}) {
                if (slice->empty())
                    *slice = {};
                else if (slice->buffer == Buffer::data)
                    slice->offset += by;
            }
    return schedule;
}

/// A schedule proved at the buffer's beginning holds anywhere: an algorithm may be given a part of a vector.
TEST_P(CatalogProof, holds_anywhere_in_the_buffer) {
    for (int p = 1; p <= 9; ++p) {
        ProofCase one = proof_case(*GetParam(), p, 23);
        const Schedule at_beginning = record(one);
        one.offset = 5;
        EXPECT_TRUE(to_string(moved(at_beginning, 5)) == to_string(moved(record(one), 0)))
            << one << "\nin place of\n"
            << to_string(moved(at_beginning, 5)) << "it does\n"
            << to_string(record(one));
    }
}

/// The blocks from one rank to others, or from others to it, side by side.
Blocks exchanged(const std::vector<std::size_t>& lengths, int p, int rank, Buffer buffer) {
    std::vector<std::size_t> starts{0};
    const auto [first, stride] = buffer == Buffer::input ? std::pair(rank * p, 1) : std::pair(rank, p);
    for (int i = 0; i < p; ++i) starts.push_back(starts.back() + lengths[std::size_t(first + i * stride)]);
    const std::size_t whole = starts.back();
    return {Slice{0, whole, buffer}, std::move(starts)};
}

/// Any lengths; one rank sends to all; one receives from all; none at all.
std::vector<std::vector<std::size_t>> lengths_to_prove(int p) {
    std::vector<std::vector<std::size_t>> all(4);
    for (int from = 0; from < p; ++from)
        for (int to = 0; to < p; ++to) {
            all[0].push_back(std::size_t((5 * from + 3 * to * to) % 7 * ((from + to) % 3)));
            all[1].push_back(std::size_t(from == p / 2 ? 1 + to : 0));
            all[2].push_back(std::size_t(to == p - 1 ? 1 + from : 0));
            all[3].push_back(0);
        }
    return all;
}

/// Ranks know only the blocks that they exchange themselves.
TEST(Catalog, rows_for_own_blocks_hold_for_any_lengths) {
    int proved = 0;
    for (const Algorithm& row : catalog(Collective::alltoall))
        for (int p = 1; p <= 33 && row.own_blocks; ++p)
            for (const int radix : {row.default_radix, 1, 3})
                for (const auto& lengths : lengths_to_prove(p)) {
                    const Schedule schedule = record(p, proof_element, [&](Recorder& link) {
                        Args args;
                        args.radix = radix;
                        args.blocks = exchanged(lengths, p, link.rank(), Buffer::data);
                        args.sent = exchanged(lengths, p, link.rank(), Buffer::input);
                        args.data = args.blocks.whole();
                        args.input = args.sent->whole();
                        row.body(link, args);
                    });
                    const Verdict verdict =
                        check(schedule, {.collective = row.collective, .lengths = lengths});
                    EXPECT_TRUE(verdict) << full_name(row) << ", p = " << p << ": " << verdict.reason;
                    ++proved;
                }
    EXPECT_EQ(proved, 2 * 33 * 3 * 4);
}

INSTANTIATE_TEST_SUITE_P(Rows, CatalogProof, testing::ValuesIn(all_rows()),
                         [](const auto& row) { return full_name(*row.param); });

TEST(Catalog, names_a_row_once_and_finds_it) {
    std::set<std::string> names;
    for (const Algorithm& row : catalog()) {
        EXPECT_TRUE(names.insert(full_name(row)).second) << full_name(row);
        EXPECT_EQ(find_algorithm(row.collective, row.name), &row);
        EXPECT_FALSE(row.source.empty()) << full_name(row);
        EXPECT_FALSE(row.best_for.empty()) << full_name(row);
    }
    EXPECT_EQ(find_algorithm(Collective::reduce, "no such algorithm"), nullptr);
    EXPECT_EQ(find_algorithm(Collective::barrier, "binomial"), nullptr);
}

}  // namespace
}  // namespace echelon
