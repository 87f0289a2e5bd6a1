// SPDX-License-Identifier: Apache-2.0
// Life of communicators: creation, recipes, freeing.
#include "fuzz/around.hpp"
#include "fuzz/defects.hpp"
#include "fuzz/interpreter.hpp"

#include <algorithm>
#include <numeric>

namespace fuzz {
namespace {

/// The type for MPI_Comm_split_type: ranks of a node, or of a part of it.
int kind_of_split([[maybe_unused]] std::uint64_t draw) {
#if MPI_VERSION >= 4
    if (draw % 2 == 0) return MPI_COMM_TYPE_HW_UNGUIDED;
#endif
    return MPI_COMM_TYPE_SHARED;
}

}  // namespace

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

void Interpreter::make(const Step& step) {
    const Member from = member_at(step.from).inter ? members_[0] : member_at(step.from);
    MPI_Comm made = MPI_COMM_NULL;
    const int p = from.ranks, rank = from.rank;
    const auto order = [&](int other) { return int(mix(step.seed, 12, other) % 100); };
    progress_.at(step.program, step.number, 0, Progress::Doing::ours);
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
                if (mix(step.seed, 26) % 2 == 0) {  // a collective on the communicator being copied
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
    progress_.at(step.program, step.number, 0, Progress::Doing::ours);
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
    progress_.at(step.program, step.number, 0, Progress::Doing::ours);
    const char* const collective = step.collective.c_str();
    const std::size_t border = std::size_t(1) << step.count % 16;
    switch (step.telling) {
        case Telling::info:
        case Telling::differing_info: {
            // MPI_Comm_set_info is collective: ranks may have different info keys, but all must call it.
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

}  // namespace fuzz
