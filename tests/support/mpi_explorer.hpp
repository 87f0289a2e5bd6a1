// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

/// Runs a program of a few MPI ranks in all ways that MPI permits (stateless model checking). Each rank is a
/// process, and one runs at a time. The functions of this file's source replace the MPI library's (PMPI_*).
/// Receives name their senders, so that the speed of messages changes the results of MPI_Test and MPI_Testall
/// alone. Each result may be "not yet", or "arrived" if the message can have been sent by then. The program
/// runs from its beginning for every sequence of results. Clocks count calls: they differ between ranks, and
/// are equal in all runs.
namespace echelon::mpi_explorer {

inline constexpr int most_ranks = 4;

/// The library keeps the messages of a rank that goes on, or a rank waits wherever the standard permits it.
enum class Sends { keep, wait };

struct Found {
    /// Empty: no execution has one.
    std::string defect;
    /// Number of executions.
    long runs = 0;
};

/// Explores a program, which each rank calls in a process of its own. MPI is initialised.
Found explore(int ranks, Sends sends, const std::function<void()>& program);

// The program calls these two.

/// Ends the exploration with a defect if the n-th texts of two ranks differ.
void agree(const std::string& text);
/// Ends the exploration with a defect, unless `good`.
void expect(bool good, const std::string& what);

}  // namespace echelon::mpi_explorer
