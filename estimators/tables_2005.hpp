// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/machine.hpp"
#include "flat/algorithm.hpp"

#include <span>
#include <string_view>

/// Tables 1 to 4 of Pjesivac-Grbovic et al. 2005 with their misprints corrected: pure functions of
/// parameters, ranks and bytes. They are here to redraw the paper's figures and to be compared with;
/// predict() knows better.
namespace echelon::tables_2005 {

/// What a form depends on: a message of n segments of m_s bytes each among p ranks.
struct Call {
    int p = 1;
    double n = 1;
    double m_s = 0;  // bytes
    /// Time to combine one byte.
    SecondsPerByte gamma = 0;

    double bytes() const { return n * m_s; }
};

Call call_of(const Problem& problem, SecondsPerByte gamma);

/// LogGP's terms. The pipelining postal model has the same ones: its port is busy before the first byte
/// instead of after the last, and it counts every byte.
struct Terms {
    Seconds latency = 0, overhead = 0;
    SecondsPerByte per_byte = 0;
    Seconds gap = 0;
    double free_bytes = 1;
    const Table* gap_by_peers = nullptr;

    explicit Terms(const LogGP& model);
    explicit Terms(const Postal& model);

    /// Between the first and the last byte.
    Seconds tail(double bytes) const { return bytes < free_bytes ? 0 : (bytes - free_bytes) * per_byte; }
    /// Between two messages to one of so many peers.
    Seconds g(int peers = 1) const {
        return gap_by_peers == nullptr || gap_by_peers->empty() ? gap : gap * gap_by_peers->clamped(peers);
    }
    /// A message of so many bytes, from end to end.
    Seconds point_to_point(double bytes) const { return latency + 2 * overhead + tail(bytes); }
};

/// A row of the tables.
struct Form {
    Collective collective;
    /// The catalog's name of the algorithm.
    std::string_view name;
    Seconds (*log_gp)(const Terms& model, const Call& call);
    Seconds (*p_log_p)(const PLogP& model, const Call& call);
};

std::span<const Form> barrier();
std::span<const Form> bcast();
std::span<const Form> reduce();
std::span<const Form> alltoall();

/// Nullptr if the tables have no such row.
const Form* find(Collective collective, std::string_view name);

}  // namespace echelon::tables_2005
