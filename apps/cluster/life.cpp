// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/life.hpp"

#include "apps/cluster/node.hpp"
#include "apps/cluster/system.hpp"
#include "core/error.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace echelon::cluster {
namespace {

std::string address(int net, int host) {
    return "10.7" + std::to_string(7 + net) + ".0." + std::to_string(host + 1);
}

void configure(const std::string& lines) {
    FILE* const ip = popen("ip -batch -", "w");
    if (ip == nullptr) refused("ip");
    std::fputs(lines.c_str(), ip);
    if (pclose(ip) != 0) throw std::runtime_error("ip -batch could not set up a node's network");
}

void write_setting(const std::string& file, const std::string& value) {
    std::ofstream out("/proc/sys/net/" + file);
    out << value;
}

/// Options of a route. A long-lived connection must not slow down between two calls, nor reuse the rate of
/// the machine's own network. CUBIC, if the kernel has it, has a first window that does not hide the latency
/// behind acknowledgements.
std::string connection_habits() {
    std::ifstream in("/proc/sys/net/ipv4/tcp_available_congestion_control");
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    return all.find("cubic") != std::string::npos ? " congctl cubic" : "";
}

/// Commands for one card of a node and its neighbour entries, which make address resolution unnecessary.
std::string card(const std::string& name, int net, int self, int hosts) {
    std::string lines = "link set " + name + " address " + mac_address(net, self) + "\nlink set " + name +
                        " up\naddr add " + address(net, self) + "/24 dev " + name + '\n';
    for (int host = 0; host < hosts; ++host)
        if (host != self)
            lines += "neigh add " + address(net, host) + " lladdr " + mac_address(net, host) + " dev " +
                     name + " nud permanent\n";
    return lines;
}

/// Connects the node; runs in the network of the node.
void connect(Cables& cables, const Shape& shape, int node) {
    write_setting("ipv6/conf/all/disable_ipv6", "1");
    write_setting("ipv4/tcp_slow_start_after_idle", "0");
    write_setting("ipv4/tcp_no_metrics_save", "1");
    std::string lines = "link set lo up\n";
    if (node < shape.nodes) {
        cables.shaped.emplace_back("eth0", shape.rate);
        lines += card("eth0", 0, node, shape.nodes) + "route replace 10.77.0.0/24 dev eth0 src " +
                 address(0, node) + connection_habits() + " initcwnd 64 initrwnd 256 quickack 1\n";
    }
    cables.control.emplace_back("c0", 0);
    configure(lines + card("c0", 1, node, shape.nodes + 1));
}

std::string node_name(int node) { return 'n' + std::to_string(node); }

void write_hosts(const std::string& file, int nodes) {
    std::ofstream out(file);
    out << "127.0.0.1 localhost\n";
    for (int node = 0; node <= nodes; ++node)
        out << address(1, node) << ' ' << (node < nodes ? node_name(node) : "launcher") << '\n';
}

void become_punctual() {
    const sched_param priority{.sched_priority = 50};
    must(sched_setscheduler(0, SCHED_FIFO, &priority), "the real-time class");
    must(mlockall(MCL_CURRENT | MCL_FUTURE), "memory that stays");
}

/// The main process of the cluster. `answer` receives one byte when the cluster is ready, else the reason for
/// failure.
[[noreturn]] void live(Registry& registry, const std::string& name, const Shape& shape, int answer) {
    if (!registry.claim()) _exit(1);  // another process is making it
    int code = 1;
    std::vector<pid_t> nodes;
    try {
        sigset_t end;
        sigemptyset(&end);
        sigaddset(&end, SIGTERM);
        sigprocmask(SIG_BLOCK, &end, nullptr);
        must(unshare(CLONE_NEWNET), "a network of its own");
        write_hosts(registry.file("hosts"), shape.nodes);
        for (int node = 0; node < shape.nodes; ++node)
            nodes.push_back(start_node(node_name(node), registry.file("hosts")));
        Cables cables;
        for (int node = 0; node < shape.nodes; ++node)
            in_network_of(nodes[std::size_t(node)], [&] { connect(cables, shape, node); });
        connect(cables, shape, shape.nodes);
        Punctuality* const punctuality = registry.punctuality(true);
        become_punctual();
        sigaddset(&end, SIGCHLD);
        sigprocmask(SIG_BLOCK, &end, nullptr);
        registry.publish({.name = name, .shape = shape, .wire = getpid(), .nodes = nodes});
        must(write(answer, "", 1), "an answer");
        close(answer);
        answer = -1;
        code = move_frames(cables, shape, *punctuality) ? 0 : 1;
        if (code != 0) std::ofstream(registry.file("error")) << "a node ended by itself\n";
    } catch (const std::exception& error) {
        const std::string why = error.what();
        if (answer >= 0 && write(answer, why.data(), why.size()) < 0) code = 1;
        if (answer < 0) std::ofstream(registry.file("error")) << why << '\n';
    }
    // They end with this process too, but a moment later.
    for (const pid_t node : nodes) kill(node, SIGKILL);
    for (const pid_t node : nodes) waitpid(node, nullptr, 0);
    // The error file of a cluster that was up stays until the next start.
    if (code == 0 || answer >= 0) registry.remove();
    _exit(code);
}

}  // namespace

