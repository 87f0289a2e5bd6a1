// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/registry.hpp"

#include <string>
#include <utility>
#include <vector>

namespace echelon::cluster {

using Words = std::vector<std::string>;

/// A program on the ranks of a cluster.
struct Job {
    enum class Mpi { mpich, openmpi };
    /// Consecutive ranks to a node until it is full, or one to each node in turn.
    enum class Map { block, round_robin };

    Mpi mpi = Mpi::mpich;
    Map map = Map::block;
    int ranks = 0;
    /// Libraries to preload into the ranks, and further variables of their environment.
    std::string preloaded;
    Words variables;
    Words program;
};

/// The command to start in the launcher's network. `agent`: the program that stands in for ssh.
Words command(const Job& job, int nodes, const std::string& agent, const std::string& hostfile);
/// The lines of `hostfile`; empty: the command needs none.
std::string host_lines(const Job& job, int nodes);

/// Environment variables that keep ranks from using their neighbours' memory, or the launcher's network, in
/// place of the cluster's network.
std::vector<std::pair<std::string, std::string>> transport();

}  // namespace echelon::cluster
