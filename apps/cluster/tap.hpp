// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/descriptor.hpp"
#include "apps/cluster/fabric.hpp"

#include <memory>
#include <optional>
#include <string>

namespace echelon::cluster {

/// A network card whose cable ends in this process: what the kernel sends through it is read, what is
/// written arrives. It is gone with its owner.
class Tap {
public:
    /// In the network namespace that this process is in. `rate`: what the card says of itself, bits a second,
    /// for MPI libraries that look; 0: as fast as it can say.
    Tap(const std::string& name, double rate);

    int descriptor() const { return device_.get(); }
    /// Null: nothing more to read.
    std::unique_ptr<Frame> read();
    void write(const Frame& frame);

private:
    Descriptor device_;
    std::vector<unsigned char> room_;
};

/// The address of a card; `net` 0 is the shaped network, 1 the one that starts programs.
std::string mac_address(int net, int node);
/// Whom a frame is for; nullopt: it is a broadcast.
std::optional<int> destination(const Frame& frame);

}  // namespace echelon::cluster
