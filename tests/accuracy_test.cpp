// SPDX-License-Identifier: Apache-2.0
// Errors of the papers' closed forms against a replay of the schedule. The table of docs/results/formulas.md
// must show the errors that this test computes.
#include "core/ranks.hpp"
#include "estimators/network/formula.hpp"
#include "estimators/simulator/simulator.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace echelon {
namespace {

constexpr SecondsPerByte gamma_ = 3e-10;

/// Gigabit Ethernet and 100 Mbit/s Ethernet as measured in the 2005 paper (table 5), and a modern network.
const std::vector<Network> log_gp{
    LogGP{.latency = 30.4e-6, .overhead = 8.15e-6, .gap = 8.683e-6, .per_byte = 1.5e-8},
    LogGP{.latency = 61.22e-6, .overhead = 8.2e-6, .gap = 23.8e-6, .per_byte = 8.4e-8},
    LogGP{.latency = 1.2e-6, .overhead = 2e-7, .gap = 4.5e-7, .per_byte = 1e-10}};

Network tables(Seconds latency, Seconds overhead, Seconds gap, SecondsPerByte per_byte) {
    return PLogP{.latency = latency,
                 .gap = Table({{0, gap}, {1e6, gap + 1e6 * per_byte}}),
                 .send_overhead = Table({{0, overhead}, {1e6, overhead + 1e6 * per_byte / 5}}),
                 .receive_overhead = Table({{0, overhead}, {1e6, overhead + 1e6 * per_byte / 4}})};
}
const std::vector<Network> p_log_p{tables(4e-5, 8e-6, 1.7e-5, 1.5e-8), tables(1.5e-6, 2e-7, 5e-7, 1e-9)};

/// A Cray XC30, and a network whose messages overlap less.
const std::vector<Network> postal{Postal{1.5e-6, 3.8e-7, 4e-10}, Postal{1e-6, 5e-7, 4e-10}};
const std::vector<Network> hockney{Hockney{50e-6, 8e-9}, Hockney{2e-6, 1e-10}};

const std::vector<int> ranks{2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 24, 31, 32, 33};

/// The least and greatest value of form / replay - 1.
class Range {
public:
    void add(Seconds form, Seconds replayed) {
        low_ = std::min(low_, form / replayed - 1);
        high_ = std::max(high_, form / replayed - 1);
    }
    /// "exact" or "-12 … +30 %".
    std::string text() const {
        if (low_ > -5e-4 && high_ < 5e-4) return "exact";
        const auto percent = [](double value) {
            const int whole = int(std::lround(100 * value));
            return (whole > 0 ? "+" : whole < 0 ? "−" : "") + std::to_string(std::abs(whole));
        };
        return percent(low_) + " … " + percent(high_) + " %";
    }

private:
    double low_ = 1e9, high_ = -1e9;
};

/// A line of the document's table from its cells.
std::string line(std::initializer_list<std::string> cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += ' ' + cell + " |";
    return text;
}

const std::vector<std::string>& document() {
    static const std::vector<std::string> lines = [] {
        std::ifstream file(ECHELON_SOURCE_DIR "/docs/results/formulas.md");
        std::vector<std::string> read;
        for (std::string one; std::getline(file, one);) read.push_back(one);
        return read;
    }();
    return lines;
}

/// Line of the document that begins with `begin`; empty if there is none.
std::string documented(const std::string& begin) {
    for (const std::string& one : document())
        if (one.rfind(begin, 0) == 0) return one;
    return {};
}

std::string range_of(const Algorithm& row, const std::vector<Network>& networks) {
    Range range;
    for (const int p : ranks)
        for (const std::size_t scale : {1, 8, 512})
            for (const Bytes segments : {1, 2, 16}) {
                if (segments > 1 && !row.takes_segment) continue;
                const bool barrier = row.collective == Collective::barrier;
                ProofCase one = proof_case(
                    row, p, barrier ? 0 : std::size_t(p) << floor_log2(p) << ceil_log2(int(scale)));
                if (one.count % segments != 0) continue;
                const Bytes bytes = one.count * proof_element;
                one.segment = segments == 1 ? 0 : bytes / segments;
                const Problem problem{.p = p, .bytes = bytes, .segment = one.segment, .radix = one.radix};
                const PackedSchedule packed = pack(record(one));
                for (const Network& network : networks)
                    range.add(formula(row.cost(problem), network, gamma_),
                              simulate(packed, uniform_machine(network, gamma_)).makespan());
                if (barrier) break;
            }
    return range.text();
}

class CatalogAccuracy : public testing::TestWithParam<const Algorithm*> {};

TEST_P(CatalogAccuracy, is_what_the_document_says) {
    const Algorithm& row = *GetParam();
    const std::string begin = "| " + std::string(name(row.collective)) + " | " + std::string(row.name) + " |";
    const std::string found = documented(begin);
    const std::string measured =
        line({std::string(name(row.collective)), std::string(row.name), range_of(row, hockney),
              range_of(row, log_gp), range_of(row, p_log_p), range_of(row, postal)});
    EXPECT_EQ(found, measured) << "docs/results/formulas.md needs this line:\n" << measured;
}

INSTANTIATE_TEST_SUITE_P(Rows, CatalogAccuracy, testing::ValuesIn(all_rows()),
                         [](const auto& row) { return full_name(*row.param); });

}  // namespace
}  // namespace echelon
