// SPDX-License-Identifier: Apache-2.0
#include "fuzz/interpreter.hpp"

#include "fuzz/around.hpp"
#include "fuzz/defects.hpp"
#include "fuzz/operation.hpp"
#include "fuzz/sides.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <numeric>

namespace fuzz {
namespace {

using Doing = Progress::Doing;

/// A committed type while it is in scope; its data lie so far behind the address.
class Type {
public:
    explicit Type(const Side& side, std::ptrdiff_t behind = 0)
        : layout_(behind == 0 ? side.layout : moved(side.layout, behind)), type_(fuzz::make(layout_)) {
        if (layout_.kind != Layout::Kind::basic) remember(type_, side.map);
    }
    ~Type() {
        if (layout_.kind != Layout::Kind::basic) forget(type_);
        release(layout_, type_);
    }
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    MPI_Datatype get() const { return type_; }

private:
    Layout layout_;
    MPI_Datatype type_;
};

MPI_Op op_of(const Step& step) {
    return step.op < 100 ? predefined()[std::size_t(step.op)].op
                         : user_operations()[std::size_t(step.op - 100)].op;
}

/// Which ranks MPI_Comm_split_type leaves together: those of a node, or of a part of it.
int kind_of_split([[maybe_unused]] std::uint64_t draw) {
#if MPI_VERSION >= 4
    if (draw % 2 == 0) return MPI_COMM_TYPE_HW_UNGUIDED;
#endif
    return MPI_COMM_TYPE_SHARED;
}

/// The arguments of one rank, but for the buffers.
Arguments arguments_of(const Step& step, const Sides& sides, const Type* send, const Type* receive,
                       int ranks) {
    Arguments made;
    made.root = step.root % ranks;
    if (reduces(step.call)) made.op = op_of(step);
    const auto describe = [&](const std::optional<Side>& side, const Type* type, int& count,
                              MPI_Datatype& handle, std::vector<int>& counts, std::vector<int>& places,
                              std::vector<MPI_Datatype>& types) {
        if (!side) {
            handle = MPI_INT;  // not looked at
            counts.assign(std::size_t(ranks), 0);
            places = counts;
            types.assign(std::size_t(ranks), MPI_INT);
            return;
        }
        count = side->counts[0];
        handle = type->get();
        counts = side->counts;
        places = side->places;
        types.assign(side->counts.size(), handle);
        if (step.call == Call::alltoallw)
            for (int& place : places) place *= int(side->map.extent);
    };
    describe(sides.send, send, made.send_count, made.send_type, made.send_counts, made.send_places,
             made.send_types);
    describe(sides.receive, receive, made.receive_count, made.receive_type, made.receive_counts,
             made.receive_places, made.receive_types);
    if (reduces(step.call) && !sides.receive) {  // reduce, not at the root
        made.receive_count = made.send_count;
        made.receive_type = made.send_type;
    }
    if (step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block) {
        made.receive_count = int(step.count);
        made.receive_counts = scatter_counts(step, ranks);
    }
    return made;
}

/// The address by which a rank tells its buffers; null is MPI_BOTTOM.
const std::byte* base_of(const Step& step, int rank, const Buffer* send) {
    const int base = step.base < 3 ? step.base : 1 + int(mix(step.seed, 20, rank) % 2);
    return base == 2 && send != nullptr ? send->address() : nullptr;
}

std::string hex(int byte) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", unsigned(byte));
    return text;
}

int class_of(int code) {
    int found = MPI_SUCCESS;
    PMPI_Error_class(code, &found);
    return found;
}

std::string code_words(int code) {
    char text[MPI_MAX_ERROR_STRING] = "success";
    int length = 0;
    if (code != MPI_SUCCESS) PMPI_Error_string(class_of(code), text, &length);
    return text;
}

}  // namespace

Interpreter::Interpreter(MPI_Comm whole, Progress& progress) : progress_(progress) {
    hold(members_[0], whole, false);
}

Interpreter::~Interpreter() {
    clear();
    PMPI_Comm_free(&members_[0].reference);
}

void Interpreter::clear() {
    for (std::size_t i = 1; i < members_.size(); ++i) free(members_[i]);
}

