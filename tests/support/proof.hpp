// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checker.hpp"
#include "flat/algorithm.hpp"

#include <iosfwd>
#include <vector>

namespace echelon {

/// One call of a catalog row, the subject of a proof.
struct ProofCase {
    const Algorithm* row = nullptr;
    int p = 1;
    std::size_t count = 0;
    int root = 0;
    Bytes segment = 0;
    int radix = 2;
    std::string_view schedule = {};
    bool in_order = false;
    /// First element of the vector in the buffer.
    std::size_t offset = 0;
    /// Number of ranks that own blocks, if ranks do; 0 means all.
    int blocks = 0;
    /// The starts of the blocks and the end of the last one, if these are not equal.
    std::vector<std::size_t> starts = {};
};

/// Bytes in an element of every proof.
inline constexpr Bytes proof_element = 8;

/// The case of `row` with its default parameters.
ProofCase proof_case(const Algorithm& row, int p, std::size_t count);

/// The blocks of the ranks in the vector.
Blocks blocks_of(const ProofCase& one);
Schedule record(const ProofCase& one);
Claim claim(const ProofCase& one);
inline Verdict prove(const ProofCase& one) { return check(record(one), claim(one)); }

/// All rows of the catalog.
std::vector<const Algorithm*> all_rows();
/// Unique name of a row, like "reduce_ring".
std::string full_name(const Algorithm& row);

/// "reduce_ring: p = 3, count = 7, root = 2, in order".
std::ostream& operator<<(std::ostream& out, const ProofCase& one);

/// All roots of few ranks, otherwise the first, second, middle and last. {0} if the collective has no root.
std::vector<int> roots_to_prove(Collective collective, int p);
/// Counts around p, which give empty, single and uneven blocks; and 100.
std::vector<std::size_t> counts_to_prove(Collective collective, int p);
/// The starts of blocks that differ: one rank has all; the last ranks have most and the first nothing; in any
/// order, some empty.
std::vector<std::vector<std::size_t>> starts_to_prove(int p, std::size_t count);
/// Variants of a case: the parameters that the row takes, changed one at a time.
std::vector<ProofCase> variants_to_prove(const ProofCase& one);

}  // namespace echelon
