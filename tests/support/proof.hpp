// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checker.hpp"
#include "flat/algorithm.hpp"

#include <iosfwd>
#include <vector>

namespace echelon {

/// One call of a catalog row: what a proof is about.
struct ProofCase {
    const Algorithm* row = nullptr;
    int p = 1;
    std::size_t count = 0;
    int root = 0;
    Bytes segment = 0;
    int radix = 2;
    std::string_view schedule = {};
    bool in_order = false;
    /// Where in the buffer the vector begins.
    std::size_t offset = 0;
    /// Ranks that own blocks, where ranks do; 0: all.
    int blocks = 0;
};

/// Bytes in an element of every proof.
inline constexpr Bytes proof_element = 8;

/// The row's default parameters, and the elements of the vector that each proof runs on.
ProofCase proof_case(const Algorithm& row, int p, std::size_t count);

Schedule record(const ProofCase& one);
Claim claim(const ProofCase& one);
inline Verdict prove(const ProofCase& one) { return check(record(one), claim(one)); }

/// Of the catalog.
std::vector<const Algorithm*> all_rows();
/// The name of a row that is told from all others: "reduce_ring".
std::string full_name(const Algorithm& row);

/// "reduce_ring: p = 3, count = 7, root = 2, in order".
std::ostream& operator<<(std::ostream& out, const ProofCase& one);

/// All roots of few ranks, else the first, second, middle and last. {0} where there is no root.
std::vector<int> roots_to_prove(Collective collective, int p);
/// Around p, so that blocks are empty, one element, uneven; and an uneven hundred.
std::vector<std::size_t> counts_to_prove(Collective collective, int p);
/// The parameters that the row takes, one after the other away from their default.
std::vector<ProofCase> variants_to_prove(const ProofCase& one);

}  // namespace echelon