std::string obstacle() {
    if (geteuid() != 0)
        return "it needs root: for namespaces, network cards, and a process in the real-time class; try sudo";
    if (const Descriptor tun(open("/dev/net/tun", O_RDWR | O_CLOEXEC)); !tun)
        return "/dev/net/tun cannot be opened (" + std::generic_category().message(errno) +
               "): the kernel has no TAP devices, or a container does not hand them on";
    const pid_t child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWUTS) == 0 ? 0
                                                                                                    : errno);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return "no namespaces can be made here (" + std::generic_category().message(WEXITSTATUS(status)) +
               "): a container needs to be privileged for that";
    if (std::system("ip -V >/dev/null 2>&1") != 0) return "the program ip is not here; install iproute2";
    return "";
}

bool bring_up(Registry& registry, const std::string& name, const Shape& shape) {
    if (const auto there = registry.find()) {
        if (there->shape == shape) return false;
        throw Error("cluster " + name + " is up with " + to_string(there->shape) +
                    "; echelon cluster down --name " + name + " first, or give another name");
    }
    std::array<int, 2> ends{};
    must(pipe2(ends.data(), O_CLOEXEC), "a pipe");
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    std::fflush(nullptr);
    const pid_t first = must(fork(), "a process");
    if (first == 0) {
        // A session of its own, without a parent: it outlives the shell that asked for it.
        setsid();
        if (fork() != 0) _exit(0);
        const int nothing = open("/dev/null", O_RDWR);
        for (const int standard : {0, 1, 2}) dup2(nothing, standard);
        if (chdir("/") != 0) _exit(1);
        live(registry, name, shape, writing.get());
    }
    writing = Descriptor();
    waitpid(first, nullptr, 0);
    std::array<char, 512> answer{};
    const ssize_t length = read(reading.get(), answer.data(), answer.size() - 1);
    if (length != 1 || answer[0] != '\0')
        throw std::runtime_error("cluster " + name +
                                 " does not start: " + (length > 0 ? answer.data() : "its process ended"));
    return true;
}

bool take_down(Registry& registry) {
    const auto there = registry.find();
    if (!there) {
        registry.remove();
        return false;
    }
    const Descriptor process(int(syscall(SYS_pidfd_open, there->wire, 0)));
    for (const int signal : {SIGTERM, SIGKILL}) {
        if (!process) break;
        syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
        pollfd ended{.fd = process.get(), .events = POLLIN, .revents = 0};
        if (poll(&ended, 1, 5000) > 0) break;
    }
    registry.remove();
    return true;
}

}  // namespace echelon::cluster
