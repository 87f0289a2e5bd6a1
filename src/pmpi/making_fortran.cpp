// SPDX-License-Identifier: Apache-2.0
// MPI's names in Fortran of the blocking calls that make communicators, for Open MPI, which bypasses the
// names of C. Open MPI's own Fortran procedures make the communicators: they know Fortran's logicals and
// MPI_UNWEIGHTED.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "pmpi/fortran.hpp"

#if ECHELON_FORTRAN_PASSES_C
#include <dlfcn.h>

using namespace echelon::fortran;

namespace {

/// A procedure of the program's Fortran MPI library, which may be loaded with local names.
void* procedure(const char* name) {
    if (void* const found = dlsym(RTLD_DEFAULT, name)) return found;
    void* const library = dlopen("libmpi_mpifh.so.40", RTLD_LAZY | RTLD_NOLOAD);
    return library != nullptr ? dlsym(library, name) : nullptr;
}

template <class... Arguments>
void makes(const char* name, MPI_Fint* made, MPI_Fint* ierror, Arguments*... arguments) {
    MPI_Fint code = MPI_ERR_INTERN;
    if (void* const own = procedure(name))
        reinterpret_cast<void (*)(Arguments * ..., MPI_Fint*)>(own)(arguments..., &code);
    const MPI_Comm found = code == MPI_SUCCESS ? comm(made) : MPI_COMM_NULL;
    if (found == MPI_COMM_NULL) return leave(ierror, code);
    leave(ierror, echelon::guarded(found, [&] { return echelon::front_made(code, &found); }));
}

}  // namespace

ECHELON_FORTRAN_NAME(mpi_comm_dup, MPI_COMM_DUP, MPI_Fint* c, MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_comm_dup_", made, ierror, c, made);
}

ECHELON_FORTRAN_NAME(mpi_comm_split, MPI_COMM_SPLIT, MPI_Fint* c, MPI_Fint* color, MPI_Fint* key,
                     MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_comm_split_", made, ierror, c, color, key, made);
}

ECHELON_FORTRAN_NAME(mpi_comm_create, MPI_COMM_CREATE, MPI_Fint* c, MPI_Fint* group, MPI_Fint* made,
                     MPI_Fint* ierror) {
    makes("pmpi_comm_create_", made, ierror, c, group, made);
}

ECHELON_FORTRAN_NAME(mpi_comm_create_group, MPI_COMM_CREATE_GROUP, MPI_Fint* c, MPI_Fint* group,
                     MPI_Fint* tag, MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_comm_create_group_", made, ierror, c, group, tag, made);
}

ECHELON_FORTRAN_NAME(mpi_comm_split_type, MPI_COMM_SPLIT_TYPE, MPI_Fint* c, MPI_Fint* t, MPI_Fint* key,
                     MPI_Fint* info, MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_comm_split_type_", made, ierror, c, t, key, info, made);
}

ECHELON_FORTRAN_NAME(mpi_cart_create, MPI_CART_CREATE, MPI_Fint* c, MPI_Fint* dimensions, MPI_Fint* sizes,
                     MPI_Fint* periods, MPI_Fint* reorder, MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_cart_create_", made, ierror, c, dimensions, sizes, periods, reorder, made);
}

ECHELON_FORTRAN_NAME(mpi_cart_sub, MPI_CART_SUB, MPI_Fint* c, MPI_Fint* remain, MPI_Fint* made,
                     MPI_Fint* ierror) {
    makes("pmpi_cart_sub_", made, ierror, c, remain, made);
}

ECHELON_FORTRAN_NAME(mpi_graph_create, MPI_GRAPH_CREATE, MPI_Fint* c, MPI_Fint* nodes, MPI_Fint* index,
                     MPI_Fint* edges, MPI_Fint* reorder, MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_graph_create_", made, ierror, c, nodes, index, edges, reorder, made);
}

ECHELON_FORTRAN_NAME(mpi_dist_graph_create, MPI_DIST_GRAPH_CREATE, MPI_Fint* c, MPI_Fint* n,
                     MPI_Fint* sources, MPI_Fint* degrees, MPI_Fint* destinations, MPI_Fint* weights,
                     MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_dist_graph_create_", made, ierror, c, n, sources, degrees, destinations, weights, info,
          reorder, made);
}

ECHELON_FORTRAN_NAME(mpi_dist_graph_create_adjacent, MPI_DIST_GRAPH_CREATE_ADJACENT, MPI_Fint* c,
                     MPI_Fint* in_degree, MPI_Fint* sources, MPI_Fint* source_weights, MPI_Fint* out_degree,
                     MPI_Fint* destinations, MPI_Fint* destination_weights, MPI_Fint* info, MPI_Fint* reorder,
                     MPI_Fint* made, MPI_Fint* ierror) {
    makes("pmpi_dist_graph_create_adjacent_", made, ierror, c, in_degree, sources, source_weights, out_degree,
          destinations, destination_weights, info, reorder, made);
}

ECHELON_FORTRAN_NAME(mpi_intercomm_merge, MPI_INTERCOMM_MERGE, MPI_Fint* c, MPI_Fint* high, MPI_Fint* made,
                     MPI_Fint* ierror) {
    makes("pmpi_intercomm_merge_", made, ierror, c, high, made);
}
#endif
