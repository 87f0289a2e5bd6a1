// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/descriptor.hpp"
#include "apps/cluster/shape.hpp"
#include "apps/cluster/wire.hpp"

#include <sys/types.h>
#include <optional>
#include <string>
#include <vector>

namespace echelon::cluster {

/// What is known of a cluster that is up.
struct Cluster {
    std::string name;
    Shape shape;
    /// The process that everything hangs on: it is in the launcher's network.
    pid_t wire = 0;
    /// The first process of each node.
    std::vector<pid_t> nodes;
};

/// Clusters are found by name: each has a folder, and a lock in it that its process holds. The kernel frees
/// the lock with the process, so that what it says is true after any kind of end.
class Registry {
public:
    /// Error: no name of letters, digits, - and _.
    explicit Registry(const std::string& name);

    const std::string& folder() const { return folder_; }
    std::string file(const std::string& name) const { return folder_ + '/' + name; }

    /// Nullopt: it is not up.
    std::optional<Cluster> find() const;

    /// For the cluster's own process; false: another one has it.
    bool claim();
    void publish(const Cluster& cluster) const;
    void remove() const;

    /// For whoever runs a program there; nullopt: somebody does.
    std::optional<Descriptor> claim_run() const;

    /// A page that both the wire and those who look at it see. `make`: by the wire, empty.
    Punctuality* punctuality(bool make) const;

private:
    std::string name_, folder_;
    Descriptor lock_;
};

}  // namespace echelon::cluster
