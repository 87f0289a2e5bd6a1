// SPDX-License-Identifier: Apache-2.0
#include "mpi/count.hpp"

#include "mpi/check.hpp"

#include <array>

namespace echelon {

void Counted::make_large() {
    MPI_Aint lower_bound = 0, extent = 0;
    check(PMPI_Type_get_extent(type_, &lower_bound, &extent), "MPI_Type_get_extent");
    MPI_Datatype chunk_type = MPI_DATATYPE_NULL, chunks = MPI_DATATYPE_NULL, rest = MPI_DATATYPE_NULL,
                 all = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(int(most_elements), type_, &chunk_type), "MPI_Type_contiguous");
    check(PMPI_Type_contiguous(int(count_ / most_elements), chunk_type, &chunks), "MPI_Type_contiguous");
    check(PMPI_Type_contiguous(int(count_ % most_elements), type_, &rest), "MPI_Type_contiguous");
    std::array<int, 2> lengths{1, 1};
    std::array<MPI_Aint, 2> displacements{0, MPI_Aint(count_ / most_elements * most_elements) * extent};
    std::array<MPI_Datatype, 2> types{chunks, rest};
    check(PMPI_Type_create_struct(2, lengths.data(), displacements.data(), types.data(), &all),
          "MPI_Type_create_struct");
    check(PMPI_Type_commit(&all), "MPI_Type_commit");
    for (MPI_Datatype* part : {&chunk_type, &chunks, &rest}) check(PMPI_Type_free(part), "MPI_Type_free");
    type_ = all;
    count_ = 1;
    made_ = true;
}

}  // namespace echelon
