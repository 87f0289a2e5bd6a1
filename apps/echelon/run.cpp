// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/subcommand.hpp"

#include "apps/echelon/read_options.hpp"
#include "apps/launch/drop_in_library.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/shell_words.hpp"
#include "core/words.hpp"
#include "estimators/profile/profile.hpp"
#include "settings/run_name.hpp"
#include "settings/settings_table.hpp"

#include <unistd.h>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;
using launch::Words;

/// Name of the option for a setting: ECHELON_COMMUNICATORS is given by --communicators.
std::string option_of(std::string_view setting) {
    std::string option(setting.substr(std::string_view("ECHELON_").size()));
    for (char& c : option) c = c == '_' ? '-' : char(std::tolower(static_cast<unsigned char>(c)));
    return option;
}

/// Value of an option that is given without one; empty if it needs one.
std::string plain_value(const Setting& setting) {
    return setting.name == "ECHELON_SUMMARY" ? "text" : setting.name == "ECHELON_STRICT" ? "1" : "";
}

po::options_description run_options() {
    po::options_description own("options");
    own.add_options()("help,h", "this text")                                                    //
        ("dry-run", "say what would be set and started, and start nothing")                     //
        ("explain", "say it, and start")                                                        //
        ("yield", "ranks that wait give their processor away: for more ranks than processors")  //
        ("launcher", po::value<Words>(),
         "a program that starts ranks, beside mpiexec, srun and others; may be given several times")  //
        ("program", po::value<std::string>(),
         "the word behind -- with which the ranks' command begins, where it is not found")  //
        ("mpi", po::value<std::string>(),
         "mpich or openmpi: for commands that do not tell it, such as shell scripts");
    po::options_description settings("settings, and the variables of the same meaning");
    for (const Setting& setting : settings_table()) {
        auto* const value = po::value<std::string>();
        if (const std::string plain = plain_value(setting); !plain.empty()) value->implicit_value(plain);
        settings.add_options()(option_of(setting.name).c_str(), value, brief(setting).c_str());
    }
    return own.add(settings);
}

/// Error: a word is the option of a removed setting. `known` has --help, which is no setting.
void refuse_removed(const Words& options, const po::options_description& known) {
    for (const std::string& word : options)
        for (const auto& [setting, advice] : removed_settings()) {
            const std::string option = option_of(setting);
            if (word.substr(0, word.find('=')) == "--" + option &&
                known.find_nothrow(option, false) == nullptr)
                throw Error("--" + option + " is unknown; " + std::string(advice));
        }
}

/// Error: the command begins with a word that is no program, behind an option whose value needs '='.
void refuse_loose_value(const Words& options, const std::string& word) {
    for (const Setting& setting : settings_table())
        if (const std::string option = "--" + option_of(setting.name);
            !plain_value(setting).empty() && options.back() == option && launch::file_to_run(word).empty())
            throw Error("there is no program '" + word + "'; as a value of " + option + " write " + option +
                        '=' + word);
}

/// The one option that a file belongs to, in front of the sentence about the file.
template <class Check>
void check_file(const po::variables_map& given, const char* option, const Check& check) {
    if (given.count(option) == 0) return;
    const std::string front = std::string("--") + option + ": ";
    try {
        check();
    } catch (const NotWritten& error) {
        throw NotWritten(front + error.what());
    } catch (const Error& error) {
        throw Error(front + error.what());
    }
}

/// Error: a report cannot be written. The folder is known here unless its name has signs of run_name().
void check_report(const std::string& pattern) {
    const bool is_known =
        std::filesystem::path(pattern).parent_path().string().find('%') == std::string::npos;
    if (!pattern.empty() && is_known) check_writable(run_name(pattern, 0));
}

/// Error: a file of an option is not there, or cannot be written. Ranks would report it only when they run.
void check_files(const po::variables_map& given, const Settings& asked) {
    check_file(given, "summary", [&] { check_report(asked.summary.file); });
    check_file(given, "trace", [&] { check_report(asked.trace.file); });
    check_file(given, "learn", [&] {
        if (!is_replaced(asked.learn)) throw Error(asked.learn + " is no regular file");
        check_writable(asked.learn);
    });
    check_file(given, "config", [&] { (void)read_regular_file(given["config"].as<std::string>()); });
    check_file(given, "profile", [&] {
        std::error_code ignored;
        if (asked.profile == "none" || std::filesystem::is_directory(asked.profile, ignored)) return;
        const std::string text = read_regular_file(asked.profile);
        try {
            (void)Profile::parse(text);
        } catch (const Error& error) {
            throw Error(asked.profile + ": " + error.what());
        }
    });
}

/// The variables for the ranks: inherited ones, which other machines may lack, and those of options, which
/// win.
Words variables(const po::variables_map& given) {
    Words made;
    Settings checked;
    for (const Setting& setting : settings_table()) {
        std::string value;
        if (const char* const inherited = std::getenv(setting.name.c_str())) value = inherited;
        if (const std::string option = option_of(setting.name); given.count(option) != 0) {
            value = given[option].as<std::string>();
            try {
                setting.set(checked, value);
            } catch (const Error& error) {
                throw Error("--" + option + ": " + error.what());
            }
        }
        if (!value.empty()) made.push_back(setting.name + '=' + value);
    }
    check_files(given, checked);
    return made;
}

/// The MPI family that a launcher belongs to; empty: any.
std::string family_of_launcher(const std::string& word) {
    std::error_code ignored;
    const std::string real =
        std::filesystem::canonical(launch::file_to_run(word), ignored).filename().string();
    return real == "mpiexec.hydra" ? "MPICH" : real == "orterun" || real == "prterun" ? "Open MPI" : "";
}

