// SPDX-License-Identifier: Apache-2.0
#include "front/errors.hpp"

#include "core/say.hpp"
#include "mpi/quirks.hpp"

#include <array>
#include <map>
#include <mutex>
#include <set>

namespace echelon {

namespace {

/// MPI libraries have room for some hundred codes of users, and a terminal for few lines.
constexpr std::size_t most_sentences = 64;

/// True if MPI_Error_string returns the text: some libraries lose it for codes of predefined classes.
[[maybe_unused]] bool returns_text(int code, const std::string& text) {
    std::array<char, MPI_MAX_ERROR_STRING> returned{};
    int length = 0;
    return PMPI_Error_string(code, returned.data(), &length) == MPI_SUCCESS && text == returned.data();
}

std::string& last_sentence() {
    thread_local std::string sentence;
    return sentence;
}

bool name_error(int code, std::string text) {  // SMPI takes no constant text
    return PMPI_Add_error_string(code, text.data()) == MPI_SUCCESS;
}

/// A class of its own: MPI's classes mean wrong arguments, and MPICH 4.0 prints its own text for them.
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
    // After these a class alone must do.
    if (error_class == class_of_refused) error_class = class_of_refusals();
    static std::mutex mutex;
    static auto& codes = *new std::map<std::string, int>;  // destructors of statics may still call MPI
    last_sentence() = sentence;
    const std::scoped_lock lock(mutex);
    const std::string text = sentence.substr(0, MPI_MAX_ERROR_STRING - 1);
    if (const auto known = codes.find(text); known != codes.end()) return known->second;
    int code = error_class;
    if constexpr (quirks::simulated) return code;
    if (codes.size() >= most_sentences || PMPI_Add_error_code(error_class, &code) != MPI_SUCCESS)
        return error_class;
    if (!name_error(code, text) || !returns_text(code, text)) code = error_class;
    codes.emplace(text, code);
    return code;
}

int returned(const std::string& sentence) {
    last_sentence() = sentence;
    return MPI_ERR_ARG;
}

const char* last_error_text() { return last_sentence().c_str(); }

void tell_once(const std::string& sentence) {
    static std::mutex mutex;
    static auto& told = *new std::set<std::string>;
    const std::scoped_lock lock(mutex);
    if (told.size() < most_sentences && told.insert(sentence).second) say(sentence);
}

int report(MPI_Comm comm, int code) {
    // SMPI crashes if the handler is a predefined one.
    if constexpr (!quirks::simulated) PMPI_Comm_call_errhandler(comm, code);
    return code;
}

}  // namespace echelon
