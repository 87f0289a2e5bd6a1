// SPDX-License-Identifier: Apache-2.0
#include "apps/launch/rank_commands.hpp"

#include "core/error.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <array>

namespace echelon::launch {
namespace {

/// Number of words that follow an option of mpiexec (MPICH's and Open MPI's) or srun. It must be known if
/// these words may look like a program: `--map-by node`, `-launcher ssh`. For other options it need not: a
/// number or a list of hosts is no file to run.
std::size_t words_behind(const std::string& option) {
    static const std::string two = " mca gmca env genv ";
    static const std::string one =
        " n np c N H host hosts hostfile machinefile f x map-by rank-by bind-to membind wdir wd launcher launcher-exec rmk "
        "bootstrap bootstrap-exec path prefix iface envlist genvlist ppn perhost tune am rankfile rf cpu-set cpu-list "
        "npernode npersocket output-filename outfile-pattern errfile-pattern prepend-pattern timeout stdin personality "
        "report-uri p t A J w o e i D C q m ntasks nodes partition time account mpi distribution chdir export ntasks-per-node "
        "cpus-per-task job-name nodelist exclude constraint qos ";
    const std::string name = ' ' + option.substr(option.find_first_not_of('-')) + ' ';
    if (two.find(name) != std::string::npos) return 2;
    return one.find(name) != std::string::npos ? 1 : 0;
}

std::string quoted(const Words& words) { return '\'' + joined(words, " ") + '\''; }

}  // namespace

bool is_launcher(const std::string& word, const Words& others) {
    const std::string file = word.substr(word.rfind('/') + 1), name = file.substr(0, file.find('.'));
    constexpr std::array names{"mpiexec", "mpirun", "orterun", "prterun", "prun",  "mpirun_rsh", "srun",
                               "aprun",   "jsrun",  "palsrun", "flux",    "ibrun", "ccc_mprun"};
    return std::ranges::find(names, name) != names.end() || std::ranges::find(others, name) != others.end();
}

RankCommands RankCommands::parse(Words words, const std::string& program, const Words& launchers,
                                 const std::function<bool(const std::string&)>& is_file_to_run) {
    RankCommands made{.words = std::move(words), .launched = false, .commands = {}};
    if (made.words.empty()) throw Error("give a command to run, such as echelon run mpiexec -n 4 ./app");
    made.launched = is_launcher(made.words[0], launchers);
    const std::size_t count = made.words.size();
    if (!made.launched && program.empty()) {
        made.commands.push_back({0, count});
        return made;
    }
    const bool parts = made.launched;  // a colon by itself separates commands
    const auto begins = [&](const std::string& word) {
        return program.empty() ? is_file_to_run(word) : word == program;
    };
    std::size_t i = made.launched ? 1 : 0;
    while (i < count) {
        const auto end = parts ? std::find(made.words.begin() + std::ptrdiff_t(i), made.words.end(), ":")
                               : made.words.end();
        const auto limit = std::size_t(end - made.words.begin());
        std::string meant;  // a word that looks like a path
        while (i < limit && !begins(made.words[i])) {
            const std::string& word = made.words[i++];
            const bool option = program.empty() && word.size() > 1 && word[0] == '-' &&
                                word.find_first_not_of('-') != std::string::npos;
            if (option && word.find('=') == std::string::npos) i += words_behind(word);
            if (!option && meant.empty() && word.find('/') != std::string::npos) meant = word;
        }
        if (i >= limit)
            throw Error("no program is found in " + quoted(made.words) +
                        (!program.empty()
                             ? ": no word is " + program
                             : (!meant.empty() ? ": " + meant + " is not there, or cannot be started" : "") +
                                   "; name it by --program"));
        made.commands.push_back({i, limit});
        i = limit + 1;
    }
    if (made.commands.empty()) throw Error("no program is found in " + quoted(made.words));
    return made;
}

Words RankCommands::with(const Words& front) const {
    Words made;
    std::size_t next = 0;
    for (const Range& command : commands) {
        made.insert(made.end(), words.begin() + std::ptrdiff_t(next),
                    words.begin() + std::ptrdiff_t(command.begin));
        made.insert(made.end(), front.begin(), front.end());
        next = command.begin;
    }
    made.insert(made.end(), words.begin() + std::ptrdiff_t(next), words.end());
    return made;
}

}  // namespace echelon::launch
