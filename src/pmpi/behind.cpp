// SPDX-License-Identifier: Apache-2.0
// Finds the functions behind the drop-in library: of the MPI library, or of a profiling tool before it.
#include "mpi/next.hpp"

#include <dlfcn.h>

namespace echelon {
namespace {

template <class Function>
void look_behind(Function*& call, const char* name) {
    if (void* const found = dlsym(RTLD_NEXT, name)) call = reinterpret_cast<Function*>(found);
}

/// True if the program's calls of this name come to this library.
bool comes_here(const char* name) {
    Dl_info first, own;
    const void* const found = dlsym(RTLD_DEFAULT, name);
    return found != nullptr && dladdr(found, &first) != 0 && dladdr(&next, &own) != 0 &&
           first.dli_fbase == own.dli_fbase;
}

[[gnu::constructor]] void look_behind() {
    next.in_front = true;
    next.sees_starts = comes_here("MPI_Start");
#define ECHELON_LOOK(call) look_behind(next.call, "MPI_" #call);
    ECHELON_CARRYING_CALLS(ECHELON_LOOK)
    ECHELON_MAKING_CALLS(ECHELON_LOOK)
    ECHELON_OTHER_MAKING_CALLS(ECHELON_LOOK)
    ECHELON_LATE_MAKING_CALLS(ECHELON_LOOK)
#define ECHELON_LOOK_COUNTED(Name, name, ...) ECHELON_LOOK(Name) ECHELON_LOOK(I##name)
#define ECHELON_LOOK_LARGE(Name, name, ...) \
    ECHELON_LOOK(Name##_c) ECHELON_LOOK(I##name##_c) ECHELON_LOOK(Name##_init_c)
#define ECHELON_TEXT(name) #name
#define ECHELON_NAME(name) ECHELON_TEXT(name)
#define ECHELON_LOOK_PERSISTENT(Name, ...) \
    look_behind(next.Name##_init, ECHELON_NAME(ECHELON_PERSISTENT(MPI, Name)));
    ECHELON_COUNTED_CALLS(ECHELON_LOOK_COUNTED)
    ECHELON_BLOCK_CALLS(ECHELON_LOOK_COUNTED)
    ECHELON_LARGE_COUNTED_CALLS(ECHELON_LOOK_LARGE)
    ECHELON_PERSISTENT_CALLS(ECHELON_LOOK_PERSISTENT)
#undef ECHELON_LOOK_PERSISTENT
#undef ECHELON_NAME
#undef ECHELON_TEXT
#undef ECHELON_LOOK_LARGE
#undef ECHELON_LOOK_COUNTED
#undef ECHELON_LOOK
}

}  // namespace
}  // namespace echelon
