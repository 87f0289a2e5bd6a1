// SPDX-License-Identifier: Apache-2.0
// Table 2 of Pjesivac-Grbovic et al. 2005; the binary and split-binary rows corrected.
#include "core/ranks.hpp"
#include "estimators/tables_2005.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echelon::tables_2005 {
namespace {

/// The root's port takes one segment after the other.
Seconds linear(const Terms& m, const Call& c) {
    const Seconds g = m.g(c.p - 1);
    return m.latency + 2 * m.overhead - g + c.n * (c.p - 1) * (m.tail(c.m_s) + g);
}
Seconds linear(const PLogP& m, const Call& c) { return m.latency + c.n * (c.p - 1) * m.g_to(c.m_s, c.p - 1); }

Seconds chain(const Terms& m, const Call& c) {
    return (c.p - 1) * m.point_to_point(c.m_s) + (c.n - 1) * (m.g() + m.tail(c.m_s));
}
Seconds chain(const PLogP& m, const Call& c) {
    return (c.p - 1) * (m.latency + m.g(c.m_s)) + (c.n - 1) * m.g(c.m_s);
}

/// Each of the tree's levels passes on all segments before the next one starts.
Seconds binomial(const Terms& m, const Call& c) {
    return ceil_log2(c.p) * (m.point_to_point(c.m_s) + (c.n - 1) * (m.g() + m.tail(c.m_s)));
}
Seconds binomial(const PLogP& m, const Call& c) { return ceil_log2(c.p) * (m.latency + c.n * m.g(c.m_s)); }

/// Down a binary tree of p ranks, `segments` segments one after the other.
Seconds down(const Terms& m, const Call& c, double segments) {
    const int levels = ceil_log2(c.p + 1) - 1;
    const Seconds both = 2 * (m.tail(c.m_s) + m.g(2));
    return levels * (m.latency + 2 * m.overhead + both) + (segments - 1) * both;
}
Seconds down(const PLogP& m, const Call& c, double segments) {
    const int levels = ceil_log2(c.p + 1) - 1;
    const Seconds g = m.g_to(c.m_s, 2);
    return levels * (m.latency + 2 * g) + (segments - 1) * std::max(2 * g, m.o_r(c.m_s) + g + m.o_s(c.m_s));
}

template <class Model>
Seconds binary(const Model& m, const Call& c) {
    return down(m, c, c.n);
}

/// Half the segments down either side, then the halves of the message are exchanged.
Seconds split_binary(const Terms& m, const Call& c) {
    return down(m, c, std::ceil(c.n / 2)) + m.point_to_point(c.bytes() / 2);
}
Seconds split_binary(const PLogP& m, const Call& c) {
    return down(m, c, std::ceil(c.n / 2)) + m.latency + m.g(c.bytes() / 2);
}

}  // namespace

std::span<const Form> bcast() {
    static constexpr std::array table{Form{Collective::bcast, "linear", linear, linear},
                                      Form{Collective::bcast, "chain", chain, chain},
                                      Form{Collective::bcast, "binomial", binomial, binomial},
                                      Form{Collective::bcast, "binary", binary, binary},
                                      Form{Collective::bcast, "split_binary", split_binary, split_binary}};
    return table;
}

}  // namespace echelon::tables_2005
