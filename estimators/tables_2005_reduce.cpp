// SPDX-License-Identifier: Apache-2.0
// Table 3 of Pjesivac-Grbovic et al. 2005; fractions that line breaks had made are sums again, and the binary
// LogGP row is a sum instead of a product.
#include "core/ranks.hpp"
#include "estimators/tables_2005.hpp"

#include <algorithm>
#include <array>

namespace echelon::tables_2005 {
namespace {

Seconds combine(const Call& c) { return c.gamma * c.m_s; }

Seconds linear(const Terms& m, const Call& c) {
    const Seconds tail = m.tail(c.m_s);
    return m.overhead + tail + m.latency +
           c.n * std::max(m.g(), (c.p - 1) * (m.overhead + tail + combine(c)));
}
Seconds linear(const PLogP& m, const Call& c) {
    return m.latency + (c.p - 1) * c.n * std::max(m.g(c.m_s), m.o_r(c.m_s) + combine(c));
}

Seconds chain(const Terms& m, const Call& c) {
    const Seconds tail = m.tail(c.m_s);
    return (c.p - 1) * (m.point_to_point(c.m_s) + combine(c)) +
           (c.n - 1) * std::max(m.g(), 2 * m.overhead + tail + combine(c));
}
Seconds chain(const PLogP& m, const Call& c) {
    const Seconds taken = std::max(m.g(c.m_s), m.o_r(c.m_s) + combine(c));
    return (c.p - 1) * (m.latency + taken) + (c.n - 1) * (taken + m.o_s(c.m_s));
}

Seconds binomial(const Terms& m, const Call& c) {
    return ceil_log2(c.p) *
           (m.overhead + m.latency + c.n * (m.tail(c.m_s) + std::max(m.g(), m.overhead + combine(c))));
}
Seconds binomial(const PLogP& m, const Call& c) {
    return ceil_log2(c.p) *
           (m.latency + c.n * std::max(m.g(c.m_s), m.o_r(c.m_s) + combine(c) + m.o_s(c.m_s)));
}

Seconds binary(const Terms& m, const Call& c) {
    const Seconds o = m.overhead, tail = m.tail(c.m_s);
    return (ceil_log2(c.p + 1) - 1) * (m.latency + 3 * o + tail + 2 * combine(c)) +
           (c.n - 1) * (2 * tail + std::max(m.g(), 3 * o + 2 * combine(c)));
}
Seconds binary(const PLogP& m, const Call& c) {
    const Seconds taken = 2 * std::max(m.g(c.m_s), m.o_r(c.m_s) + combine(c));
    return (ceil_log2(c.p + 1) - 1) * (m.latency + taken) + (c.n - 1) * (m.o_s(c.m_s) + taken);
}

}  // namespace

std::span<const Form> reduce() {
    static constexpr std::array table{Form{Collective::reduce, "linear", linear, linear},
                                      Form{Collective::reduce, "chain", chain, chain},
                                      Form{Collective::reduce, "binomial", binomial, binomial},
                                      Form{Collective::reduce, "binary", binary, binary}};
    return table;
}

}  // namespace echelon::tables_2005
