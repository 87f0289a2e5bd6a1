// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace echelon {

/// What a collective takes on its critical path, in messages and bytes (R, V and C of the papers, V and C
/// times the vector's bytes). One-ported, full duplex: a rank sends one and receives one message at a time.
struct Cost {
    double steps = 0;
    double volume = 0;
    double reductions = 0;
    /// What is combined while the next message of equal length arrives: it takes no time of its own as long
    /// as combining is the faster of the two. So many messages, of so many bytes; they count in `steps` and
    /// `volume` too, and what is combined does not count in `reductions`.
    double hiding_steps = 0;
    double hidden = 0;
    /// Of the steps, those whose latency passes together with another one's where latencies overlap.
    double overlapped = 0;

    /// The latencies that follow one another at least.
    double latencies() const { return steps - overlapped; }
    /// The same with so many of them.
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

/// At least as much as either, if nothing hides in them: what follows the later of two.
inline Cost at_least(const Cost& a, const Cost& b) {
    return Cost{std::max(a.steps, b.steps), std::max(a.volume, b.volume),
                std::max(a.reductions, b.reductions)}
        .with_latencies(std::max(a.latencies(), b.latencies()));
}

/// The time of a message, of its bytes, and of combining a byte given, in the unit of these. A sum of costs
/// whose hidden messages differ in length comes out too low by what one of them hides more than the other.
constexpr double time(const Cost& cost, double alpha, double beta, double gamma) {
    const double hiding = cost.hiding_steps * alpha + cost.hidden * beta;
    return cost.steps * alpha + cost.volume * beta + cost.reductions * gamma +
           std::max(0.0, cost.hidden * gamma - hiding);
}

}  // namespace echelon