void Interpreter::hold(Member& member, MPI_Comm made, bool inter) {
    member.user = made;
    member.filled = true;
    member.inter = inter;
    if (made == MPI_COMM_NULL) return;
    PMPI_Comm_dup(made, &member.reference);
    PMPI_Comm_rank(made, &member.rank);
    PMPI_Comm_size(made, &member.ranks);
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(member.reference, MPI_ERRORS_RETURN);
}

void Interpreter::free(Member& member) {
    if (member.user != MPI_COMM_NULL) {
        MPI_Comm_free(&member.user);
        PMPI_Comm_free(&member.reference);
    }
    member = {};
}

void Interpreter::fail(const Step& step, const Member& member, int repetition, const std::string& what) {
    ++tally_.failures;
    progress_.failed();
    if (tally_.failures <= 5)
        say("DIFFERS " + std::to_string(step.program) + "." + std::to_string(step.number) + " repetition " +
            std::to_string(repetition) + ": rank " + std::to_string(member.rank) + " of " +
            std::to_string(member.ranks) + ", " + name(step.call) + ": " + what);
}

void Interpreter::compare_codes(const Step& step, const Member& member, int repetition, int ours,
                                int theirs) {
    if (class_of(ours) != class_of(theirs))
        fail(step, member, repetition,
             "returns '" + code_words(ours) + "', the library's own '" + code_words(theirs) + "'");
}

/// A slot that nobody has filled is the whole communicator.
Interpreter::Member& Interpreter::member_at(int slot) {
    return members_[std::size_t(members_[std::size_t(slot)].filled ? slot : 0)];
}

void Interpreter::run(const Step& step) {
    progress_.at(step.program, step.number, 0, Doing::nothing);
    const Member& member = member_at(step.slot);
    if (step.act == Act::make) return make(step);
    if (step.act == Act::drop) return drop(step);
    if (member.user == MPI_COMM_NULL) return;  // not one of its ranks
    switch (step.act) {
        case Act::make:
        case Act::drop:
            return;
        case Act::tell:
            return member.inter ? void() : tell(step, member);
        case Act::call:
            return member.inter ? run_inter(step, member) : run_call(step, member);
        case Act::wrong:
            return member.inter ? void() : run_wrong(step, member);
        case Act::late:
            return member.inter ? void() : run_late(step, member);
    }
}

