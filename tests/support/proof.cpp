// SPDX-License-Identifier: Apache-2.0
#include "support/proof.hpp"

#include "core/recorder.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

namespace echelon {

namespace {

/// True if ranks own blocks, of which some may own none.
bool own_blocks(Collective collective) {
    return collective == Collective::reduce_scatter || collective == Collective::allgather ||
           collective == Collective::gather || collective == Collective::scatter;
}

}  // namespace

ProofCase proof_case(const Algorithm& row, int p, std::size_t count) {
    return {.row = &row, .p = p, .count = count, .segment = row.default_segment, .radix = row.default_radix};
}

Blocks blocks_of(const ProofCase& one) {
    const Slice data{one.offset, one.count};
    return one.starts.empty() ? Blocks(data, one.blocks == 0 ? one.p : one.blocks) : Blocks(data, one.starts);
}

Schedule record(const ProofCase& one) {
    const Slice data{one.offset, one.count};
    const Args args{.data = data,
                    .input = {0, one.count, Buffer::input},
                    .blocks = blocks_of(one),
                    .root = one.root,
                    .segment = one.segment,
                    .radix = one.radix,
                    .schedule = one.schedule,
                    .in_order = one.in_order};
    return record(one.p, proof_element, [&](Link& link) { one.row->body(link, args); });
}

Claim claim(const ProofCase& one) {
    return {.collective = one.row->collective,
            .count = one.count,
            .root = one.root,
            .blocks = one.blocks,
            .starts = one.starts,
            .in_order = one.in_order,
            .same_bits = !one.row->exact_operations_only};
}

std::vector<const Algorithm*> all_rows() {
    std::vector<const Algorithm*> rows;
    for (const Algorithm& row : catalog()) rows.push_back(&row);
    return rows;
}

std::string full_name(const Algorithm& row) {
    return std::string(name(row.collective)) + '_' + std::string(row.name);
}

std::ostream& operator<<(std::ostream& out, const ProofCase& one) {
    out << full_name(*one.row) << ": p = " << one.p << ", count = " << one.count;
    if (rooted(one.row->collective)) out << ", root = " << one.root;
    if (one.row->takes_segment) out << ", segment = " << one.segment << " bytes";
    if (one.row->takes_radix) out << ", radix = " << one.radix;
    if (one.row->takes_schedule) out << ", schedule = '" << one.schedule << '\'';
    if (one.blocks != 0) out << ", " << one.blocks << " blocks";
    if (!one.starts.empty()) out << ", blocks from";
    for (const std::size_t start : one.starts) out << ' ' << start;
    if (one.in_order) out << ", in order";
    return out;
}

std::vector<int> roots_to_prove(Collective collective, int p) {
    if (!rooted(collective)) return {0};
    std::vector<int> roots;
    for (int root = 0; root < p; ++root)
        if (p <= 9 || root <= 1 || root == p / 2 || root == p - 1) roots.push_back(root);
    return roots;
}

std::vector<std::size_t> counts_to_prove(Collective collective, int p) {
    if (collective == Collective::barrier) return {0};
    const auto n = std::size_t(p);
    std::vector<std::size_t> counts{0, 1, n - 1, n, n + 1, 100};
    if (collective == Collective::alltoall) counts = {0, n, 2 * n, 3 * n, 10 * n};
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

std::vector<std::vector<std::size_t>> starts_to_prove(int p, std::size_t count) {
    const auto n = std::size_t(p);
    std::vector<std::vector<std::size_t>> all(3);
    for (std::size_t rank = 0; rank <= n; ++rank) {
        all[0].push_back(rank > n / 2 ? count : 0);
        all[1].push_back(count * rank * rank / (n * n));
        all[2].push_back(rank == 0 ? 0 : rank == n ? count : 7 * rank * rank % (count + 1));
    }
    std::sort(all[2].begin(), all[2].end());
    return all;
}

std::vector<ProofCase> variants_to_prove(const ProofCase& one) {
    std::vector<ProofCase> variants{one};
    const auto add = [&](auto change) {
        variants.push_back(one);
        change(variants.back());
    };
    if (one.row->takes_segment)
        for (const Bytes segment : {Bytes{0}, Bytes{1}, 3 * proof_element, 12 * proof_element + 5}) {
            if (segment == 1 && one.count > 40) continue;  // more segments prove no more
            add([&](ProofCase& v) { v.segment = segment; });
        }
    if (one.row->takes_radix)
        for (const int radix : {one.row->least_radix, 2, 3, 4, 5, 8, 40, std::numeric_limits<int>::max()})
            if (radix != one.radix && radix >= one.row->least_radix)
                add([&](ProofCase& v) { v.radix = radix; });
    if (own_blocks(one.row->collective) && one.p > 1)
        for (const int blocks : {one.p - 1, (one.p + 1) / 2}) add([&](ProofCase& v) { v.blocks = blocks; });
    if (own_blocks(one.row->collective))
        for (const auto& starts : starts_to_prove(one.p, one.count))
            add([&](ProofCase& v) { v.starts = starts; });
    return variants;
}

}  // namespace echelon
