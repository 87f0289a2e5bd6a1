// SPDX-License-Identifier: Apache-2.0
#include "mpi/pending_call.hpp"

namespace echelon {
namespace {

/// Links over one route, for the links of a program.
std::deque<MpiLink> links_of(const Program& program, const Route& route, Memory& memory,
                             FirstError& first_error) {
    std::deque<MpiLink> links;
    for (const Program::Link& link : program.links) {
        Route part{.comm = route.comm, .size = int(link.members.size())};
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

PendingCall::PendingCall(const Route& route, std::shared_ptr<const Program> program, MPI_Comm user)
    : route_(route), user_(user), memory_(route_.loopback()) {
    run(std::move(program));
}

PendingCall::PendingCall(std::shared_ptr<const PersistentRoute> route, TagRange tags,
                         std::shared_ptr<const Program> program)
    : PendingCall(route->route, std::move(program), MPI_COMM_NULL) {
    shared_ = std::move(route);
    tags_ = tags;
    has_request_ = true;
}

std::unique_ptr<PendingCall> PendingCall::from(const std::shared_ptr<Pool>& pool, const Route& route,
                                               TagRange tags, const std::shared_ptr<const Program>& program,
                                               MPI_Comm user) {
    std::unique_ptr<PendingCall> call;
    if (pool->empty()) {
        call = std::make_unique<PendingCall>(route, program, user);
        call->pool_ = pool;
    } else {
        call = std::move(pool->back());
        pool->pop_back();
    }
    call->use(tags);
    call->has_request_ = false;
    return call;
}

void PendingCall::give_back(std::unique_ptr<PendingCall> call) {
    constexpr Bytes most = Bytes(16) << 10;  // beyond that, making a call takes little of its time
    call->end_.reset();
    const auto pool = call->pool_.lock();
    if (pool != nullptr && call->memory_.held() <= most) pool->push_back(std::move(call));
}

void PendingCall::use(TagRange tags) {
    tags_ = tags;
    first_error_ = {};
    result_ = Result::none;
    memory_.set_loopback({route_.comm, own_rank(), tags.first + 1});
    begin_program();
}

void PendingCall::run(std::shared_ptr<const Program> program) {
    engine_.reset();
    program_ = std::move(program);
    links_ = links_of(*program_, route_, memory_, first_error_);
    engine_.emplace(*program_, pointers(links_), memory_);
    begin_program();
}

void PendingCall::begin_program() {
    for (MpiLink& link : links_) link.begin_with_tags_from(tags_.first + 2);
    engine_->restart();
}

MPI_Request PendingCall::make_request() {
    MPI_Request request = MPI_REQUEST_NULL;
    if (result_ == Result::done) {  // a message to nowhere has ended
        check(PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, route_.comm, &request), "MPI_Isend");
        return request;
    }
    check(PMPI_Irecv(nullptr, 0, MPI_BYTE, own_rank(), tags_.first, route_.comm, &request), "MPI_Irecv");
    has_request_ = true;
    if (result_ == Result::failed) complete_request();
    return request;
}

MPI_Request PendingCall::make_persistent_request() {
    MPI_Request request = MPI_REQUEST_NULL;
    check(next.Recv_init(nullptr, 0, MPI_BYTE, own_rank(), tags_.first, route_.comm, &request),
          "MPI_Recv_init");
    return request;
}

bool PendingCall::advance(void (*handle)(MPI_Comm comm, int code)) {
    int code = MPI_SUCCESS;
    try {
        if (!engine_->advance()) return false;
        if (next_) {
            pool_.reset();
            run(std::exchange(next_, nullptr)(memory_));
            return advance(handle);
        }
        end_(memory_);
        first_error_.raise();
    } catch (const MpiError& error) {
        code = error.code;
    } catch (const FoundError& error) {
        code = error.error_class;
    } catch (const std::exception&) {
        code = MPI_ERR_OTHER;
    }
    if (code != MPI_SUCCESS && user() != MPI_COMM_NULL) handle(user(), code);
    result_ = code == MPI_SUCCESS ? Result::done : Result::failed;
    if (has_request_) complete_request();
    return true;
}

/// A failed call sends a byte: the request, which has no room for it, ends with MPI_ERR_TRUNCATE. The receive
/// is posted: the send does not wait.
void PendingCall::complete_request() {
    static const char byte = 0;
    PMPI_Send(&byte, result_ == Result::failed ? 1 : 0, MPI_BYTE, own_rank(), tags_.first, route_.comm);
}

}  // namespace echelon