void Interpreter::run_call(const Step& given, const Member& member) {
    const Step step = spared(given, member.ranks);
    const Sides sides = sides_of(step, member.rank, member.ranks);
    std::optional<Type> send_type, receive_type;
    if (sides.send) send_type.emplace(*sides.send);
    if (sides.receive && !(reduces(step.call) && sides.send)) receive_type.emplace(*sides.receive);
    const Type* const of_send = send_type ? &*send_type : nullptr;
    const Type* const of_receive = receive_type ? &*receive_type : of_send;
    Arguments arguments = arguments_of(step, sides, of_send, of_receive, member.ranks);
    if (step.fresh) arguments.op = create_operation(step.op - 100);
    for (int repetition = 0; repetition < step.repeat; ++repetition) {
        struct Pair {
            std::unique_ptr<Buffer> send, receive;
        } ours, theirs;
        for (Pair* pair : {&ours, &theirs}) {
            const auto make = [&](SideOf of, const std::optional<Side>& side,
                                  std::unique_ptr<Buffer>& buffer) {
                if (!side) return;
                buffer = std::make_unique<Buffer>(side->map, side->blocks(), Placing(step.pages));
                fuzz::fill(*buffer, step, repetition, of, *side, member.rank, member.ranks);
                if (of == SideOf::send && step.pages != 0) buffer->make_read_only();
            };
            make(SideOf::send, sides.send, pair->send);
            make(SideOf::receive, sides.receive, pair->receive);
        }
        std::optional<Type> moved_send, moved_receive;
        const auto use = [&](const Pair& pair) {
            arguments.send = pair.send                                      ? pair.send->address()
                             : sides.in_place && step.call != Call::scatter ? MPI_IN_PLACE
                                                                            : nullptr;
            arguments.receive = pair.receive                                   ? pair.receive->address()
                                : sides.in_place && step.call == Call::scatter ? MPI_IN_PLACE
                                                                               : nullptr;
            if (step.base == 0 || reduces(step.call)) return;
            const std::byte* const base = base_of(step, member.rank, pair.send.get());
            if (pair.send) {
                arguments.send_type = moved_send.emplace(*sides.send, pair.send->address() - base).get();
                std::fill(arguments.send_types.begin(), arguments.send_types.end(), arguments.send_type);
                arguments.send = base;
            }
            if (pair.receive) {
                arguments.receive_type =
                    moved_receive.emplace(*sides.receive, pair.receive->address() - base).get();
                std::fill(arguments.receive_types.begin(), arguments.receive_types.end(),
                          arguments.receive_type);
                arguments.receive = const_cast<std::byte*>(base);
            }
        };
        if (step.skew && mix(step.seed, 10, repetition, member.rank) % 2 == 0)
            usleep(unsigned(mix(step.seed, 11, repetition, member.rank) % 2000));
        int ours_code = MPI_SUCCESS;
        {
            Around around(step, repetition, member.user, member.rank, member.ranks);
            use(ours);
            progress_.at(step.program, step.number, repetition, Doing::ours);
            ours_code = perform(step.way, step.call, arguments, member.user);
            const std::string wrong = around.finish();
            if (!wrong.empty()) fail(step, member, repetition, wrong);
            for (const UnderWay& one : around.collectives()) ++tally_.compared[one.name()];
        }
        use(theirs);
        progress_.at(step.program, step.number, repetition, Doing::library);
        const int theirs_code = perform(Way::reference, step.call, arguments, member.reference);
        if (ours_code != MPI_SUCCESS || !is_known_error(step, member.ranks, theirs_code))
            compare_codes(step, member, repetition, ours_code, theirs_code);
        const auto judge = [&](const char* what, const std::unique_ptr<Buffer>& own,
                               const std::unique_ptr<Buffer>& librarys, bool result) {
            if (!own) return;
            const auto difference = own->compare(*librarys);
            if (!difference) return;
            const auto right = result ? expected(step, repetition, member.rank, member.ranks) : nullptr;
            const bool ours_right = right && !own->compare(*right);
            const bool theirs_right = right && !librarys->compare(*right);
            if (ours_right && !theirs_right && is_known_defect(step, member.ranks)) return;
            fail(step, member, repetition,
                 std::string(what) + ": byte " + std::to_string(difference->at) + " (" + difference->where +
                     ") is " + hex(difference->is) + ", the library's own " + hex(difference->other) + "; " +
                     std::to_string(difference->bytes) + " bytes differ" +
                     (!right         ? ""
                      : ours_right   ? "; a fold by hand agrees with OURS: a defect of the library?"
                      : theirs_right ? "; a fold by hand agrees with the library"
                                     : "; a fold by hand agrees with neither"));
        };
        judge("send buffer", ours.send, theirs.send, false);
        judge("receive buffer", ours.receive, theirs.receive, true);
        ++tally_.compared[name(step.call)];
    }
    if (step.fresh) MPI_Op_free(&arguments.op);
    if (const int unknown = unknown_types(); unknown > 0)
        fail(step, member, 0, "the user's operation was called with a datatype that is not his");
}

