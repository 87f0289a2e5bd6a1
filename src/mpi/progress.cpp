// SPDX-License-Identifier: Apache-2.0
#include "mpi/progress.hpp"

#include "mpi/loaded_function.hpp"

namespace echelon {
namespace {

#if ECHELON_PROGRESS_BY_OPAL
using Callback = int();

template <class Function>
Function* of_opal(const char* name) {
    return loaded_function<Function>(name, "libopen-pal.so.40");
}

int polled_by_opal() {
    Progress::polled();
    return 0;
}
#endif

}  // namespace

bool Progress::join(Advance advance) {
#if ECHELON_PROGRESS_BY_OPAL
    auto* const enter = of_opal<int(Callback*)>("opal_progress_register");
    if (advance_ == nullptr && (enter == nullptr || enter(polled_by_opal) != 0)) return false;
#else
    if (!seen_) return false;
#endif
    advance_ = advance;
    return true;
}

void Progress::leave() {
#if ECHELON_PROGRESS_BY_OPAL
    if (auto* const end = of_opal<int(Callback*)>("opal_progress_unregister");
        advance_ != nullptr && end != nullptr)
        end(polled_by_opal);
#endif
    advance_ = nullptr;
    is_expected_ = false;
}

}  // namespace echelon
