// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/world.hpp"
#include "estimators/profile/profile.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace echelon {

/// The machine that one rank decides by on communicators of several nodes that have no profile: the built-in one, with what MPI_Init saw a
/// message take, until one of this process's communicators was looked at. Safe to use from several threads.
class PriorMachine {
public:
    /// Must outlive it.
    explicit PriorMachine(const World& world) : world_(world) {}

    /// What all ranks know of it, or this process's looks, too, by which one rank decides.
    enum class Known : std::uint8_t { by_all, by_looks };
    /// `window`: ranks of a node share memory, and have a processor each. The same until look().
    std::shared_ptr<const Profile> profile(Known known, bool window);
    /// A communicator on several nodes was looked at: what that found of messages between and inside them.
    void look(const Parameters& found);
    bool was_looked_at() const;

private:
    const World& world_;
    mutable std::mutex mutex_;
    std::optional<Parameters> looked_at_;
    std::map<std::pair<Known, bool>, std::shared_ptr<const Profile>> made_;
};

}  // namespace echelon
