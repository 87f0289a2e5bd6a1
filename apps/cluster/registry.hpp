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

/// A cluster that is up.
struct Cluster {
    std::string name;
    Shape shape;
    /// The main process; it lives in the launcher's network.
    pid_t wire = 0;
    /// The first process of each node.
    std::vector<pid_t> nodes;
};

/// Finds clusters by name. Each has a folder with a lock that its main process holds. The kernel frees the
/// lock with the process, hence the lock is true after any kind of end.
class Registry {
public:
    /// Error: the name has other characters than letters, digits, - and _, or more than 32.
    explicit Registry(const std::string& name);

    const std::string& folder() const { return folder_; }
    std::string file(const std::string& name) const { return folder_ + '/' + name; }

    /// No value: it is not up. Error: it is being made.
    std::optional<Cluster> find() const;

    /// For the cluster's main process; false if another one holds the claim.
    bool claim();
    void publish(const Cluster& cluster) const;
    void remove() const;

    /// The right to run a program there, held as long as the result lives; no value while another run holds
    /// it.
    std::optional<Descriptor> claim_run() const;

    /// Maps the page that the wire shares with its observers. `make`: the wire makes it, empty.
    Punctuality* punctuality(bool make) const;

private:
    std::string name_, folder_;
    Descriptor lock_;
};

}  // namespace echelon::cluster
