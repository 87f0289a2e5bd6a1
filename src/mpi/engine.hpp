// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/program.hpp"
#include "mpi/mpi_link.hpp"

namespace echelon {

/// Runs this rank's program: its strands side by side, each until it has to wait. Messages do not depend on
/// the order in which communications end.
class Engine {
public:
    /// `links[i]` is the program's link i. Program, links and memory must outlive the engine.
    Engine(const Program& program, std::vector<MpiLink*> links, Memory& memory);

    /// MPI_Waitany picks the communication that ends first, when all strands wait.
    void run();

    // A caller that waits for several programs at once runs them in steps.

    void restart();
    /// All strands run until they wait or have ended. True: all have ended.
    bool advance();
    /// The requests of the communications for which strands wait are appended.
    void list_awaited(std::vector<MPI_Request>& requests);
    /// Completes number `i` of the requests that list_awaited() appended last, which ended with `code`.
    void complete(std::size_t i, int code, const MPI_Status& status);

private:
    struct Strand {
        std::size_t next = 0;
        std::size_t marks = 0;
    };
    /// A started communication, by strand and step.
    struct Started {
        MpiLink* link = nullptr;
        Link::Ticket ticket = Link::Ticket::none;
        bool ended = false;
    };

    /// Strand `s` runs until it ends or waits. True: it moved.
    bool advance(std::size_t s);
    Started start(const Step& step, int s);

    const Program& program_;
    std::vector<MpiLink*> links_;
    Memory& memory_;
    std::vector<Strand> strands_;
    std::vector<std::vector<Started>> started_;
    std::vector<MPI_Request> requests_;
    std::vector<Started*> waiting_;
};

}  // namespace echelon
