// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace echelon {

/// Sentence of the error that `call` throws; empty if it throws none.
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
