// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echelon::launch {

/// Facts about a program or library, read without running it.
struct ElfFile {
    /// The dynamic loader that the program asks for. Empty: a library, or a program that is linked
    /// statically.
    std::string interpreter;
    /// The name of a library in other files; empty if it has none.
    std::string soname;
    /// Names of the libraries that it needs directly.
    std::vector<std::string> needed;
    /// It is linked dynamically: another library can be loaded with it.
    bool dynamic = false;
    /// Functions and variables that it defines, if it is not stripped of them.
    std::vector<std::string> symbols;

    bool defines(std::string_view symbol) const;

    /// No value: this is no ELF file. Error: it cannot be read, is cut off, or is for another kind of
    /// machine.
    static std::optional<ElfFile> read(const std::string& path);
};

}  // namespace echelon::launch
