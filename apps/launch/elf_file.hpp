// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echelon::launch {

/// What a program or library says of itself, read without running it.
struct ElfFile {
    /// The dynamic loader that the program asks for. Empty: a library, or a program that is linked
    /// statically.
    std::string interpreter;
    /// The name by which others ask for a library; empty: it has none.
    std::string soname;
    /// Names of the libraries that it asks for itself.
    std::vector<std::string> needed;
    /// Another library can be loaded with it.
    bool dynamic = false;
    /// All functions and variables that are defined in it, as far as the file still tells.
    std::vector<std::string> symbols;

    bool defines(std::string_view symbol) const;

    /// Nullopt: this is no ELF file. Error: it cannot be read, is cut off, or is for another kind of machine.
    static std::optional<ElfFile> read(const std::string& path);
};

}  // namespace echelon::launch
