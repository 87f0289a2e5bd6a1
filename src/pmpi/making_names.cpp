// SPDX-License-Identifier: Apache-2.0
// MPI's names in C of the calls that make communicators. The library makes them. If the call blocks, Echelon
// prepares there the later calls in which it must not wait.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "mpi/next.hpp"
#include "mpi/quirks.hpp"

#include <echelon/export.h>

#include <tuple>

namespace echelon {
namespace {

template <class... Arguments>
int made(int (*make)(Arguments...), Arguments... arguments) {
    const int code = make(arguments...);
    const MPI_Comm* const comm = std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
    return code != MPI_SUCCESS || *comm == MPI_COMM_NULL
               ? code
               : guarded(*comm, [&] { return front_made(code, comm); });
}

#if ECHELON_HAS_ALL_OF_MPI_3
int came(int code, const MPI_Comm* comm) {
    return code != MPI_SUCCESS || *comm == MPI_COMM_NULL
               ? code
               : guarded(*comm, [&] { return front_new_handle(code, comm); });
}
#endif

}  // namespace
}  // namespace echelon

#define ECHELON_MAKES extern "C" ECHELON_API int

ECHELON_MAKES MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    return echelon::made(echelon::next.Comm_dup, comm, made);
}

ECHELON_MAKES MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    return echelon::made(echelon::next.Comm_split, comm, color, key, made);
}

ECHELON_MAKES MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
    return echelon::made(echelon::next.Comm_create, comm, group, made);
}

ECHELON_MAKES MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
    return echelon::made(echelon::next.Comm_create_group, comm, group, tag, made);
}

ECHELON_MAKES MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
    return echelon::made(echelon::next.Comm_split_type, comm, type, key, info, made);
}

ECHELON_MAKES MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[],
                              int reorder, MPI_Comm* made) {
    return echelon::made(echelon::next.Cart_create, comm, dimensions, sizes, periods, reorder, made);
}

ECHELON_MAKES MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made) {
    return echelon::made(echelon::next.Cart_sub, comm, remain, made);
}

#if ECHELON_HAS_ALL_OF_MPI_3
ECHELON_MAKES MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                               MPI_Comm* made) {
    return echelon::made(echelon::next.Graph_create, comm, nodes, index, edges, reorder, made);
}

ECHELON_MAKES MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                                    const int destinations[], const int weights[], MPI_Info info, int reorder,
                                    MPI_Comm* made) {
    return echelon::made(echelon::next.Dist_graph_create, comm, n, sources, degrees, destinations, weights,
                         info, reorder, made);
}

ECHELON_MAKES MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in_degree, const int sources[],
                                             const int source_weights[], int out_degree,
                                             const int destinations[], const int destination_weights[],
                                             MPI_Info info, int reorder, MPI_Comm* made) {
    return echelon::made(echelon::next.Dist_graph_create_adjacent, comm, in_degree, sources, source_weights,
                         out_degree, destinations, destination_weights, info, reorder, made);
}

ECHELON_MAKES MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
    return echelon::made(echelon::next.Intercomm_merge, comm, high, made);
}

ECHELON_MAKES MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
    return echelon::came(echelon::next.Comm_idup(comm, made, request), made);
}

ECHELON_MAKES MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peers, int remote, int tag,
                                   MPI_Comm* made) {
    return echelon::came(echelon::next.Intercomm_create(comm, leader, peers, remote, tag, made), made);
}

ECHELON_MAKES MPI_Comm_spawn(const char* command, char* argv[], int ranks, MPI_Info info, int root,
                             MPI_Comm comm, MPI_Comm* made, int codes[]) {
    return echelon::came(echelon::next.Comm_spawn(command, argv, ranks, info, root, comm, made, codes), made);
}

ECHELON_MAKES MPI_Comm_spawn_multiple(int n, char* commands[], char** argv[], const int ranks[],
                                      const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm* made,
                                      int codes[]) {
    return echelon::came(
        echelon::next.Comm_spawn_multiple(n, commands, argv, ranks, infos, root, comm, made, codes), made);
}

ECHELON_MAKES MPI_Comm_accept(const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return echelon::came(echelon::next.Comm_accept(port, info, root, comm, made), made);
}

ECHELON_MAKES MPI_Comm_connect(const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made) {
    return echelon::came(echelon::next.Comm_connect(port, info, root, comm, made), made);
}

ECHELON_MAKES MPI_Comm_join(int descriptor, MPI_Comm* made) {
    return echelon::came(echelon::next.Comm_join(descriptor, made), made);
}

#if ECHELON_HAS_LARGE_COUNTS
ECHELON_MAKES MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made, MPI_Request* request) {
    return echelon::came(echelon::next.Comm_idup_with_info(comm, info, made, request), made);
}

ECHELON_MAKES MPI_Comm_create_from_group(MPI_Group group, const char* tag, MPI_Info info,
                                         MPI_Errhandler errors, MPI_Comm* made) {
    return echelon::came(echelon::next.Comm_create_from_group(group, tag, info, errors, made), made);
}

ECHELON_MAKES MPI_Intercomm_create_from_groups(MPI_Group group, int leader, MPI_Group others, int remote,
                                               const char* tag, MPI_Info info, MPI_Errhandler errors,
                                               MPI_Comm* made) {
    return echelon::came(
        echelon::next.Intercomm_create_from_groups(group, leader, others, remote, tag, info, errors, made),
        made);
}
#endif
#endif
