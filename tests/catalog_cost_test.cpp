// SPDX-License-Identifier: Apache-2.0
// Cost formula of every row against a replay of its schedule. The machine is one-ported and full duplex, and
// every send waits for its receive.
#include "core/ranks.hpp"
#include "estimators/simulator/simulator.hpp"
#include "flat/allgather.hpp"
#include "flat/reduce_scatter.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace echelon {
namespace {

class CatalogCost : public testing::TestWithParam<const Algorithm*> {};

struct Parameters {
    const char* name;
    Seconds alpha;
    SecondsPerByte beta, gamma;
};

/// Multiples of the simulator's time unit: a replay rounds nothing.
constexpr double unit = 1.0 / (1ll << 40);
constexpr Parameters parameters[] = {{"latency alone", 1 << 20, 0, 0},
                                     {"bandwidth alone", 0, 256, 0},
                                     {"slow network", 1 << 26, 8192, 256},
                                     {"fast network", 1 << 21, 128, 256},
                                     {"inside a node", 1 << 19, 256, 512}};

double form(const ProofCase& one, const Parameters& with) {
    const Cost cost = one.row->cost({.p = one.p,
                                     .bytes = one.count * proof_element,
                                     .segment = one.segment,
                                     .radix = one.radix,
                                     .schedule = one.schedule});
    return time(cost, with.alpha, with.beta, with.gamma) * unit;
}

Seconds replayed(const PackedSchedule& packed, const Parameters& with) {
    return simulate(packed, uniform_machine(Hockney{with.alpha * unit, with.beta * unit}, with.gamma * unit))
        .makespan();
}

/// Cases with several segments and radices. If the row cuts p blocks, the last segment of each is no shorter
/// than the others.
std::vector<ProofCase> cases(const Algorithm& row, int p, std::size_t count) {
    const auto share = [&](int parts) { return (count + std::size_t(parts) - 1) / std::size_t(parts); };
    std::vector<ProofCase> all;
    for (const int segments : {1, 2, 8, 2 * p, 4 * p})
        for (const int radix : {row.default_radix, 2, 3, 5, 40}) {
            const std::size_t length = share(segments), block = share(p);
            if ((segments > 1 && !row.takes_segment) || (radix != row.default_radix && !row.takes_radix))
                continue;
            if (count % std::size_t(p) == 0 && length < block && block % length != 0) continue;
            all.push_back(proof_case(row, p, row.collective == Collective::barrier ? 0 : count));
            all.back().segment = segments == 1 ? 0 : length * proof_element;
            all.back().radix = radix;
        }
    return all;
}

std::string where(const ProofCase& one, const Parameters& with) {
    std::ostringstream out;
    out << one << ", " << with.name;
    return out.str();
}

/// Equal blocks for p ranks, for the power of two below and for the even number below, with some whole
/// segments in each.
std::size_t even_count(int p) {
    return std::size_t(p) * std::size_t(std::lcm(1 << floor_log2(p), std::max(p - p % 2, 1))) * 8;
}

/// Rows in which every rank starts all messages at once. Their ports serve messages in order of arrival, and
/// a late message holds up the ones behind it.
bool all_at_once(const Algorithm& row) {
    return row.name == "direct" || row.body == allgather_linear || row.body == reduce_scatter_linear;
}

/// Decisions prune their candidates by these latencies.
TEST_P(CatalogCost, counts_no_latency_that_passes_together_with_another_and_most_of_the_others) {
    constexpr Seconds latency = 1e-3;
    const Machine overlapping =
        uniform_machine(Protocol{.one_way = {{{0, {latency, 0}}}}, .rendezvous_from = ~Bytes(0)}, 0);
    for (int p = 2; p <= 33; ++p)
        for (const ProofCase& one : cases(*GetParam(), p, even_count(p))) {
            const Cost cost = one.row->cost({.p = p,
                                             .bytes = one.count * proof_element,
                                             .segment = one.segment,
                                             .radix = one.radix,
                                             .schedule = one.schedule});
            const double replayed = simulate(pack(record(one)), overlapping).makespan() / latency;
            EXPECT_LE(cost.latencies(), replayed + 1e-6) << one;
            const bool in_one_piece = one.segment == 0;
            EXPECT_TRUE(!in_one_piece || 2 * cost.latencies() >= replayed - 1e-6) << one << ": " << replayed;
        }
}

TEST_P(CatalogCost, equals_the_replay_of_the_schedule) {
    const Algorithm& row = *GetParam();
    int compared = 0;
    for (int p = 1; p <= 33; ++p)
        for (const ProofCase& one : cases(row, p, even_count(p))) {
            const PackedSchedule packed = pack(record(one));
            for (const Parameters& with : parameters) {
                const double expected = form(one, with), real = replayed(packed, with);
                ++compared;
                if (row.exact_cost) {
                    EXPECT_NEAR(real, expected, 1e-9 * expected) << where(one, with);
                } else {
                    EXPECT_LE(real, expected * (all_at_once(row) ? 1.3 : 1 + 1e-9)) << where(one, with);
                    EXPECT_LE(expected, real * 2) << where(one, with);
                }
            }
        }
    EXPECT_GE(compared, 33 * 5);
}

/// Blocks and segments of different lengths shift the time by the cost of one or two elements.
TEST_P(CatalogCost, is_close_for_uneven_blocks_and_segments) {
    const Algorithm& row = *GetParam();
    if (row.collective == Collective::alltoall) return;  // its blocks are equal
    const double most = 1.02 * (all_at_once(row) ? 1.4 : 1);
    for (const int p : {1, 2, 3, 6, 7, 8, 11, 29, 33})
        for (const ProofCase& one : cases(row, p, 9973)) {
            const PackedSchedule packed = pack(record(one));
            for (const Parameters& with : parameters) {
                const double expected = form(one, with), real = replayed(packed, with);
                EXPECT_LE(real, expected * most) << where(one, with);
                EXPECT_LE(expected, real * (row.exact_cost ? 1.02 : 2)) << where(one, with);
            }
        }
}

/// The formula is exact for root 0. A tree that keeps the rank order may have one child more at another root.
TEST_P(CatalogCost, grows_by_at_most_a_message_for_another_root) {
    const Algorithm& row = *GetParam();
    if (!rooted(row.collective) || !row.exact_cost) return;
    for (const int p : {2, 3, 4, 7, 8, 13})
        for (ProofCase one : cases(row, p, even_count(p)))
            for (one.root = 0; one.root < p; ++one.root)
                for (const bool in_order : {false, true}) {
                    if (in_order && !(row.keeps_order && reduces(row.collective))) continue;
                    one.in_order = in_order;
                    const PackedSchedule packed = pack(record(one));
                    for (const Parameters& with : parameters) {
                        const double elements = double(one.count * proof_element);
                        const double segments = one.segment == 0 ? 1 : elements / double(one.segment);
                        const Cost message{segments, elements, elements};
                        const double more = in_order || row.name == "in_order_binary"
                                                ? time(message, with.alpha, with.beta, with.gamma) * unit
                                                : 0;
                        EXPECT_LE(replayed(packed, with), (form(one, with) + more) * (1 + 1e-9))
                            << where(one, with);
                    }
                }
}

INSTANTIATE_TEST_SUITE_P(Rows, CatalogCost, testing::ValuesIn(all_rows()),
                         [](const auto& row) { return full_name(*row.param); });

}  // namespace
}  // namespace echelon
