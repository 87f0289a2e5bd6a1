// SPDX-License-Identifier: Apache-2.0
#include "api/errors.hpp"

#include <array>
#include <map>
#include <mutex>

namespace echelon {

namespace {

/// Whether MPI_Error_string gives the text back: some libraries lose it for codes of predefined classes.
[[maybe_unused]] bool tells(int code, const std::string& text) {
    std::array<char, MPI_MAX_ERROR_STRING> told{};
    int length = 0;
    return PMPI_Error_string(code, told.data(), &length) == MPI_SUCCESS && text == told.data();
}

std::string& last_sentence() {
    thread_local std::string sentence;
    return sentence;
}

}  // namespace

int code_for(int error_class, const std::string& sentence) {
    // MPI libraries have room for some hundred codes of users; after these a class alone must do.
    [[maybe_unused]] constexpr std::size_t most_codes = 64;
    static std::mutex mutex;
    static auto& codes = *new std::map<std::string, int>;  // destructors of statics may still call MPI
    last_sentence() = sentence;
    const std::scoped_lock lock(mutex);
    const std::string text = sentence.substr(0, MPI_MAX_ERROR_STRING - 1);
    if (const auto known = codes.find(text); known != codes.end()) return known->second;
    int code = error_class;
#ifndef ECHELON_SMPI
    if (codes.size() >= most_codes || PMPI_Add_error_code(error_class, &code) != MPI_SUCCESS)
        return error_class;
    if (PMPI_Add_error_string(code, text.c_str()) != MPI_SUCCESS || !tells(code, text)) code = error_class;
    codes.emplace(text, code);
#endif
    return code;
}

const char* last_error_text() { return last_sentence().c_str(); }

int report(MPI_Comm comm, int code) {
#ifdef ECHELON_SMPI
    // SMPI crashes where the handler is a predefined one.
    (void)comm;
#else
    PMPI_Comm_call_errhandler(comm, code);
#endif
    return code;
}

}  // namespace echelon
