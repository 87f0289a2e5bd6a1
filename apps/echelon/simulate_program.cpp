// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/network_option.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"
#include "apps/launch/drop_in_library.hpp"
#include "apps/launch/elf_file.hpp"
#include "apps/launch/mpi_in_use.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/spelling.hpp"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <random>
#include <regex>
#include <sstream>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

po::options_description simulation_options() {
    po::options_description options("options");
    options.add_options()("help,h", "this text")  //
        ("platform", po::value<std::string>()->default_value("hockney"),
         "a name of bench/platforms, random:SEED, or a SimGrid file")                   //
        ("ranks,n", po::value<int>(), "number of ranks; else all that its hosts name")  //
        ("each", po::value<int>(), "ranks of a node; else one for each of its cores")   //
        ("map", po::value<std::string>()->default_value("block"),
         "block: a node is filled first; rr: one to each in turn; shuffled: block, then shuffled, the same every time")  //
        ("hosts", po::value<std::string>(), "a file with the host of each rank, in place of these")  //
        ("native", po::value<std::string>(),
         "whose rules the native collectives follow: mpich, openmpi, mvapich2, impi (but for its allreduce, which does not work in SimGrid)")  //
        ("gamma", po::value<std::string>()->default_value("0.3ns"), "virtual time to combine a byte")  //
        ("costs", po::value<std::string>()->default_value("measured"),
         "processor time of messages: measured, as the platform says; or none")  //
        ("dry-run", "say what would be started");
    return options;
}

/// A temporary folder that is removed with its owner.
struct Folder {
    fs::path path;
    Folder() {
        std::string name = fs::temp_directory_path() / "echelon-XXXXXX";
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("the folder " + name + " cannot be made: " + std::strerror(errno));
        path = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

/// The platforms' folder beside this program: in its installation, or in the source of its build folder.
fs::path platforms() {
    const fs::path programs = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {programs.parent_path() / "share/echelon/platforms",
                                  programs.parent_path().parent_path().parent_path() / "bench/platforms"})
        if (fs::exists(place / "simulator.options")) return place;
    throw Error("the platforms are not here; build or install Echelon whole");
}

fs::path gamma_library() {
    const std::string name = "libechelon-gamma.so", found = launch::library_beside(name);
    if (found.empty()) throw Error(name + " is not here; build or install Echelon whole, or say --gamma 0");
    return found;
}

Words lines_of(const fs::path& file) {
    std::istringstream in(read_file(file));
    Words lines;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

int wait_for(const Words& command, const Words& environment) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
        execvp(arguments[0], arguments.data());
        std::perror(("echelon: " + command[0]).c_str());
        _exit(failed);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        throw std::runtime_error(command[0] + " cannot be started");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Platform {
    fs::path file;
    /// Host of each rank, if the platform itself names them.
    Words hosts;
};

Platform platform_named(const std::string& name, const fs::path& folder) {
    if (name.starts_with("random:")) {
        if (wait_for({platforms() / "generate", "-o", folder, name}, {}) != 0)
            throw Error("--platform: '" + name + "' is no random:SEED");
        const std::string drawn = "random-" + name.substr(name.find(':') + 1);
        return {folder / (drawn + ".xml"), lines_of(folder / (drawn + ".hosts"))};
    }
    if (const fs::path known = platforms() / (name + ".xml"); fs::exists(known)) return {known, {}};
    if (fs::exists(name)) return {fs::absolute(name), {}};
    Words names{"random:SEED"};
    for (const auto& entry : fs::directory_iterator(platforms()))
        if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    throw Error("--platform: there is no such file, and " + is_none_of(name, names));
}

/// Hosts of the ranks on our platforms, whose nodes are numbered; other platforms need a file of hosts.
Words placed(const fs::path& platform, const po::variables_map& given) {
    const std::string text = read_file(platform);
    const std::regex radical("prefix=\"node-\"[^>]*radical=\"[0-9]+-([0-9]+)\""), core("core=\"([0-9]+)\"");
    int nodes = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), radical), end; found != end; ++found)
        nodes = std::max(nodes, std::stoi((*found)[1]) + 1);
    if (nodes == 0) throw Error(platform.string() + " has no nodes of the name node-0; give --hosts");
    std::smatch cores;
    int each = std::regex_search(text, cores, core) ? std::stoi(cores[1]) : 1;
    if (given.count("each") != 0) each = given["each"].as<int>();
    if (each < 1) throw Error("--each " + std::to_string(each) + ": it must be 1 or more");
    const int ranks = given.count("ranks") != 0 ? given["ranks"].as<int>() : nodes * each;
    const int used = (ranks + each - 1) / each;
    if (used > nodes)
        throw Error(std::to_string(ranks) + " ranks, " + std::to_string(each) + " to a node, need " +
                    std::to_string(used) + " nodes; this platform has " + std::to_string(nodes));
    std::vector<int> node(std::size_t(std::max(ranks, 0)));
    const std::string map = given["map"].as<std::string>();
    for (int rank = 0; rank < ranks; ++rank)
        node[std::size_t(rank)] = map == "rr" ? rank % used : rank / each;
    if (map == "shuffled") {
        std::mt19937 draw(1);  // by hand: std::shuffle differs between libraries
        for (std::size_t i = node.size(); i > 1; --i) std::swap(node[i - 1], node[draw() % i]);
    } else if (map != "block" && map != "rr") {
        throw Error("--map: " + is_none_of(map, {"block", "rr", "shuffled"}));
    }
    Words hosts;
    for (const int number : node) hosts.push_back("node-" + std::to_string(number));
    return hosts;
}

