// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_link.hpp"

#include "mpi/count.hpp"

namespace echelon {

/// Messages sent far ahead queue in the receiver's library, and MPICH 4.0 and Open MPI 4.1 search the whole
/// queue: the time would grow with the square of their number. A prime number reaches all peers in turn. No
/// algorithm can hang by it: all are proved with every send synchronous. In a call with at most two messages
/// for each rank, none waits.
bool MpiLink::is_synchronous(std::size_t number) const {
    constexpr std::size_t every = 251;  // a smaller one costs time where ranks share processors
    return number % every == 0 && number > 2 * std::size_t(size());
}

Link::Ticket MpiLink::start_send(int to, Slice what) {
    const Ticket ticket = new_ticket(sends);
    const Counted counted(memory_.element(), first_error_.any() ? 0 : what.count);
    const auto call = is_synchronous(++sends_) ? next.Issend : next.Isend;
    first_error_.keep(call(memory_.readable(what), counted.count(), counted.type(), route_.in_comm(to), tag_,
                           route_.comm, &request(ticket)),
                      "a send");
    return ticket;
}

void MpiLink::send(int to, Slice what) {
    const Counted counted(memory_.element(), first_error_.any() ? 0 : what.count);
    if (counted.bytes() > sent_without_request || is_synchronous(sends_ + 1)) return Link::send(to, what);
    ++sends_;
    first_error_.keep(next.Send(memory_.readable(what), counted.count(), counted.type(), route_.in_comm(to),
                                tag_, route_.comm),
                      "a send");
}

Link::Ticket MpiLink::start_receive(int from, Slice into) {
    const Counted counted(memory_.element(), into.count);
    const Ticket ticket = new_ticket(MPI_Count(counted.bytes()));
    first_error_.keep(next.Irecv(memory_.writable(into), counted.count(), counted.type(),
                                 route_.in_comm(from), tag_, route_.comm, &request(ticket)),
                      "a receive");
    return ticket;
}

void MpiLink::wait(Ticket ticket) {
    if (ticket == Ticket::none) return;
    MPI_Status status{};
    const int code = next.Wait(&request(ticket), &status);
    ended(ticket, code, status);
}

/// MPI_Test would take longer: MPICH's makes progress first.
bool MpiLink::ends_at_once(Ticket ticket) {
    int complete = 0;
    next.Request_get_status(request(ticket), &complete, MPI_STATUS_IGNORE);
    if (complete != 0) wait(ticket);
    return complete != 0;
}

void MpiLink::ended(Ticket ticket, int code, const MPI_Status& status) {
    first_error_.keep(code, "a message");
    const MPI_Count expected = under_way_[std::size_t(ticket)].expected;
    int arrived = MPI_UNDEFINED;  // also for lengths beyond an int
    if (code == MPI_SUCCESS && expected != sends &&
        PMPI_Get_count(&status, MPI_BYTE, &arrived) == MPI_SUCCESS && arrived != MPI_UNDEFINED &&
        arrived != expected)
        first_error_.keep_found(MPI_ERR_TRUNCATE, "ranks give different lengths");
    free_.push_back(ticket);
}

Link::Ticket MpiLink::new_ticket(MPI_Count expected) {
    if (free_.empty()) {
        under_way_.push_back({MPI_REQUEST_NULL, expected});
        return Ticket(int(under_way_.size()) - 1);
    }
    const Ticket ticket = free_.back();
    free_.pop_back();
    under_way_[std::size_t(ticket)] = {MPI_REQUEST_NULL, expected};
    return ticket;
}

}  // namespace echelon
