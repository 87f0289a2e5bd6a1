// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/descriptor.hpp"
#include "apps/cluster/fabric.hpp"

#include <memory>
#include <optional>
#include <string>

namespace echelon::cluster {

/// A network card whose cable ends in this process: it reads frames that the kernel sends, and frames that it
/// writes arrive at the kernel. The card is gone with its owner.
class Tap {
public:
    /// Makes the card in the network namespace of this process. `rate`: the speed that the card reports to
    /// MPI libraries, in bits a second; 0: the highest that it can report.
    Tap(const std::string& name, double rate);

    int descriptor() const { return device_.get(); }
    /// The next frame; null if there is none to read.
    std::unique_ptr<Frame> read();
    void write(const Frame& frame);

private:
    Descriptor device_;
    std::vector<unsigned char> room_;
};

/// The address of a card; `net` 0 is the shaped network, 1 the one that starts programs.
std::string mac_address(int net, int node);
/// The node that a frame is for; no value for a broadcast.
std::optional<int> destination(const Frame& frame);

}  // namespace echelon::cluster
