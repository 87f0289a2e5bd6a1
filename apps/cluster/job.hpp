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
    /// What is preloaded into the ranks, and what else their environment gets.
    std::string preloaded;
    Words variables;
    Words program;
};

/// What is started in the launcher's network. `agent`: the program that stands in for ssh.
Words command(const Job& job, int nodes, const std::string& agent, const std::string& hostfile);
/// The lines of `hostfile`; empty: the command needs none.
std::string host_lines(const Job& job, int nodes);

/// Variables that keep ranks from taking their neighbours' memory, or the launcher's network, for the
/// cluster's.
std::vector<std::pair<std::string, std::string>> transport();

}  // namespace echelon::cluster
