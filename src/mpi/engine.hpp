// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/program.hpp"
#include "mpi/mpi_link.hpp"

namespace echelon {

/// Runs this rank's program: its strands side by side, each until it has to wait. When all wait, MPI_Waitany
/// picks the communication that ends first. Messages do not depend on that order.
class Engine {
public:
    /// `links[i]` is the program's link i. Program, links and memory must outlive the engine.
    Engine(const Program& program, std::vector<MpiLink*> links, Memory& memory);

    void run();
    /// Runs as far as possible without waiting. True: the program has ended.
    bool advance();

private:
    struct Strand {
        std::size_t next = 0;
        std::size_t marks = 0;
        int sends = 0;
    };
    /// A started communication, by strand and step.
    struct Started {
        MpiLink* link = nullptr;
        Link::Ticket ticket = Link::Ticket::none;
        bool ended = false;
    };

    /// Runs strand `s` until it ends or waits. Returns true if it moved.
    bool advance(std::size_t s);
    Started start(const Step& step, int s);
    /// Runs all strands until they end or wait. True: all have ended.
    bool advance_strands();
    /// Lists the communications for which strands wait.
    void list_requests();
    void ended(int index, int code, const MPI_Status& status);
    void wait_for_any();
    /// True if one of them has ended.
    bool test_any();

    const Program& program_;
    std::vector<MpiLink*> links_;
    Memory& memory_;
    std::vector<Strand> strands_;
    std::vector<std::vector<Started>> started_;
    std::vector<MPI_Request> requests_;
    std::vector<Started*> waiting_;
};

}  // namespace echelon
