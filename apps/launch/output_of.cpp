// SPDX-License-Identifier: Apache-2.0
#include "apps/launch/output_of.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <string_view>

namespace echelon::launch {

std::optional<std::string> output_of(const std::vector<std::string>& command) {
    std::vector<char*> arguments, environment;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (!std::string_view(*entry).starts_with("LD_PRELOAD=")) environment.push_back(*entry);
    environment.push_back(nullptr);

    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("no pipe can be made");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const bool started =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data()) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);

    std::string text;
    std::array<char, 4096> part;
    ssize_t length = 0;
    while (started &&
           ((length = read(ends[0], part.data(), part.size())) > 0 || (length < 0 && errno == EINTR)))
        if (length > 0) text.append(part.data(), std::size_t(length));
    close(ends[0]);
    if (!started) return std::nullopt;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
    return text;
}

}  // namespace echelon::launch
