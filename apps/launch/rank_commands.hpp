// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace echelon::launch {

using Words = std::vector<std::string>;

/// A command line that starts ranks, taken apart: `mpiexec -n 1 ./a x : -n 3 ./b` has the commands `./a x`
/// and `./b`.
struct RankCommands {
    /// One command, words [begin, end).
    struct Range {
        std::size_t begin, end;
    };
    Words words;
    /// The first word is a launcher; else the command is one rank by itself.
    bool launched = false;
    std::vector<Range> commands;

    /// `program`: the word that the ranks' command begins with; empty: the first file to run behind the
    /// launcher's options. `launchers`: names of further launchers. Error: there is none.
    static RankCommands parse(Words words, const std::string& program, const Words& launchers,
                              const std::function<bool(const std::string& word)>& is_file_to_run);

    /// A copy with these words in front of every rank's command.
    Words with(const Words& front) const;
};

/// True for mpiexec and its relatives, and for `others`, by the name of the file.
bool is_launcher(const std::string& word, const Words& others = {});

}  // namespace echelon::launch
