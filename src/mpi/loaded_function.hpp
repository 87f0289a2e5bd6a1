// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

namespace echelon {

/// A function of a shared library that may be loaded for the MPI library alone, out of the program's sight;
/// null if it is not loaded. `library`: its soname. Local; any thread.
template <class Function>
Function* loaded_function(const char* name, const char* library, void* where = RTLD_DEFAULT) {
    void* found = dlsym(where, name);
    if (found == nullptr)
        if (void* const handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD)) found = dlsym(handle, name);
    return reinterpret_cast<Function*>(found);
}

}  // namespace echelon