void check_program(const std::string& word) {
    const std::string file = launch::file_to_run(word);
    if (file.empty()) throw Error("there is no program '" + word + '\'');
    const auto elf = launch::ElfFile::read(file);
    if (!elf || std::none_of(elf->needed.begin(), elf->needed.end(),
                             [](const std::string& library) { return library.starts_with("libsimgrid"); }))
        throw Error(
            word +
            " is not built for SimGrid: compile it with smpicc or smpicxx, or take one of build/smpi/bin");
}

}  // namespace

int simulate_program(const Words& arguments) {
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
    const po::options_description visible = simulation_options();
    const po::variables_map given = read_options(
        Words(arguments.begin(), dashes),
        "usage: echelon simulate --platform NAME -n RANKS [options] -- ./app ARGUMENTS...\n\nRuns a program that is built "
        "for SimGrid's SMPI on simulated nodes, in virtual time. Its environment reaches the ranks.\n",
        visible);
    if (dashes + 1 == arguments.end()) throw Error("there is no program behind --");
    check_program(dashes[1]);
    for (const std::string& word : Words(dashes + 1, arguments.end()))
        if (word.empty() || word.find_first_of(" \t\n*?[") != std::string::npos)
            throw Error(
                '\'' + word +
                "': SimGrid's smpirun takes arguments apart at blanks, and for patterns of files; write it without blanks, *, ? and [");
    const Folder folder;
    Platform platform = platform_named(given["platform"].as<std::string>(), folder.path);
    if (given.count("hosts") != 0) platform.hosts = lines_of(given["hosts"].as<std::string>());
    if (platform.hosts.empty()) platform.hosts = placed(platform.file, given);
    const int ranks = given.count("ranks") != 0 ? given["ranks"].as<int>() : int(platform.hosts.size());
    if (ranks < 1 || std::size_t(ranks) > platform.hosts.size())
        throw Error("-n " + std::to_string(ranks) + ": the hosts are for 1 to " +
                    std::to_string(platform.hosts.size()) + " ranks");
    std::string hosts;
    for (const std::string& host : platform.hosts) hosts += host + '\n';
    write_file(folder.path / "hosts", hosts);

    Words command{"smpirun",     "-np",       std::to_string(ranks), "-platform",
                  platform.file, "-hostfile", folder.path / "hosts"};
    const std::string costs = given["costs"].as<std::string>();
    if (costs != "measured" && costs != "none")
        throw Error("--costs: " + is_none_of(costs, {"measured", "none"}));
    for (const std::string& option : lines_of(platforms() / "simulator.options")) command.push_back(option);
    if (costs == "none")
        for (const std::string& option : lines_of(platforms() / "free.options")) command.push_back(option);
    if (given.count("native") != 0) {
        const std::string library = given["native"].as<std::string>();
        const Words known{"mpich", "openmpi", "mvapich2", "impi"};
        const std::string rules = library == "openmpi" ? "ompi" : library;  // SimGrid's name
        if (rules != "ompi" && std::find(known.begin(), known.end(), rules) == known.end())
            throw Error("--native: " + is_none_of(library, known));
        // Barriers keep their algorithm: programs measure with them.
        for (const char* const collective :
             {"allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "reduce_scatter", "scatter"})
            // SimGrid's version crashes or hangs at some lengths and numbers of ranks.
            if (rules != "impi" || collective != std::string_view("allreduce"))
                command.push_back("--cfg=smpi/" + std::string(collective) + ':' + rules);
    }
    command.insert(command.end(), dashes + 1, arguments.end());
    Words environment;
    if (const Seconds gamma = parse_seconds(given["gamma"].as<std::string>()); gamma > 0) {
        std::array<char, 32> text;
        std::snprintf(text.data(), text.size(), "%.9g", gamma);
        environment = {"SIMULATED_GAMMA=" + std::string(text.data()),
                       "LD_PRELOAD=" + gamma_library().string()};
    }
    if (given.count("dry-run") != 0) {
        for (const std::string& variable : environment) std::cout << "sets     " << variable << '\n';
        std::cout << "starts  ";
        for (const std::string& word : command) std::cout << ' ' << word;
        std::cout << '\n';
        return done;
    }
    return wait_for(command, environment);
}

}  // namespace echelon::tool
