// SPDX-License-Identifier: Apache-2.0
#include "front/errors.hpp"

#include "mpi/quirks.hpp"

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

bool name_error(int code, std::string text) {  // SMPI's takes no constant text
    return PMPI_Add_error_string(code, text.data()) == MPI_SUCCESS;
}

/// A class of our own: those of MPI speak of wrong arguments, and MPICH 4.0 would tell its own text of them
/// in place of ours.
int class_of_refusals() {
    if constexpr (quirks::simulated) return MPI_ERR_OP;
    static const int made = [] {
        int of_class = MPI_ERR_OTHER;
        const bool done =
            PMPI_Add_error_class(&of_class) == MPI_SUCCESS && name_error(of_class, "echelon: refused");
        return done ? of_class : int(MPI_ERR_OTHER);
    }();
    return made;
}

}  // namespace

int code_for(int error_class, const std::string& sentence) {
    // MPI libraries have room for some hundred codes of users; after these a class alone must do.
    [[maybe_unused]] constexpr std::size_t most_codes = 64;
    if (error_class == class_of_refused) error_class = class_of_refusals();
    static std::mutex mutex;
    static auto& codes = *new std::map<std::string, int>;  // destructors of statics may still call MPI
    last_sentence() = sentence;
    const std::scoped_lock lock(mutex);
    const std::string text = sentence.substr(0, MPI_MAX_ERROR_STRING - 1);
    if (const auto known = codes.find(text); known != codes.end()) return known->second;
    int code = error_class;
    if constexpr (quirks::simulated) return code;
    if (codes.size() >= most_codes || PMPI_Add_error_code(error_class, &code) != MPI_SUCCESS)
        return error_class;
    if (!name_error(code, text) || !tells(code, text)) code = error_class;
    codes.emplace(text, code);
    return code;
}

int returned(const std::string& sentence) {
    last_sentence() = sentence;
    return MPI_ERR_ARG;
}

const char* last_error_text() { return last_sentence().c_str(); }

int report(MPI_Comm comm, int code) {
    // SMPI crashes where the handler is a predefined one.
    if constexpr (!quirks::simulated) PMPI_Comm_call_errhandler(comm, code);
    return code;
}

}  // namespace echelon
