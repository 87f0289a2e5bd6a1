// SPDX-License-Identifier: Apache-2.0
#include "mpi/launcher_word.hpp"

#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <string>

namespace echelon {
namespace {

LauncherWord::Read how = nullptr;
bool is_missed = false;

/// The PMI-1 protocol: lines `cmd=... key=value ...` to the launcher's proxy on this node, each answered by
/// one line. MPI uses the same file, but only in MPI_Init.
class Pmi {
public:
    /// Requires: is_there().
    Pmi() : file_(std::atoi(std::getenv("PMI_FD"))) {}
    static bool is_there() {
        // Slurm sets PMI_FD too, but not MPI_LOCALNRANKS; it accepts no second `init`.
        return std::getenv("PMI_FD") != nullptr && std::getenv("MPI_LOCALNRANKS") != nullptr;
    }

    std::string ask(std::string line) const {
        line += '\n';
        for (std::size_t sent = 0; sent < line.size();) {
            const ssize_t more = ::write(file_, line.data() + sent, line.size() - sent);
            if (more < 0 && errno != EINTR) return {};
            sent += more > 0 ? std::size_t(more) : 0;
        }
        std::string answer;
        for (char next = 0; next != '\n';) {
            const ssize_t more = ::read(file_, &next, 1);
            if (more == 0 || (more < 0 && errno != EINTR)) return {};
            if (more > 0) answer += next;
        }
        return answer;
    }
    /// The arguments "kvsname=NAME key=echelon-RANK" of the commands about a rank's word.
    std::string word_of(int rank) const {
        const std::string name = "kvsname=", answer = ask("cmd=get_my_kvsname");
        const std::size_t begin = answer.find(' ' + name);
        if (begin == std::string::npos) return {};
        const std::size_t end = answer.find_first_of(" \n", begin + 1);
        return answer.substr(begin + 1, end - begin - 1) + " key=" + LauncherWord::key + '-' +
               std::to_string(rank);
    }

private:
    int file_;
};

bool read_by_pmi(int rank) {
    const Pmi pmi;
    return pmi.ask("cmd=get " + pmi.word_of(rank)).find(std::string(" value=") + LauncherWord::value) !=
           std::string::npos;
}

}  // namespace

void LauncherWord::leave() {
    const char* const rank = std::getenv("PMI_RANK");
    if (rank == nullptr || !Pmi::is_there()) return;
    const Pmi pmi;
    // Hydra's proxy discards earlier puts at the first `init`.
    (void)pmi.ask("cmd=init pmi_version=1 pmi_subversion=1");
    (void)pmi.ask("cmd=put " + pmi.word_of(std::atoi(rank)) + " value=" + value);
    left(read_by_pmi);
}

void LauncherWord::left(Read read) { how = read; }

LauncherWord::Read LauncherWord::read() { return how; }

void LauncherWord::miss() { is_missed = true; }

bool LauncherWord::missed() { return is_missed; }

}  // namespace echelon
