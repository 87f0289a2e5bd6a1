// SPDX-License-Identifier: Apache-2.0
// plot and report: pictures are drawn in Python (apps/figures), with matplotlib.
#include "apps/echelon/subcommand.hpp"

#include "core/error.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace echelon::tool {
namespace {

namespace fs = std::filesystem;

/// Becomes the Python program, which gets this one's path to ask it things.
[[noreturn]] void become_python(const char* subcommand, const std::vector<std::string>& arguments) {
    const fs::path own = fs::read_symlink("/proc/self/exe");
    const fs::path program = own.parent_path().parent_path() / "share" / "echelon" / "figures" / "figures.py";
    if (!fs::exists(program)) throw Error("what draws pictures is not there: " + program.string());
    std::vector<std::string> words{"python3", program, subcommand, own};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> command;
    for (std::string& word : words) command.push_back(word.data());
    command.push_back(nullptr);
    execvp(command[0], command.data());
    throw Error(std::string("python3 cannot be started: ") + std::strerror(errno));
}

}  // namespace

int plot(const std::vector<std::string>& arguments) { become_python("plot", arguments); }

int report(const std::vector<std::string>& arguments) { become_python("report", arguments); }

}  // namespace echelon::tool
