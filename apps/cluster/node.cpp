// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/node.hpp"

#include "apps/cluster/descriptor.hpp"
#include "apps/cluster/system.hpp"

#include <linux/sched.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <array>
#include <csignal>
#include <filesystem>

namespace echelon::cluster {
namespace {

/// UCX, and thus MPI, takes two processes for neighbours on one machine if they share any of these
/// namespaces.
constexpr int own = CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWUTS;

Descriptor opened(pid_t process) {
    return Descriptor(must(int(syscall(SYS_pidfd_open, process, 0)), "process " + std::to_string(process)));
}

void mount_own(const char* kind, const char* folder) {
    must(mount(kind, folder, kind, 0, nullptr), std::string("a ") + kind + " of its own on " + folder);
}

void furnish(const std::string& name, const std::string& hosts) {
    must(sethostname(name.c_str(), name.size()), "the name of a node");
    // Later mounts of the machine appear here too, but mounts made here stay here.
    must(mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr), "mounts of its own");
    mount_own("proc", "/proc");
    mount_own("sysfs", "/sys");
    mount_own("tmpfs", "/dev/shm");
    must(mount(hosts.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr), "/etc/hosts of its own");
}

/// Reaps orphans, like every first process must.
[[noreturn]] void reap() {
    while (true)
        if (waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) pause();
}

/// Waits for `child` and exits with its exit code.
[[noreturn]] void end_like(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

ino_t processes_seen() {
    struct stat about {};
    must(stat("/proc/self/ns/pid", &about), "/proc/self/ns/pid");
    return about.st_ino;
}

}  // namespace

pid_t start_node(const std::string& name, const std::string& hosts) {
    std::array<int, 2> ends{};
    must(pipe2(ends.data(), O_CLOEXEC), "a pipe");
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    clone_args how{};
    how.flags = own;
    how.exit_signal = SIGCHLD;
    const auto child = pid_t(must(syscall(SYS_clone3, &how, sizeof how), "namespaces for a node"));
    if (child == 0) {
        try {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            signal(SIGCHLD, [](int) {});  // for pause
            furnish(name, hosts);
            must(write(writing.get(), "", 1), "a pipe");
            close_range(3, ~0U, 0);
            reap();
        } catch (const std::exception& error) {
            const std::string why = error.what();
            if (write(writing.get(), why.data(), why.size()) < 0) _exit(1);
        }
        _exit(1);
    }
    writing = Descriptor();
    std::array<char, 256> answer{};
    const ssize_t length = read(reading.get(), answer.data(), answer.size() - 1);
    if (length != 1 || answer[0] != '\0')
        throw std::runtime_error(name + " does not start: " + (length > 0 ? answer.data() : "it ended"));
    return child;
}

void join_network_of(pid_t process) {
    must(setns(opened(process).get(), CLONE_NEWNET), "the network of process " + std::to_string(process));
}

void in_network_of(pid_t process, const std::function<void()>& work) {
    const Descriptor here(must(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "the own network"));
    join_network_of(process);
    work();
    must(setns(here.get(), CLONE_NEWNET), "the own network");
}

void enter_node(pid_t first) {
    const std::filesystem::path folder = std::filesystem::current_path();
    must(setns(opened(first).get(), own), "a node");
    std::error_code ignored;
    std::filesystem::current_path(folder, ignored);
    // A process enters the other pid namespace only through its children.
    const pid_t child = must(fork(), "a process in a node");
    if (child != 0) end_like(child);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void clear_node(pid_t first) {
    const ino_t outside = processes_seen();
    const pid_t sweeper = must(fork(), "a process");
    if (sweeper == 0) {
        if (setns(opened(first).get(), CLONE_NEWPID) != 0) _exit(1);
        const pid_t inside = fork();
        if (inside > 0) end_like(inside);
        // kill(-1) reaches all processes that this one sees; none of the machine's may be among them.
        if (inside == 0 && processes_seen() != outside) kill(-1, SIGKILL);
        _exit(0);
    }
    while (waitpid(sweeper, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace echelon::cluster
