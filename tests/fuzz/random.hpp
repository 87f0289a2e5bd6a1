// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

namespace fuzz {

/// SplitMix64 (Steele, Lea, Flood 2014): one word of state. Every step, buffer and element has a stream of
/// its own.
class Random {
public:
    using result_type = std::uint64_t;
    explicit Random(std::uint64_t seed) : state_(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    result_type operator()() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// 0 to n - 1.
    int below(int n) { return n <= 1 ? 0 : int((*this)() % std::uint64_t(n)); }
    /// Both included.
    int between(int low, int high) { return low + below(high - low + 1); }
    bool percent(int share) { return below(100) < share; }
    /// From 1 on; each order of magnitude is as likely as any other.
    long log_uniform(long most) {
        const double unit = double((*this)() >> 11) / double(std::uint64_t(1) << 53);
        return long(std::exp(unit * std::log(double(most) + 1)));
    }
    template <class Choices>
    const auto& pick(const Choices& choices) {
        return choices[std::size_t(below(int(std::size(choices))))];
    }

private:
    std::uint64_t state_;
};

/// A separate seed for a part.
template <class... More>
std::uint64_t mix(std::uint64_t seed, More... part) {
    ((seed = Random(seed ^ (std::uint64_t(part) * 0xD6E8FEB86659FD93u + 0x632BE59BD9B4E019u))()), ...);
    return seed;
}

}  // namespace fuzz
