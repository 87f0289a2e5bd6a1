// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/choice/candidate.hpp"

#include <string>

namespace echelon {

/// A model from outside of Echelon: echelon_advisor (echelon.h). Returns the seconds of a call, or 0 for no
/// opinion.
struct OutsideModel {
    using Function = double (*)(const char* collective, std::size_t bytes, int ranks, int nodes,
                                const char* recipe, double seconds, void* context);
    Function function = nullptr;
    void* context = nullptr;
};

/// Sets the model of this process; a null function: none. Decisions that were made stay. Safe to call from
/// several threads.
void set_outside_model(OutsideModel model);
bool has_outside_model();
/// Loads the shared library `file` and sets its function `echelon_advise`. Returns a sentence about the
/// failure; empty: it is set.
std::string load_outside_model(const std::string& file);

/// Replaces the expected time of a candidate by the model's, if it has an opinion. An expected time of 0
/// stands for an unknown one.
void ask_outside_model(Candidate& one, Collective collective, Bytes bytes, int ranks, int nodes);

}  // namespace echelon
