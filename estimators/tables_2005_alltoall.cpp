// SPDX-License-Identifier: Apache-2.0
// Table 4 of Pjesivac-Grbovic et al. 2005. Its linear row lets the ranks send one after the other, which no
// implementation does: it is left out.
#include "estimators/tables_2005.hpp"

#include <array>

namespace echelon::tables_2005 {
namespace {

double block(const Call& c) { return c.bytes() / c.p; }

Seconds pairwise(const Terms& m, const Call& c) {
    return (c.p - 1) * (m.latency + m.overhead + m.tail(block(c)) + m.g());
}
Seconds pairwise(const PLogP& m, const Call& c) { return (c.p - 1) * (m.latency + m.g(block(c))); }

}  // namespace

std::span<const Form> alltoall() {
    static constexpr std::array table{Form{Collective::alltoall, "pairwise", pairwise, pairwise}};
    return table;
}

}  // namespace echelon::tables_2005