void Interpreter::make(const Step& step) {
    const Member from = member_at(step.from).inter ? members_[0] : member_at(step.from);
    MPI_Comm made = MPI_COMM_NULL;
    const int p = from.ranks, rank = from.rank;
    const auto order = [&](int other) { return int(mix(step.seed, 12, other) % 100); };
    progress_.at(step.program, step.number, 0, Doing::ours);
    if (from.user != MPI_COMM_NULL) switch (step.making) {
            case Making::dup:
                MPI_Comm_dup(from.user, &made);
                break;
            case Making::split: {
                const int colours = 1 + int(mix(step.seed, 13) % 3);
                int colour = int(mix(step.seed, 14, rank) % std::uint64_t(colours));
                if (mix(step.seed, 15, rank) % 8 == 0) colour = MPI_UNDEFINED;
                MPI_Comm_split(from.user, colour, order(rank), &made);
                break;
            }
            case Making::split_type:
                MPI_Comm_split_type(from.user, kind_of_split(mix(step.seed, 25)), order(rank), MPI_INFO_NULL,
                                    &made);
                break;
            case Making::create:
            case Making::create_group: {
                int topology = MPI_UNDEFINED;
                PMPI_Topo_test(from.user, &topology);
                const bool topology_kept = create_group_keeps_topologies && topology != MPI_UNDEFINED;
                const Making making = topology_kept ? Making::create : step.making;
                if (making == Making::create_group && create_group_disturbs_receives)
                    PMPI_Barrier(from.reference);
                std::vector<int> ranks(static_cast<std::size_t>(p));
                std::iota(ranks.begin(), ranks.end(), 0);
                Random random(mix(step.seed, 16));
                for (std::size_t i = ranks.size(); i > 1; --i)
                    std::swap(ranks[i - 1], ranks[std::size_t(random.below(int(i)))]);
                ranks.resize(std::size_t(random.between(1, p)));
                MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
                MPI_Comm_group(from.user, &all);
                MPI_Group_incl(all, int(ranks.size()), ranks.data(), &some);
                if (making == Making::create)
                    MPI_Comm_create(from.user, some, &made);
                else if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end())
                    MPI_Comm_create_group(from.user, some, 7, &made);
                MPI_Group_free(&all);
                MPI_Group_free(&some);
                break;
            }
            case Making::idup: {
                MPI_Request request = MPI_REQUEST_NULL;
                MPI_Comm_idup(from.user, &made, &request);
                if (mix(step.seed, 26) % 2 == 0) {  // a collective on the one that is copied
                    int one = 1, all = 0;
                    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, from.user);
                    if (all != p)
                        fail(step, from, 0, "beside MPI_Comm_idup: the sum is " + std::to_string(all));
                }
                MPI_Wait(&request, MPI_STATUS_IGNORE);
                break;
            }
            case Making::dup_with_info: {
                MPI_Info info = MPI_INFO_NULL;
                MPI_Info_create(&info);
                MPI_Info_set(info, ("echelon_" + step.collective).c_str(), step.recipe.c_str());
                MPI_Comm_dup_with_info(from.user, info, &made);
                MPI_Info_free(&info);
                break;
            }
            case Making::cart:
            case Making::cart_sub: {
                const int periods[2] = {1, 0}, rows[2] = {0, 1};
                int sizes[2] = {0, 0};
                MPI_Dims_create(p, 2, sizes);
                MPI_Cart_create(from.user, 2, sizes, periods, 1, &made);
                if (step.making == Making::cart) break;
                MPI_Comm grid = made;
                MPI_Cart_sub(grid, rows, &made);
                MPI_Comm_free(&grid);
                break;
            }
            case Making::graph: {  // a ring
                std::vector<int> index, edges;
                for (int i = 0; i < p; ++i) {
                    edges.insert(edges.end(), {(i + p - 1) % p, (i + 1) % p});
                    index.push_back(int(edges.size()));
                }
                MPI_Graph_create(from.user, p, index.data(), edges.data(), 1, &made);
                break;
            }
            case Making::dist_graph: {
                std::vector<int> in, out;
                for (int other = 0; other < p; ++other) {
                    if (mix(step.seed, 23, other, rank) % 3 == 0) in.push_back(other);
                    if (mix(step.seed, 23, rank, other) % 3 == 0) out.push_back(other);
                }
                MPI_Dist_graph_create_adjacent(from.user, int(in.size()), in.data(), MPI_UNWEIGHTED,
                                               int(out.size()), out.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                               &made);
                break;
            }
            case Making::merge:
            case Making::inter: {
                if (p < 2) break;
                const int first = 1 + int(mix(step.seed, 17) % std::uint64_t(p - 1));
                const bool low = rank < first;
                MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
                PMPI_Comm_split(from.reference, low, rank, &half);
                MPI_Intercomm_create(half, 0, from.user, low ? first : 0, 5, &both);
                PMPI_Comm_free(&half);
                if (step.making == Making::merge) {
                    MPI_Intercomm_merge(both, (mix(step.seed, 18) & 1) == std::uint64_t(low), &made);
                    MPI_Comm_free(&both);
                } else {
                    made = both;
                }
                break;
            }
        }
    Member& member = members_[std::size_t(step.slot)];
    free(member);
    hold(member, made, step.making == Making::inter);
}

