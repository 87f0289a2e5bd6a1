// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/outside_model.hpp"

#include <dlfcn.h>
#include <cmath>
#include <mutex>
#include <shared_mutex>

namespace echelon {
namespace {

std::shared_mutex mutex;
OutsideModel model;

OutsideModel present() {
    const std::shared_lock lock(mutex);
    return model;
}

}  // namespace

void set_outside_model(OutsideModel given) {
    const std::unique_lock lock(mutex);
    model = given;
}

bool has_outside_model() { return present().function != nullptr; }

std::string load_outside_model(const std::string& file) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::string("ECHELON_ADVISOR is not used: ") + dlerror();
    const auto function = reinterpret_cast<OutsideModel::Function>(dlsym(library, "echelon_advise"));
    if (function == nullptr)
        return "ECHELON_ADVISOR is not used: " + file +
               " has no function echelon_advise (echelon_advisor in echelon.h)";
    set_outside_model({function});
    return {};
}

void ask_outside_model(Candidate& one, Collective collective, Bytes bytes, int ranks, int nodes) {
    const auto [function, context] = present();
    if (function == nullptr) return;
    const std::string called(name(collective)), recipe = to_string(one.recipe);
    const double seconds =
        function(called.c_str(), bytes, ranks, nodes, recipe.c_str(), one.expected, context);
    if (!std::isfinite(seconds) || seconds <= 0) return;
    one.expected = seconds;
    one.error = 0;
    one.basis = Basis::advised;
    one.is_final = one.is_known = true;
}

}  // namespace echelon
