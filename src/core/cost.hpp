// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace echelon {

/// The cost of a collective on its critical path, in messages and bytes (R, V and C of the papers; V and C
/// multiplied by the bytes of the vector). The ranks are one-ported and full duplex: a rank sends one and
/// receives one message at a time.
struct Cost {
    double steps = 0;
    double volume = 0;
    double reductions = 0;
    /// Number (`hiding_steps`) and bytes (`hidden`) of messages during which an operand of equal length is
    /// combined. Combining then takes time only as far as it is slower than the messages. These messages
    /// count in `steps` and `volume`, too; the operands do not count in `reductions`.
    double hiding_steps = 0;
    double hidden = 0;
    /// Steps whose latency passes together with the latency of another step, on machines where latencies
    /// overlap.
    double overlapped = 0;

    /// Least number of latencies that follow one another.
    double latencies() const { return steps - overlapped; }
    /// This cost with `number` latencies that follow one another.
    Cost with_latencies(double number) const {
        Cost made = *this;
        made.overlapped = std::max(0.0, steps - number);
        return made;
    }

    friend Cost operator+(Cost a, Cost b) {
        return {a.steps + b.steps,           a.volume + b.volume,
                a.reductions + b.reductions, a.hiding_steps + b.hiding_steps,
                a.hidden + b.hidden,         a.overlapped + b.overlapped};
    }
    friend Cost operator*(double n, Cost c) {
        return {n * c.steps,        n * c.volume, n * c.reductions,
                n * c.hiding_steps, n * c.hidden, n * c.overlapped};
    }
    friend bool operator==(const Cost&, const Cost&) = default;
};

/// The componentwise maximum: at least as much as either cost, like waiting for the later of two. Requires:
/// `hidden` is 0 in both.
inline Cost at_least(const Cost& a, const Cost& b) {
    return Cost{std::max(a.steps, b.steps), std::max(a.volume, b.volume),
                std::max(a.reductions, b.reductions)}
        .with_latencies(std::max(a.latencies(), b.latencies()));
}

/// The time of a cost: `alpha` per message, `beta` per byte sent and `gamma` per byte combined; the result is
/// in their unit. For a sum of costs whose hidden messages differ in length it is a lower bound, because the
/// spare time of one message hides the excess of another.
constexpr double time(const Cost& cost, double alpha, double beta, double gamma) {
    const double hiding = cost.hiding_steps * alpha + cost.hidden * beta;
    return cost.steps * alpha + cost.volume * beta + cost.reductions * gamma +
           std::max(0.0, cost.hidden * gamma - hiding);
}

}  // namespace echelon
