// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <functional>
#include <string>

namespace echelon::cluster {

/// Starts the first process of a node, with its own namespaces for network, processes, shared memory, mounts
/// and name; they last as long as it does. It ends when the calling process ends, by any cause. `hosts`: the
/// file that it sees as /etc/hosts.
pid_t start_node(const std::string& name, const std::string& hosts);

/// Moves this process into the network of `process`.
void join_network_of(pid_t process);
/// Runs `work` in the network of `process`.
void in_network_of(pid_t process, const std::function<void()>& work);

/// Returns in a new process inside the node with the first process `first`, in the same folder. The calling
/// process waits for the new one and exits with its exit code.
void enter_node(pid_t first);

/// Ends all processes of the node but its first.
void clear_node(pid_t first);

}  // namespace echelon::cluster
