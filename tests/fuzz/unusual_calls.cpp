// SPDX-License-Identifier: Apache-2.0
// Calls with wrong arguments, on intercommunicators, and of ranks that come late.
#include "fuzz/around.hpp"
#include "fuzz/defects.hpp"
#include "fuzz/interpreter.hpp"
#include "fuzz/type.hpp"

#include <numeric>

namespace fuzz {

void Interpreter::run_wrong(const Step& given, const Member& member) {
    const Step step = spared(given, member.ranks);
    const Type type(Side{basic_layout(step.basic), map_of(basic_layout(step.basic)), {}, {}});
    std::vector<std::byte> one(4096), other(4096);
    Arguments a;
    a.send = one.data();
    a.receive = other.data();
    a.send_count = a.receive_count = 1;
    a.send_type = a.receive_type = type.get();
    a.receive_counts.assign(std::size_t(member.ranks), 1);
    a.op = MPI_SUM;
    if (step.op >= 100) a.op = op_of(step);
    a.root = step.root % member.ranks;
    const bool reduction = reduces(step.call);
    MPI_Comm user = member.user, reference = member.reference;
    switch (step.wrong) {
        case Wrong::count:
            a.send_count = a.receive_count = -1;
            a.receive_counts.assign(std::size_t(member.ranks), -1);
            break;
        case Wrong::root_high:
            a.root = member.ranks;
            break;
        case Wrong::root_low:
            a.root = -1;
            break;
        case Wrong::type:
            a.send_type = a.receive_type = MPI_DATATYPE_NULL;
            break;
        case Wrong::op:
            a.op = MPI_OP_NULL;
            break;
        case Wrong::illegal_op: {
            const Basic& basic = basics()[std::size_t(step.basic)];
            for (const Predefined& one_op : predefined())
                if (!is_legal(one_op.combine, basic.family)) a.op = one_op.op;
            break;
        }
        case Wrong::aliased:
            a.receive = one.data();
            break;
        case Wrong::in_place:
            if (step.call == Call::bcast)
                a.receive = const_cast<void*>(MPI_IN_PLACE);
            else if (step.call == Call::scatter)
                a.send = MPI_IN_PLACE;
            else
                a.receive = const_cast<void*>(MPI_IN_PLACE);
            break;
        case Wrong::comm:
            user = reference = MPI_COMM_NULL;
            break;
    }
    // Only errors that every rank's library notices before its first message.
    const bool seen =
        step.wrong == Wrong::comm ||
        (step.call != Call::barrier &&
         (step.wrong == Wrong::count || step.wrong == Wrong::type ||
          ((step.wrong == Wrong::root_high || step.wrong == Wrong::root_low) && rooted(step.call)) ||
          (reduction && step.wrong == Wrong::op)));
    // MPICH 4.0.2 ignores the count of a reduction.
    if (!seen || (step.wrong == Wrong::count && reduction)) return;
    progress_.at(step.program, step.number, 0, Progress::Doing::ours);
    const int ours = perform(step.way, step.call, a, user);
    const int theirs = perform(Way::reference, step.call, a, reference);
    compare_codes(step, member, 0, ours, theirs);
    ++tally_.compared["wrong arguments"];
}

void Interpreter::run_inter(const Step& step, const Member& member) {
    int remote = 0;
    PMPI_Comm_remote_size(member.user, &remote);
    Step beside = step;
    beside.wildcard = 0;                        // ranks have no neighbours by number,
    if (step.pending == 3) beside.pending = 1;  // and roots have another meaning
    const auto ints = std::size_t(step.count % 64) + 1;
    std::vector<int> give(ints), ours(ints * std::size_t(remote), -1), theirs = ours;
    for (std::size_t i = 0; i < ints; ++i) give[i] = int(mix(step.seed, 19, member.rank, i) % 1000);
    progress_.at(step.program, step.number, 0, Progress::Doing::ours);
    const int n = int(ints);
    Around around(beside, 0, member.user, member.rank, remote);
    switch (step.call) {
        case Call::barrier:
            MPI_Barrier(member.user);
            break;
        case Call::allgather:
            MPI_Allgather(give.data(), n, MPI_INT, ours.data(), n, MPI_INT, member.user);
            PMPI_Allgather(give.data(), n, MPI_INT, theirs.data(), n, MPI_INT, member.reference);
            break;
        case Call::alltoall:
            give.resize(ints * std::size_t(remote), 3);
            MPI_Alltoall(give.data(), n, MPI_INT, ours.data(), n, MPI_INT, member.user);
            PMPI_Alltoall(give.data(), n, MPI_INT, theirs.data(), n, MPI_INT, member.reference);
            break;
        default:
            MPI_Allreduce(give.data(), ours.data(), n, MPI_INT, MPI_SUM, member.user);
            PMPI_Allreduce(give.data(), theirs.data(), n, MPI_INT, MPI_SUM, member.reference);
            break;
    }
    if (const std::string wrong = around.finish(); !wrong.empty()) fail(step, member, 0, wrong);
    if (ours != theirs) fail(step, member, 0, "differs on an intercommunicator");
    ++tally_.compared["on intercommunicators"];
}

void Interpreter::run_late(const Step& step, const Member& member) {
    if (member.ranks < 2) return;
    // With few bytes native algorithms leave at once: a rank that only sends finishes before others come. For
    // bcast and scatter that is the root, else the rank farthest from it, which waits for no other in any
    // tree. A native root that does not lead its node waits for its node's leader.
    const int p = member.ranks,
              root = step.call == Call::bcast || step.call == Call::reduce ? 0 : step.root % p,
              last = (root + p - 1) % p;
    const bool from_root = step.call == Call::bcast || step.call == Call::scatter;
    const int first = from_root ? root : last, second = from_root ? last : root;
    const int n = int(step.count);
    std::vector<int> give(std::size_t(n) * std::size_t(p)), take(std::size_t(n) * std::size_t(p), -1);
    std::iota(give.begin(), give.end(), 1000 * member.rank);
    Arguments a;
    a.send = give.data();
    a.receive = take.data();
    if (step.call == Call::bcast && member.rank == root) a.receive = give.data();
    a.send_count = a.receive_count = n;
    a.send_type = a.receive_type = MPI_INT;
    a.op = MPI_SUM;
    a.root = root;
    int token = 0;
    progress_.at(step.program, step.number, 0, Progress::Doing::ours);
    // Other recipes may synchronize ranks: for example a root that scatters and gathers again.
    force(member.user, name(step.call), step.count % 2 == 0 ? "native" : "binomial", 0, std::size_t(-1));
    if (member.rank == second) PMPI_Recv(&token, 1, MPI_INT, first, 3, member.reference, MPI_STATUS_IGNORE);
    perform(Way::plain, step.call, a, member.user);
    if (member.rank == first) PMPI_Send(&token, 1, MPI_INT, second, 3, member.reference);
    std::vector<int> right = take;
    if (from_root && member.rank != root)
        for (int i = 0; i < n; ++i)
            right[std::size_t(i)] = 1000 * root + i + (step.call == Call::scatter ? n * member.rank : 0);
    if (member.rank == root && step.call == Call::gather)
        for (int r = 0; r < p; ++r)
            for (int i = 0; i < n; ++i) right[std::size_t(r * n + i)] = 1000 * r + i;
    if (member.rank == root && step.call == Call::reduce)
        for (int i = 0; i < n; ++i) right[std::size_t(i)] = p * i + 1000 * p * (p - 1) / 2;
    if (right != take) fail(step, member, 0, "wrong");
    ++tally_.compared["without synchronisation"];
}

}  // namespace fuzz
