// SPDX-License-Identifier: Apache-2.0
#include "bench/calibrate_options.hpp"

#include "bench/options.hpp"
#include "core/error.hpp"
#include "core/words.hpp"
#include "hier/lists.hpp"
#include "options/command_line.hpp"

#include <unistd.h>

#include <limits>
#include <sstream>

namespace echelon::bench {
namespace {

namespace po = boost::program_options;

struct CalibrateTexts {
    std::string collectives, bytes, progress;
};

po::options_description described(CalibrateOptions& options, CalibrateTexts& texts) {
    po::options_description all("Options", 100);
    auto add = all.add_options();
    add("output,o", po::value(&options.output)->value_name("FILE")->default_value("profile.json"),
        "the profile that is written, which ECHELON_PROFILE=FILE uses; in a folder, such as /etc/echelon/profile.d, a file "
        "that is called after MPI, ranks a node and machine");
    add("install",
        "write it to ~/.config/echelon/profile.d, where programs of this MPI, machine and number of ranks a node find it");
    add("update", po::value(&options.update)->value_name("FILE"),
        "begin with this profile: its rules, and its samples of other numbers of ranks, stay");
    add("continue",
        "go on where an earlier calibration of as many ranks stopped: what the profile at --output has of a size is not "
        "measured again");
    add("samples", po::value(&options.samples)->value_name("FILE"), "write all samples as CSV, too");
    add("seconds", po::value(&options.seconds)->value_name("SECONDS")->default_value(100),
        "for everything together; 0: as long as it takes");
    add("collectives,c",
        po::value(&texts.collectives)->value_name("LIST")->default_value("allreduce,reduce,bcast"),
        ("what is measured: `all`, or some of " + joined(collective_names(), ", ")).c_str());
    add("bytes,b", po::value(&texts.bytes)->value_name("LIST")->default_value("8..4M"),
        "sizes of the vector, as echelon-bench takes them; it must begin and end where programs do");
    add("shortlist", po::value(&options.shortlist)->value_name("N")->default_value(8),
        "recipes that the model proposes at each size; at least one of each class is measured");
    add("crowded",
        "measure although there are more ranks than processors, of which those that wait give theirs away: times hold for "
        "that alone");
    add("progress", po::value(&texts.progress)->value_name("HOW")->default_value("auto"),
        "bar: one line that fills up; lines: one for each size, with the time left; auto: a bar on a terminal. Launchers stand "
        "between it and the ranks");
    add("quiet,q", "print the result only");
    add("help,h", "this text");
    add("version,v", "print Echelon's and the MPI library's version");
    return all;
}

}  // namespace

CalibrateOptions parse_calibrate_options(int argc, const char* const* argv, int /*p*/) {
    CalibrateOptions options;
    CalibrateTexts texts;
    try {
        const po::variables_map given = parsed({argv + 1, argv + argc}, described(options, texts));
        options.go_on = given.count("continue") != 0;
        options.install = given.count("install") != 0;
        if (options.install && !given["output"].defaulted())
            throw WrongUse("--install and --output both say where the profile is written: give one of them");
        options.crowded = given.count("crowded") != 0;
        options.quiet = given.count("quiet") != 0;
        options.help = given.count("help") != 0;
        options.version = given.count("version") != 0;
    } catch (const po::error& error) {
        throw WrongUse(error.what());
    }
    if (options.help || options.version) return options;
    try {
        options.progress =
            options.quiet ? Progress::none : parse_progress(texts.progress, ::isatty(STDERR_FILENO) != 0);
    } catch (const Error& error) {
        throw WrongUse(error.what());
    }
    options.collectives = parse_collectives(texts.collectives);
    options.bytes = parse_sizes(texts.bytes);
    for (const Bytes bytes : options.bytes)
        if (bytes == 0 || bytes > Bytes(std::numeric_limits<int>::max()))
            throw WrongUse("--bytes " + format_bytes(bytes) + ": expected 1 to 2^31 - 1");
    if (!(options.seconds >= 0)) throw WrongUse("--seconds: expected a number from 0 on");
    if (options.go_on && !options.update.empty())
        throw WrongUse(
            "--continue goes on with the profile at --output, --update begins with another: give one of them");
    if (options.shortlist < 1) throw WrongUse("--shortlist: expected a number from 1 on");
    return options;
}

std::string calibrate_help() {
    CalibrateOptions options;
    CalibrateTexts texts;
    std::ostringstream text;
    text
        << "echelon-calibrate: measures this machine and writes its profile, by which Echelon chooses.\n\n"
           "  mpiexec -n 8 echelon-calibrate -o profile.json\n\n"
           "Run it with as many ranks as the programs will have, placed alike. It measures messages inside and between\n"
           "nodes, alone and many at once, the work of combining, the library's own collectives, and at each size the\n"
           "recipes that the model of all this thinks best, until the best of them is a measured one. docs/profile.md\n"
           "says what is in the file.\n\n"
        << described(options, texts) << "\nExit codes: 0, 1 (something failed), 2 (wrong use).\n";
    return text.str();
}

}  // namespace echelon::bench
