// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/recipe_time.hpp"
#include "estimators/replay.hpp"

#include <map>
#include <string>
#include <tuple>

namespace echelon {

/// Schedules of more messages are not replayed as a whole: about 1 us each.
constexpr std::size_t most_replayed_messages = 20000;

/// A machine's word on one communicator: what recipes take as a whole, and as the sum of their phases. The whole is
/// remembered. Not for several threads.
class Predictor {
public:
    /// `natives`: what native parts take in sums; it must outlive this.
    Predictor(const Machine& machine, const Placement& placement, Pricing rows = Pricing::replay,
              const NativeTimes* natives = nullptr)
        : terrain_(placement),
          machine_(seated(machine, placement)),
          sums_(machine_, terrain_, rows, natives),
          replay_(machine_, placement) {}
    Predictor(const Predictor&) = delete;

    /// By replay; of one with very many messages, the sum of its phases. Nullopt: it cannot serve, or has native parts.
    std::optional<Seconds> whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                 Operation operation);
    RecipeTimes& sums() { return sums_; }

    const Terrain& terrain() const { return terrain_; }
    /// Replayed so far: what the work is measured in.
    std::size_t messages() const { return replay_.messages(); }

private:
    using Asked = std::tuple<Collective, Bytes, bool, bool, std::string>;

    Terrain terrain_;
    Machine machine_;
    RecipeTimes sums_;
    Replay replay_;
    std::map<Asked, std::optional<Seconds>> known_;
};

}  // namespace echelon
