// SPDX-License-Identifier: Apache-2.0
#include "pmpi/fortran.hpp"

#include <dlfcn.h>
#include <array>

namespace echelon::fortran {
namespace {

/// The address of a common block: in the program, or in the Fortran library if it was loaded later with local
/// names.
const void* common_block(const char* name) {
    if (const void* const found = dlsym(RTLD_DEFAULT, name)) return found;
    if (void* const library = dlopen("libmpi_mpifh.so.40", RTLD_LAZY | RTLD_NOLOAD))
        return dlsym(library, name);
    return nullptr;
}

/// A variable under all the names that Fortran compilers give it.
class Variable {
public:
    Variable(const char* lower, const char* lower_, const char* lower__, const char* upper)
        : addresses_{common_block(lower_), common_block(lower), common_block(lower__), common_block(upper)} {}

    bool is(const void* address) const {
        for (const void* const known : addresses_)
            if (known != nullptr && address == known) return true;
        return false;
    }

private:
    std::array<const void*, 4> addresses_;
};

}  // namespace

void* buffer(void* address) {
    // The look-up waits for the first call from Fortran: then its MPI library is loaded.
    static const Variable in_place("mpi_fortran_in_place", "mpi_fortran_in_place_", "mpi_fortran_in_place__",
                                   "MPI_FORTRAN_IN_PLACE");
    static const Variable bottom("mpi_fortran_bottom", "mpi_fortran_bottom_", "mpi_fortran_bottom__",
                                 "MPI_FORTRAN_BOTTOM");
    if (in_place.is(address)) return MPI_IN_PLACE;
    if (bottom.is(address)) return MPI_BOTTOM;
    return address;
}

}  // namespace echelon::fortran
