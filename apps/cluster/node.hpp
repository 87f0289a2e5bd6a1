// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <functional>
#include <string>

namespace echelon::cluster {

/// Starts the first process of a node: network, processes, shared memory, mounts and name of its own, which
/// last as long as it does. It ends with the process that calls this, whatever ends that one. `hosts`: the
/// file that it sees as /etc/hosts.
pid_t start_node(const std::string& name, const std::string& hosts);

/// From now on this process is in the network of that one.
void join_network_of(pid_t process);
/// Runs `work` there.
void in_network_of(pid_t process, const std::function<void()>& work);

/// Returns in a new process inside the node whose first process that is, in the same folder; this process
/// waits for that one and ends as it does.
void enter_node(pid_t first);

/// Ends all processes of the node but its first.
void clear_node(pid_t first);

}  // namespace echelon::cluster
