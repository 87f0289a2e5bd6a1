// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/subcommand.hpp"

#include "apps/cluster/job.hpp"
#include "apps/cluster/life.hpp"
#include "apps/cluster/node.hpp"
#include "apps/cluster/system.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/launch/drop_in_library.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/spelling.hpp"
#include "core/words.hpp"
#include "options/command_line.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using cluster::Cluster;
using cluster::Job;
using cluster::Registry;
using cluster::Shape;
using cluster::Words;

constexpr const char* usage =
    "usage: echelon cluster up NODES [options]         makes it; nothing is left of it after down, a kill, or a restart\n"
    "       echelon cluster run -n RANKS [options] [--] ./app ARGUMENTS...\n"
    "       echelon cluster status                     what is up, and how well the network keeps its times\n"
    "       echelon cluster down                       ends it with all that runs in it\n\n"
    "Nodes are namespaces of this machine, with a network of given latency and rate between them. Root is needed.\n";

po::options_description named() {
    po::options_description options("options");
    options.add_options()("help,h", "this text")  //
        ("name", po::value<std::string>()->default_value("default"),
         "which cluster; several may be up at once");
    return options;
}

Registry registry_of(const po::variables_map& given) { return Registry(given["name"].as<std::string>()); }

Cluster found(const Registry& registry, const po::variables_map& given) {
    if (auto there = registry.find()) return *there;
    const std::string name = given["name"].as<std::string>();
    std::string why;
    if (std::ifstream error(registry.file("error")); std::getline(error, why)) why = ": it ended, for " + why;
    throw Error("cluster " + name + " is not up" + why + "; see echelon cluster up --help");
}

Shape shape_of(const po::variables_map& given) {
    Shape shape{.nodes = given["nodes"].as<int>(),
                .latency = read_as(given, "latency", cluster::parse_latency),
                .rate = read_as(given, "rate", cluster::parse_rate),
                .racks = given["racks"].as<int>(),
                .trunk_latency = read_as(given, "trunk-latency", cluster::parse_latency),
                .trunk_rate = read_as(given, "trunk-rate", cluster::parse_rate)};
    if (shape.nodes < 1 || shape.nodes > 200)
        throw Error(fmt::format("{} nodes: expected 1 to 200", shape.nodes));
    if (shape.racks < 1 || shape.racks > shape.nodes)
        throw Error(
            fmt::format("--racks {}: expected 1 to {}, the number of nodes", shape.racks, shape.nodes));
    return shape;
}

int up(const Words& words) {
    po::options_description visible = named(), hidden;
    visible.add_options()("latency", po::value<std::string>()->default_value("5ms"),
                          "from node to node, one way")  //
        ("rate", po::value<std::string>()->default_value("20M"),
         "bits a second of a node's card; 0: no limit")                                  //
        ("racks", po::value<int>()->default_value(1), "consecutive nodes share a rack")  //
        ("trunk-latency", po::value<std::string>()->default_value("0"),
         "between racks, one way, in addition")  //
        ("trunk-rate", po::value<std::string>()->default_value("0"),
         "bits a second of a rack's trunk; 0: no limit")  //
        ("dry-run", "say what would be changed, and change nothing");
    hidden.add_options()("nodes", po::value<int>()->default_value(4));
    const po::variables_map given = read_options(
        words,
        "usage: echelon cluster up [options] NODES\n\nEvery message takes at least the latency; 2 ms or more hide "
        "how fast this machine is.\n",
        visible, hidden, po::positional_options_description().add("nodes", 1));
    Registry registry = registry_of(given);
    const Shape shape = shape_of(given);
    const std::string name = given["name"].as<std::string>(), obstacle = cluster::obstacle();
    if (given.count("dry-run") != 0) {
        std::cout << fmt::format(
            "cluster {}: {}\n"
            "makes    a process in the real-time class, which is the network; all else ends with it\n"
            "         {} processes, each the first of its network, pid, ipc, mount and uts namespaces\n"
            "         the network cards eth0 (shaped) and c0 (for the launcher) inside of these\n"
            "         {}/, removed by echelon cluster down\n"
            "changes  nothing else: no device, address, route or mount of this machine\n"
            "{}",
            name, to_string(shape), shape.nodes, registry.folder(),
            obstacle.empty() ? "" : "but here " + obstacle + '\n');
        return done;
    }
    if (!obstacle.empty()) throw std::runtime_error("cluster " + name + " cannot be made: " + obstacle);
    const bool made = bring_up(registry, name, shape);
    std::cout << "cluster " << name << (made ? " is up: " : " was up already: ") << to_string(shape) << '\n';
    return done;
}

