// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_link.hpp"

#include "mpi/count.hpp"
#include "mpi/next.hpp"

namespace echelon {

Link::Ticket MpiLink::start_send(int to, Slice what) {
    const Ticket ticket = new_ticket();
    const Counted counted(memory_.element(), what.count);
    check(next.Isend(memory_.readable(what), counted.count(), counted.type(), rank_in_comm(to), tag_, comm_,
                     &request(ticket)),
          "MPI_Isend");
    return ticket;
}

Link::Ticket MpiLink::start_receive(int from, Slice into) {
    const Ticket ticket = new_ticket();
    const Counted counted(memory_.element(), into.count);
    check(next.Irecv(memory_.writable(into), counted.count(), counted.type(), rank_in_comm(from), tag_, comm_,
                     &request(ticket)),
          "MPI_Irecv");
    return ticket;
}

void MpiLink::wait(Ticket ticket) {
    if (ticket == Ticket::none) return;
    check(next.Wait(&request(ticket), MPI_STATUS_IGNORE), "MPI_Wait");
    free_.push_back(ticket);
}

Link::Ticket MpiLink::new_ticket() {
    if (free_.empty()) {
        requests_.push_back(MPI_REQUEST_NULL);
        return Ticket(int(requests_.size()) - 1);
    }
    const Ticket ticket = free_.back();
    free_.pop_back();
    return ticket;
}

}  // namespace echelon
