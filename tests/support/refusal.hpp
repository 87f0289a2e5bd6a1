// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace echelon {

/// The sentence of the error with which `call` ends; empty: nothing was wrong.
template <class Call>
std::string refusal(const Call& call) {
    try {
        (void)call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

}  // namespace echelon
