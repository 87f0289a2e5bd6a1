// SPDX-License-Identifier: Apache-2.0
#include "mpi/pending_call.hpp"

namespace echelon {
namespace {

/// Links over one route, for the links of a program.
std::deque<MpiLink> links_of(const Program& program, const Route& route, int first_tag, Memory& memory,
                             FirstError& first_error) {
    std::deque<MpiLink> links;
    for (const Program::Link& link : program.links) {
        Route part{.comm = route.comm, .size = int(link.members.size()), .first_tag = first_tag};
        for (const int member : link.members) part.members.push_back(route.in_comm(member));
        links.emplace_back(std::move(part), memory, first_error);
    }
    return links;
}

std::vector<MpiLink*> pointers(std::deque<MpiLink>& links) {
    std::vector<MpiLink*> all;
    for (MpiLink& link : links) all.push_back(&link);
    return all;
}

}  // namespace

PendingCall::PendingCall(const Route& route, TagRange tags, std::shared_ptr<const Program> program,
                         MPI_Comm user)
    : route_(route),
      tags_(tags),
      program_(std::move(program)),
      user_(user),
      memory_({route_.comm, own_rank(), tags_.first + 1}),
      links_(links_of(*program_, route_, tags_.first + 2, memory_, first_error_)),
      engine_(*program_, pointers(links_), memory_) {}

MPI_Request PendingCall::start(std::function<void(Memory&)> end) {
    end_ = std::move(end);
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Irecv(nullptr, 0, MPI_BYTE, own_rank(), tags_.first, route_.comm, &request), "MPI_Irecv");
    return request;
}

bool PendingCall::advance() {
    int code = MPI_SUCCESS;
    try {
        if (!engine_.advance()) return false;
        end_(memory_);
        first_error_.raise();
    } catch (const MpiError& error) {
        code = error.code;
    } catch (const FoundError& error) {
        code = error.error_class;
    } catch (const std::exception&) {
        code = MPI_ERR_OTHER;
    }
    if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(user_, code);
    end(code != MPI_SUCCESS);
    return true;
}

/// A failed call sends a byte: the request, which has no room for it, ends with MPI_ERR_TRUNCATE.
void PendingCall::end(bool failed) {
    static const char byte = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
    PMPI_Isend(&byte, failed ? 1 : 0, MPI_BYTE, own_rank(), tags_.first, route_.comm, &sent);
    if (sent != MPI_REQUEST_NULL) PMPI_Request_free(&sent);
}

}  // namespace echelon
