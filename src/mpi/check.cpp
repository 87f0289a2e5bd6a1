// SPDX-License-Identifier: Apache-2.0
#include "mpi/check.hpp"

#include <string>

namespace echelon {
namespace {

std::string sentence(int code, const char* call) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (PMPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
    return std::string(call) + ": " + std::string(text, std::size_t(length));
}

}  // namespace

MpiError::MpiError(int error_code, const char* call) : Error(sentence(error_code, call)), code(error_code) {}

}  // namespace echelon
