// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "job/world.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace echelon {

/// The machine by which rank 0 decides on communicators of several nodes without a profile: the built-in one
/// with the message time of MPI_Init, or with a brief calibration of this process. Safe to use from several
/// threads.
class PriorMachine {
public:
    /// `world` must outlive this.
    explicit PriorMachine(const World& world) : world_(world) {}

    /// `by_all`: without brief calibrations, equal on all ranks. `by_looks`: with the calibrations of this
    /// process.
    enum class Known : std::uint8_t { by_all, by_looks };
    /// `window`: the ranks of a node share memory and have a processor each. The result stays the same until
    /// look().
    std::shared_ptr<const Profile> profile(Known known, bool window);
    /// Takes over a brief calibration on several nodes.
    void look(const Parameters& found);
    bool was_looked_at() const;

private:
    const World& world_;
    mutable std::mutex mutex_;
    std::optional<Parameters> looked_at_;
    std::map<std::pair<Known, bool>, std::shared_ptr<const Profile>> made_;
};

}  // namespace echelon