int down(const Words& words) {
    const po::options_description visible = named();
    const po::variables_map given = read_options(
        words, "usage: echelon cluster down [options]\n\nEnds a cluster and all that runs in it.\n", visible);
    Registry registry = registry_of(given);
    const std::string name = given["name"].as<std::string>();
    std::cout << "cluster " << name << (take_down(registry) ? " is down\n" : " was not up\n");
    return done;
}

/// The kernel's counts of a card in the network of `process`.
std::string traffic(pid_t process, const std::string& card) {
    std::ifstream in("/proc/" + std::to_string(process) + "/net/dev");
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string word;
        std::uint64_t received = 0, sent = 0;
        if (!(words >> word >> received) || word != card + ':') continue;
        for (int column = 2; column <= 9; ++column) words >> sent;
        return fmt::format("{} bytes out, {} in", sent, received);
    }
    return "no card " + card;
}

/// Frames of the wire and the sum of their delays.
struct Lateness {
    std::uint64_t frames = 0, sum_ns = 0;
    explicit Lateness(const cluster::Punctuality& now) : frames(now.frames), sum_ns(now.late_ns) {}
};
std::string to_string(const Lateness& now, std::uint64_t frames_before, std::uint64_t sum_before) {
    const std::uint64_t frames = now.frames - frames_before;
    if (frames == 0) return "0 frames";
    return fmt::format("{} frames, late by {:.0f} us in the mean", frames,
                       double(now.sum_ns - sum_before) / double(frames) / 1e3);
}

int status(const Words& words) {
    const po::options_description visible = named();
    const po::variables_map given = read_options(
        words, "usage: echelon cluster status [options]\n\nExit code 1 if it is not up.\n", visible);
    const Registry registry = registry_of(given);
    const auto there = registry.find();
    if (!there) {
        std::cout << "cluster " << given["name"].as<std::string>() << " is not up\n";
        return failed;
    }
    std::cout << "cluster " << there->name << ": " << to_string(there->shape) << '\n';
    for (std::size_t node = 0; node < there->nodes.size(); ++node)
        std::cout << 'n' << node << "  " << traffic(there->nodes[node], "eth0") << '\n';
    const cluster::Punctuality& punctuality = *registry.punctuality(false);
    std::cout << fmt::format("wire  {}, at most {} us\n", to_string(Lateness(punctuality), 0, 0),
                             punctuality.latest_ns / 1000);
    return done;
}

Job::Mpi mpi_of(const po::variables_map& given, const Words& program, std::string& drop_in) {
    const std::string named = given.count("mpi") != 0 ? given["mpi"].as<std::string>() : "";
    const auto libraries = launch::drop_in_libraries();
    launch::MpiInUse use;
    if (named.empty()) {
        use = launch::mpi_in_use(program, "");
    } else {
        use.mpi.family = launch::mpi_family(named);
        use.by = "--mpi " + named;
        for (const auto& library : libraries)
            if (library.mpi.family == use.mpi.family) use.mpi = library.mpi;
    }
    if (given.count("echelon") != 0 && !use.drop_in)
        drop_in = launch::library_for(use.mpi, use.by, libraries).path;
    if (use.mpi.family != "MPICH" && use.mpi.family != "Open MPI")
        throw Error(use.by + " runs on " + to_string(use.mpi) + "; clusters start MPICH and Open MPI");
    return use.mpi.family == "MPICH" ? Job::Mpi::mpich : Job::Mpi::openmpi;
}

std::string idle_library() {
    const std::string name = "libechelon-idle.so", found = launch::library_beside(name);
    if (found.empty()) throw Error(name + " is not here; build or install Echelon whole");
    return found;
}

