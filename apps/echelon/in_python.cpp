// SPDX-License-Identifier: Apache-2.0
// Subcommands that are Python programs, in folders of apps: plot and report draw with matplotlib, compare
// starts simulations.
#include "apps/echelon/subcommand.hpp"

#include "core/error.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace echelon::tool {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Becomes `<folder>/<folder>.py` with `words`, this program's path (for queries) and the arguments.
[[noreturn]] void become_python(const std::string& folder, Words words, const Words& arguments) {
    const fs::path own = fs::read_symlink("/proc/self/exe");
    const fs::path program =
        own.parent_path().parent_path() / "share" / "echelon" / folder / (folder + ".py");
    if (!fs::exists(program))
        throw Error("a part of this program is not there: " + program.string() +
                    "; build or install Echelon whole");
    words.insert(words.begin(), {"python3", program});
    words.push_back(own);
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> command;
    for (std::string& word : words) command.push_back(word.data());
    command.push_back(nullptr);
    execvp(command[0], command.data());
    throw Error(std::string("python3 cannot be started: ") + std::strerror(errno));
}

}  // namespace

int compare(const Words& arguments) { become_python("compare", {}, arguments); }

int plot(const Words& arguments) { become_python("figures", {"plot"}, arguments); }

int report(const Words& arguments) { become_python("figures", {"report"}, arguments); }

}  // namespace echelon::tool
