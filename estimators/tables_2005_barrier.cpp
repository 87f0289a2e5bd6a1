// SPDX-License-Identifier: Apache-2.0
// Table 1 of Pjesivac-Grbovic et al. 2005.
#include "core/ranks.hpp"
#include "estimators/tables_2005.hpp"

#include <array>

namespace echelon::tables_2005 {
namespace {

/// All messages to the root arrive in the time of one, as was measured: the paper's T_min.
Seconds flat(const Terms& m, const Call& c) { return (c.p - 2) * m.g(c.p - 1) + 2 * m.point_to_point(0); }
Seconds flat(const PLogP& m, const Call& c) {
    return 2 * (m.latency + m.g(0)) + (c.p - 2) * m.g_to(0, c.p - 1);
}

/// A step whose message waits for the gap after the one before it.
Seconds step(const Terms& m) { return m.latency + m.overhead + m.g(); }
Seconds step(const PLogP& m) { return m.latency + m.g(0); }

template <class Model>
Seconds double_ring(const Model& m, const Call& c) {
    return 2 * c.p * step(m);
}

template <class Model>
Seconds recursive_doubling(const Model& m, const Call& c) {
    return (floor_log2(c.p) + (is_power_of_two(c.p) ? 0 : 2)) * step(m);
}

template <class Model>
Seconds dissemination(const Model& m, const Call& c) {
    return ceil_log2(c.p) * step(m);
}

}  // namespace

std::span<const Form> barrier() {
    static constexpr std::array table{
        Form{Collective::barrier, "linear", flat, flat},
        Form{Collective::barrier, "double_ring", double_ring, double_ring},
        Form{Collective::barrier, "recursive_doubling", recursive_doubling, recursive_doubling},
        Form{Collective::barrier, "dissemination", dissemination, dissemination}};
    return table;
}

}  // namespace echelon::tables_2005