Job job_of(const po::variables_map& given, const Words& program) {
    Job job;
    job.ranks = given["ranks"].as<int>();
    if (job.ranks < 1) throw Error("-n " + std::to_string(job.ranks) + ": it must be 1 or more");
    const std::string map = given["map"].as<std::string>();
    if (map != "block" && map != "rr") throw Error("--map: '" + map + "' is neither block nor rr");
    job.map = map == "block" ? Job::Map::block : Job::Map::round_robin;
    if (given.count("echelon") != 0 && given.count("native") != 0)
        throw Error("--echelon or --native, not both");
    std::string drop_in;
    job.mpi = mpi_of(given, program, drop_in);
    job.preloaded = idle_library();
    if (!drop_in.empty()) job.preloaded += ':' + drop_in;
    if (const char* const behind = std::getenv("LD_PRELOAD"); behind != nullptr && *behind != '\0')
        job.preloaded += ':' + std::string(behind);
    if (given.count("shared-class") == 0) job.variables.push_back("CLUSTER_FIRST=1");
    job.program = program;
    return job;
}

void write_with_mode(const std::string& file, const std::string& text, fs::perms mode) {
    write_file(file, text);
    fs::permissions(file, mode);
}

struct Busy {
    std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now();
    double machine = 0, wire = 0;

    /// Processor seconds since the machine and the process started.
    explicit Busy(pid_t process) {
        const double tick = double(sysconf(_SC_CLK_TCK));
        std::ifstream all("/proc/stat"), one("/proc/" + std::to_string(process) + "/stat");
        std::string word;
        double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0;
        all >> word >> user >> nice >> system >> idle >> waiting >> interrupts >> soft;
        machine = (user + nice + system + interrupts + soft) / tick;
        std::string line;
        std::getline(one, line);
        std::istringstream fields(line.substr(line.rfind(')') + 1));
        for (int field = 3; field < 14; ++field) fields >> word;
        fields >> user >> system;
        wire = (user + system) / tick;
    }
};

/// Load during a measurement: other work at the same time makes it worthless.
std::string judged(const Busy& before, const Busy& after) {
    rusage ranks{};
    getrusage(RUSAGE_CHILDREN, &ranks);
    const auto seconds = [](const timeval& time) {
        return double(time.tv_sec) + double(time.tv_usec) * 1e-6;
    };
    const double span = std::chrono::duration<double>(after.at - before.at).count();
    const double own = seconds(ranks.ru_utime) + seconds(ranks.ru_stime), wire = after.wire - before.wire;
    const double others = std::max(0.0, after.machine - before.machine - own - wire);
    return fmt::format("{:.1f} s; cores busy, of {}: ranks {:.2f}, wire {:.2f}, others {:.2f}", span,
                       sysconf(_SC_NPROCESSORS_ONLN), own / span, wire / span, others / span);
}

volatile std::sig_atomic_t asked_to_end = 0;

/// Waits for the launcher, forwards signals that ask it to end, and kills it after ten more seconds.
int wait_for(pid_t launcher) {
    struct sigaction act {};
    act.sa_handler = [](int signal) { asked_to_end = signal; };  // without SA_RESTART: waitpid returns
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) sigaction(signal, &act, nullptr);
    int status = 0;
    while (waitpid(launcher, &status, 0) < 0) {
        kill(launcher, asked_to_end == SIGALRM ? SIGKILL : SIGTERM);
        alarm(10);
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code == 0 && asked_to_end != 0 ? 128 + SIGTERM : code;  // some launchers report success
}