void Interpreter::drop(const Step& given) {
    Member& member = members_[std::size_t(given.slot)];
    if (member.user == MPI_COMM_NULL) return free(member);
    const Step step = spared(given, member.ranks);
    progress_.at(step.program, step.number, 0, Doing::ours);
    int keyval = MPI_KEYVAL_INVALID;
    static thread_local int summed;
    summed = -1;
    const bool callback = step.wildcard && !member.inter;
    if (callback) {
        MPI_Comm_create_keyval(
            MPI_COMM_NULL_COPY_FN,
            [](MPI_Comm comm, int, void*, void*) {
                int one = 1;
                return MPI_Allreduce(&one, &summed, 1, MPI_INT, MPI_SUM, comm);
            },
            &keyval, nullptr);
        MPI_Comm_set_attr(member.user, keyval, nullptr);
    }
    const Member before = member;
    MPI_Request request = MPI_REQUEST_NULL;
    if (step.pending && !member.inter) MPI_Ibarrier(member.user, &request);
    free(member);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (callback) {
        MPI_Comm_free_keyval(&keyval);
        if (summed != before.ranks)
            fail(step, before, 0, "allreduce in a delete callback gives " + std::to_string(summed));
        ++tally_.compared["in delete callbacks"];
    }
}

void Interpreter::tell(const Step& step, const Member& member) {
    progress_.at(step.program, step.number, 0, Doing::ours);
    const char* const collective = step.collective.c_str();
    const std::size_t border = std::size_t(1) << step.count % 16;
    switch (step.telling) {
        case Telling::info:
        case Telling::differing_info: {
            // MPI_Comm_set_info is collective: ranks may say different things, but all say something.
            const bool silent =
                step.telling == Telling::differing_info && member.rank != step.root % member.ranks;
            MPI_Info info = MPI_INFO_NULL;
            MPI_Info_create(&info);
            if (!silent) MPI_Info_set(info, ("echelon_" + step.collective).c_str(), step.recipe.c_str());
            MPI_Comm_set_info(member.user, info);
            MPI_Info_free(&info);
            return;
        }
        case Telling::force:
            return force(member.user, collective, step.recipe.c_str(), step.count % 3 == 0 ? border : 0,
                         step.count % 3 == 1 ? border : std::size_t(-1));
        case Telling::clear:
            return fuzz::clear(member.user, collective);
        case Telling::groups:
            return groups(member.user, collective, 1 + int(step.count) % member.ranks);
        case Telling::trials:
            return trials(member.user, collective, int(step.count));
        case Telling::train:
            return train(member.user, collective, border, 0.05);
    }
}

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
    // Only what every rank's library sees before its first message.
    const bool seen =
        step.wrong == Wrong::comm ||
        (step.call != Call::barrier &&
         (step.wrong == Wrong::count || step.wrong == Wrong::type ||
          ((step.wrong == Wrong::root_high || step.wrong == Wrong::root_low) && rooted(step.call)) ||
          (reduction && step.wrong == Wrong::op)));
    // MPICH 4.0.2 does not look at the count of a reduction.
    if (!seen || (step.wrong == Wrong::count && reduction)) return;
    progress_.at(step.program, step.number, 0, Doing::ours);
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
    if (step.pending == 3) beside.pending = 1;  // and a root is another thing
    const auto ints = std::size_t(step.count % 64) + 1;
    std::vector<int> give(ints), ours(ints * std::size_t(remote), -1), theirs = ours;
    for (std::size_t i = 0; i < ints; ++i) give[i] = int(mix(step.seed, 19, member.rank, i) % 1000);
    progress_.at(step.program, step.number, 0, Doing::ours);
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
    // Few bytes natively leave at once: whoever only sends is through before others come. For bcast and
    // scatter that is the root, else the rank farthest from it, which no tree asks to wait for others.
    // Natively a root that does not lead its node waits for the one that does.
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
    progress_.at(step.program, step.number, 0, Doing::ours);
    // By other recipes ranks may wait for each other: a root that scatters and gathers again, for one.
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