/// MPICH's mpiexec starts ranks of Open MPI as separate programs of one rank, and vice versa.
void check_launcher(const std::string& word, const launch::MpiInUse& use) {
    const std::string family = family_of_launcher(word);
    if (!family.empty() && family != use.mpi.family)
        throw Error(use.by + " runs on " + to_string(use.mpi) + ", but " + word + " is the launcher of " +
                    family);
}

/// All ranks must use one MPI; checks that all parts of the command agree on it.
launch::MpiInUse mpi_of(const launch::RankCommands& commands) {
    const std::string family = commands.launched ? family_of_launcher(commands.words[0]) : "";
    std::vector<launch::MpiInUse> uses;
    for (const auto& [begin, end] : commands.commands)
        uses.push_back(launch::mpi_in_use(
            {commands.words.begin() + std::ptrdiff_t(begin), commands.words.begin() + std::ptrdiff_t(end)},
            family));
    for (const auto& use : uses)
        if (use.mpi != uses[0].mpi)
            throw Error(uses[0].by + " runs on " + to_string(uses[0].mpi) + ", but " + use.by + " on " +
                        to_string(use.mpi));
    return uses[0];
}

launch::MpiInUse mpi_named(const std::string& name, const std::vector<launch::BoundFile>& libraries) {
    const std::string family = launch::mpi_family(name);
    for (const auto& library : libraries)
        if (library.mpi.family == family) return {library.mpi, "the command", false};
    throw Error("Echelon's library for " + family + " is not here; build or install it with that MPI");
}

void explain(std::ostream& out, const launch::MpiInUse& use, const std::string& library, const Words& set,
             const Words& command) {
    out << "MPI      " << to_string(use.mpi) << " at " << use.mpi.path << ", of " << use.by << '\n'
        << "library  " << (use.drop_in ? "linked already" : library) << '\n';
    for (const std::string& variable : set) out << "sets     " << variable << '\n';
    out << "starts   " << shell_words(command) << '\n';
}

/// Each rank checks that the library is on its host. Without it the dynamic loader would go on, and the ranks
/// that have it would mistake the program's messages for Echelon's: MPI has no means to tell the ranks apart.
constexpr const char* only_with_library =
    R"(test -r "$0" || { echo "echelon run: $(uname -n) has no $0, which all ranks need; install it there too" >&2; exit 2; }; exec "$@")";

[[noreturn]] void start(const Words& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    throw Error("there is no program '" + command[0] + '\'');
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
    const po::options_description visible = run_options();
    const auto options_end = end_of_options(arguments, visible);
    const Words options(arguments.begin(), options_end);
    refuse_removed(options, visible);
    if (!options.empty() && options_end != arguments.end() && *options_end != "--")
        refuse_loose_value(options, *options_end);
    const po::variables_map given = read_options(
        options,
        "usage: echelon run [options] [--] mpiexec ... ./app ...\n\n"
        "Starts an MPI program, not recompiled, with Echelon's drop-in library for its MPI in front:\n"
        "  echelon run --summary --allreduce 'leaders(sqrt, binomial, ring)' -- mpiexec -n 4 ./app\n",
        visible);

    const std::string program = given.count("program") != 0 ? given["program"].as<std::string>() : "";
    const auto commands = launch::RankCommands::parse(
        {command_behind(arguments, options_end), arguments.end()}, program,
        given.count("launcher") != 0 ? given["launcher"].as<Words>() : Words(),
        [](const std::string& word) { return !launch::file_to_run(word).empty(); });
    const auto libraries = launch::drop_in_libraries();
    const launch::MpiInUse use =
        given.count("mpi") != 0 ? mpi_named(given["mpi"].as<std::string>(), libraries) : mpi_of(commands);
    if (commands.launched) check_launcher(commands.words[0], use);

    Words set, preloads;
    std::string library;
    if (!use.drop_in) {
        library = launch::library_for(use.mpi, use.by, libraries).path;
        if (library.find_first_of(" :") != std::string::npos)
            throw Error(library + ": a path with a blank or a colon cannot be preloaded");
        // The user's preloads come behind Echelon's, where profiling tools see its calls.
        const char* const behind = std::getenv("LD_PRELOAD");
        preloads.push_back(library);
        if (behind != nullptr && *behind != '\0') preloads.push_back(behind);
    }
    if (given.count("yield") != 0) {
        if (use.mpi.family == "Open MPI")
            set.push_back("OMPI_MCA_mpi_yield_when_idle=1");
        else
            preloads.push_back(launch::yielding_library());
    }
    if (!preloads.empty()) set.insert(set.begin(), "LD_PRELOAD=" + joined(preloads, ":"));
    for (const std::string& word : commands.words)
        if (word.starts_with("LD_PRELOAD"))
            throw Error(
                "the command sets LD_PRELOAD itself; set it in the environment of echelon run instead");
    for (const std::string& variable : variables(given)) set.push_back(variable);

    // Variables are set by env, which every launcher can start, and which leaves the launcher unchanged.
    Words front{"env"};
    if (commands.launched && !library.empty()) front = {"sh", "-c", only_with_library, library, "env"};
    front.insert(front.end(), set.begin(), set.end());
    const Words command = set.empty() ? commands.words : commands.with(front);
    if (given.count("dry-run") != 0 || given.count("explain") != 0)
        explain(given.count("dry-run") != 0 ? std::cout : std::cerr, use, library, set, command);
    if (given.count("dry-run") != 0) return done;
    start(command);
}

}  // namespace echelon::tool