int run_job(const Words& words) {
    po::options_description visible = named();
    visible.add_options()("ranks,n", po::value<int>(), "number of ranks; else one for each node")  //
        ("map", po::value<std::string>()->default_value("block"),
         "block: a node is filled first; rr: one to each in turn")                                   //
        ("mpi", po::value<std::string>(), "mpich or openmpi; else what the program is linked with")  //
        ("echelon", "with the drop-in library in front")                                             //
        ("native", "without it; the default")                                                        //
        ("shared-class",
         "ranks do not go before other work of the machine: for programs that compute long")  //
        ("quiet,q", "do not say how busy the machine was")                                    //
        ("dry-run", "say what would be started");
    const auto options_end = end_of_options(words, visible);
    const Words program(command_behind(words, options_end), words.end());
    const po::variables_map given = read_options(
        Words(words.begin(), options_end),
        "usage: echelon cluster run -n RANKS [options] [--] ./app ARGUMENTS...\n\nThe environment reaches the ranks, "
        "with all ECHELON_ settings in it.\n",
        visible);
    if (program.empty()) throw Error("put the program behind the options; see echelon cluster run --help");
    const Registry registry = registry_of(given);
    const Cluster there = found(registry, given);
    po::variables_map with_ranks = given;
    if (given.count("ranks") == 0) with_ranks.insert({"ranks", po::variable_value(there.shape.nodes, true)});
    const Job job = job_of(with_ranks, program);

    const std::string agent = registry.file("agent"), hostfile = registry.file("hostfile");
    const Words command = cluster::command(job, there.shape.nodes, agent, hostfile);
    if (given.count("dry-run") != 0) {
        for (const auto& [name, value] : cluster::transport())
            std::cout << "sets     " << name << '=' << value << '\n';
        std::cout << "starts  ";
        for (const std::string& word : command) std::cout << ' ' << word;
        std::cout << '\n';
        return done;
    }
    const auto turn = registry.claim_run();
    if (!turn)
        throw Error("a program runs on cluster " + there.name +
                    " already; wait for it, or use another --name");
    write_with_mode(agent,
                    "#!/bin/sh\nexec '" + fs::read_symlink("/proc/self/exe").string() +
                        "' cluster enter --name " + there.name + " -- \"$@\"\n",
                    fs::perms::owner_all);
    write_with_mode(hostfile, cluster::host_lines(job, there.shape.nodes), fs::perms::owner_read);

    // No other run is there: remaining processes belong to a run that was killed.
    for (const pid_t node : there.nodes) cluster::clear_node(node);
    const Busy before(there.wire);
    const cluster::Punctuality& punctuality = *registry.punctuality(false);
    const Lateness late(punctuality);
    std::fflush(nullptr);
    const pid_t launcher = cluster::must(fork(), "a process");
    if (launcher == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        unsetenv("LD_PRELOAD");
        for (const auto& [name, value] : cluster::transport()) setenv(name.c_str(), value.c_str(), 0);
        cluster::join_network_of(there.wire);
        std::vector<char*> arguments;
        for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        std::cerr << "echelon: " << command[0] << " is not here; install "
                  << (job.mpi == Job::Mpi::mpich ? "mpich" : "openmpi-bin") << '\n';
        _exit(failed);
    }
    const int code = wait_for(launcher);
    // No rank outlives its run.
    for (const pid_t node : there.nodes) cluster::clear_node(node);
    if (given.count("quiet") == 0)
        std::cerr << "echelon cluster: " << judged(before, Busy(there.wire)) << "; "
                  << to_string(Lateness(punctuality), late.frames, late.sum_ns) << '\n';
    return code;
}

/// Stands in for ssh: `[options] NODE WORD...`, with words for a shell, in the call syntax of MPICH's and
/// Open MPI's launchers.
int enter(const Words& words) {
    const auto dashes = std::find(words.begin(), words.end(), "--");
    const po::variables_map given = parsed(Words(words.begin(), dashes), named());
    const Registry registry = registry_of(given);
    const Cluster there = found(registry, given);
    auto word = dashes == words.end() ? dashes : dashes + 1;
    while (word != words.end() && word->starts_with('-')) word += *word == "-l" || *word == "-p" ? 2 : 1;
    if (word == words.end()) throw Error("say which node: echelon cluster enter -- n0 command");
    std::size_t node = 0;
    while (node < there.nodes.size() && *word != 'n' + std::to_string(node)) ++node;
    if (node == there.nodes.size())
        throw Error("there is no node '" + *word + "'; they are n0 to n" +
                    std::to_string(there.nodes.size() - 1));
    const std::string line = joined(Words(word + 1, words.end()), " ");
    cluster::enter_node(there.nodes[node]);
    execl("/bin/sh", "sh", "-c", line.empty() ? "exec /bin/sh -i" : line.c_str(), nullptr);
    return failed;
}

}  // namespace

int cluster(const std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
        (arguments.empty() ? std::cerr : std::cout) << usage;
        return arguments.empty() ? wrong_use : done;
    }
    const Words rest(arguments.begin() + 1, arguments.end());
    if (arguments[0] == "up") return up(rest);
    if (arguments[0] == "down") return down(rest);
    if (arguments[0] == "status") return status(rest);
    if (arguments[0] == "run") return run_job(rest);
    if (arguments[0] == "enter") return enter(rest);
    throw Error(
        with_help(is_none_of(arguments[0], {"up", "run", "status", "down"}), "echelon cluster --help"));
}

}  // namespace echelon::tool
