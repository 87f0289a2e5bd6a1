// SPDX-License-Identifier: Apache-2.0
#include "cache/settings_table.hpp"

#include "cache/run_name.hpp"
#include "core/error.hpp"
#include "core/spelling.hpp"
#include "core/window.hpp"
#include "hier/byte_range.hpp"
#include "hier/recipe.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <tuple>
#include <utility>

namespace echelon {
namespace {

std::string upper(std::string_view text) {
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
                   [](unsigned char c) { return char(std::toupper(c)); });
    return made;
}

bool parse_switch(const std::string& text) {
    if (text != "0" && text != "1") throw Error("'" + text + "' is neither 0 nor 1");
    return text == "1";
}

int parse_number(const std::string& text) {
    int number = 0;
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || rest != text.data() + text.size() || number < 0)
        throw Error("'" + text + "' is not a number from 0 on");
    return number;
}

/// The first and the last.
std::pair<std::uint64_t, std::uint64_t> parse_calls(const std::string& text) {
    const auto dash = text.find('-');
    if (dash == std::string::npos || dash == 0)
        throw Error("'" + text + "' is no range of calls, such as 100-200, or 100- without an end");
    const auto first = std::uint64_t(parse_number(text.substr(0, dash)));
    const std::string rest = text.substr(dash + 1);
    const auto last = rest.empty() ? TraceRequest{}.last : std::uint64_t(parse_number(rest));
    if (first == 0) throw Error("'" + text + "' begins at 0; calls are counted from 1");
    if (first > last) throw Error("'" + text + "' has no calls: its end is before its beginning");
    return {first, last};
}

std::vector<Setting> make_table() {
    std::vector<Setting> table;
    for (const Collective collective : all_collectives) {
        const std::string plain(name(collective));
        table.push_back(
            {.name = "ECHELON_" + upper(plain),
             .info_key = "echelon_" + plain,
             .values = "a recipe, recipes by size (`0-4K: ring; 4K-: lanes(node, ring, ring)`), `auto`",
             .usual = "auto",
             .meaning = collective == Collective::reduce_scatter
                            ? "What reduce_scatter and reduce_scatter_block run."
                            : "What " + plain + " runs.",
             .set = [collective](Settings& settings, const std::string& value) {
                 settings.recipes[collective] = RecipeTable::parse(value);
             }});
    }
    table.push_back(
        {.name = "ECHELON_GROUPS",
         .info_key = "echelon_groups",
         .values =
             "groups as recipes write them: `sqrt`, `G=8`, `size=4`, `site`, `switch`, `node`, `package`, `numa`, `l3`, `ranks=0-3;4-7`, or `auto`",
         .usual = "auto",
         .meaning =
             "Where no recipe is asked for, reductions and broadcasts of all sizes go over the leaders of these groups.",
         .set = [](Settings& settings, const std::string& value) {
             settings.groups = value == "auto" ? std::nullopt : std::optional(Groups::parse(value));
         }});
    table.push_back(
        {.name = "ECHELON_SITE",
         .values = "a name",
         .meaning =
             "Where this rank's node is: the name of a building, a zone or a cabinet, the same for nodes near each other. It may "
             "differ from rank to rank. Groups `site` go by it if all ranks have one; without it by the profile, "
             "where calibration found that nodes are far apart.",
         .set = [](Settings& settings, const std::string& value) { settings.site = value; }});
    table.push_back(
        {.name = "ECHELON_SWITCH",
         .values = "a name",
         .usual = "by Slurm, where it knows a tree of switches",
         .meaning =
             "On which switch this rank's node is, the same for all nodes on it; switches of different sites are different. It may differ "
             "from rank to rank. Groups `switch` go by it if all ranks have one. Without it they go by the leaf switch in "
             "`SLURM_TOPOLOGY_ADDR`, or by the profile, where calibration was told of switches.",
         .set = [](Settings& settings, const std::string& value) { settings.leaf_switch = value; }});
    table.push_back(
        {.name = "ECHELON_MODE",
         .info_key = "echelon_mode",
         .values = "`auto`, `native`, `off`",
         .usual = "auto",
         .meaning =
             "What runs where no recipe is asked for: what Echelon chooses, or the MPI library's own collective. With `off` "
             "recipes are not heard either.",
         .set = [](Settings& settings, const std::string& value) { settings.mode = parse_mode(value); }});
    table.push_back(
        {.name = "ECHELON_PROFILE",
         .values = "a file, a folder of files, `none`",
         .usual =
             "the first that fits of `profile.json` and those in `profile.d`, in `$XDG_CONFIG_HOME/echelon` (else `~/.config/echelon`), "
             "`/etc/echelon`, and `lib/echelon` of the installation",
         .meaning =
             "What is known of this machine, as `echelon-calibrate` writes it: the automatic choice goes by it. Rank 0 reads it for "
             "all. `echelon profiles` lists them.",
         .set = [](Settings& settings, const std::string& value) { settings.profile = value; }});
    table.push_back(
        {.name = "ECHELON_LEARN",
         .values = "a file",
         .usual = "none",
         .meaning =
             "A profile to which a program adds, at MPI_Finalize, what its trials have found, and with which the next one on as many ranks "
             "in the same layout begins. Programs may end at the same time. It may be the file of ECHELON_PROFILE.",
         .set = [](Settings& settings, const std::string& value) { settings.learn = value; }});
    table.push_back(
        {.name = "ECHELON_STRICT",
         .values = "0, 1",
         .usual = "0",
         .meaning =
             "With 1, a recipe that was asked for and cannot serve a call is an MPI error. With 0 the native collective runs, "
             "and a line says so once.",
         .set = [](Settings& settings, const std::string& value) { settings.strict = parse_switch(value); }});
    table.push_back(
        {.name = "ECHELON_TRIALS",
         .values = "0 to 50",
         .usual = std::to_string(Settings{}.trial_percent),
         .meaning =
             "Percentage of the time in the calls of a collective and size that may be spent on trying other recipes, at most; 2 in the "
             "first 200 calls, and a tenth of it when it is settled what is fastest. On one node MPI_Init spends up to 4 % of its time for each "
             "percent on a race with shared memory. With 0 nothing is tried.",
         .set = [](Settings& settings, const std::string& value) {
             const int percent = parse_number(value);
             if (percent > 50) throw Error("'" + value + "' is above 50");
             settings.trial_percent = percent;
         }});
    table.push_back(
        {.name = "ECHELON_CALIBRATION",
         .values = "0, 1",
         .usual = "1",
         .meaning =
             "With 1, a communicator of 16 ranks or more whose calls keep coming, and for which there is no profile, is measured once, for "
             "50 ms at most, so that what is tried fits it. With 0 nothing is measured.",
         .set = [](Settings& settings, const std::string& value) {
             settings.calibrate = parse_switch(value);
         }});
    table.push_back(
        {.name = "ECHELON_REPRODUCIBLE",
         .values = "0, 1",
         .usual = "0",
         .meaning =
             "With 1, reductions combine their operands in an order that depends on the number of ranks and elements alone, where no "
             "recipe is asked for: the same bits in every run. Nothing is tried, and native reductions do not run.",
         .set = [](Settings& settings, const std::string& value) {
             settings.reproducible = parse_switch(value);
         }});
    table.push_back(
        {.name = "ECHELON_COMMUNICATORS",
         .values = "a number from 0 on",
         .usual = "800; 0 with Open MPI and `MPI_THREAD_MULTIPLE`",
         .meaning =
             "Communicators of its own that Echelon holds at most, in each process. A quarter of them may be parts of "
             "communicators; beyond that, parts talk over the whole one. With 0 the drop-in library makes one in all, at `MPI_Init`, over "
             "which everything goes; recipes with native phases are refused.",
         .set = [](Settings& settings, const std::string& value) {
             settings.communicators = parse_number(value);
         }});
    table.push_back(
        {.name = "ECHELON_WINDOW",
         .values = "bytes, as in `8M`",
         .usual = "32M",
         .meaning =
             "Memory for `shm` recipes, at most, for each process: a node takes as much for each of its ranks. Communicators of the same processes in "
             "the same order need about 297K a rank together, with `MPI_THREAD_MULTIPLE` each; beyond that messages go as without shared memory, and "
             "one rank says so where `shm` was asked for. With 0 none is made.",
         .set = [](Settings& settings, const std::string& value) { settings.window = parse_bytes(value); }});
    table.push_back(
        {.name = "ECHELON_SINGLE_COPY",
         .values = "bytes, as in `256K`, `off`",
         .usual = format_bytes(Settings{}.expose_from),
         .meaning =
             "From so many bytes on that one rank needs of another, recipes in shared memory that combine nothing read them straight from the other process, "
             "where the system lets all of them; with `off`, and below, they pass through the memory that is shared. Where ranks "
             "were given different values, the largest counts.",
         .set = [](Settings& settings, const std::string& value) {
             settings.expose_from = value == "off" ? WindowShape::never : parse_bytes(value);
         }});
    table.push_back(
        {.name = "ECHELON_SUMMARY",
         .values = "`text`, `json`, either with `:file`",
         .usual = "none",
         .meaning =
             "A report at MPI_Finalize: the time in collectives over the ranks, what was saved, and by communicator, collective and size what "
             "ran ([the summary](drop_in.md#the-summary)). To standard error, or to a file. In its name `%j` is the job's number, `%h` the host, "
             "`%p` the process's number, `%r` the rank: then every rank reports, else rank 0 does. Programs that MPI_Comm_spawn started "
             "add the number of their process to the name.",
         .set = [](Settings& settings, const std::string& value) {
             settings.summary = parse_summary(value);
         }});
    table.push_back(
        {.name = "ECHELON_TRACE",
         .values = "a file",
         .usual = "none",
         .meaning =
             "A trace of the run for Perfetto or chrome://tracing: a bar for each collective, with recipe and bytes, and for each of its "
             "phases ([the trace](drop_in.md#the-trace)). Names as for `ECHELON_SUMMARY`: with `%r` every rank writes one, else rank 0 "
             "alone.",
         .set = [](Settings& settings, const std::string& value) {
             check_run_name(value);
             settings.trace.file = value;
         }});
    table.push_back(
        {.name = "ECHELON_TRACE_BYTES",
         .values = "sizes, as in `4K-64K`, `1M-`",
         .usual = "all",
         .meaning =
             "The trace has only calls of so many bytes, both ends included, as it tells of them. Others take no longer than without a trace.",
         .set = [](Settings& settings, const std::string& value) {
             settings.trace.bytes = ByteRange::parse(value);
         }});
    table.push_back(
        {.name = "ECHELON_TRACE_CALLS",
         .values = "numbers, as in `100-200`, `100-`",
         .usual = "all",
         .meaning =
             "The trace has only calls from the first number to the second, counted from 1 on each rank: of all calls of the sizes of "
             "`ECHELON_TRACE_BYTES` that Echelon sees.",
         .set = [](Settings& settings, const std::string& value) {
             std::tie(settings.trace.first, settings.trace.last) = parse_calls(value);
         }});
    table.push_back(
        {.name = "ECHELON_WATCHDOG",
         .values = "seconds, 0",
         .usual = "0",
         .meaning =
             "A call that Echelon serves and that takes longer says so once, on each rank: collective, bytes and recipe, the message or the "
             "phase of the MPI library that it waits for, and how many came before; then it goes on. With 0 nothing is watched. Ranks may "
             "differ.",
         .set = [](Settings& settings, const std::string& value) {
             settings.watchdog = parse_number(value);
         }});
    table.push_back(
        {.name = "ECHELON_CONFIG",
         .values = "a file",
         .usual =
             "`$XDG_CONFIG_HOME/echelon.conf` (else `~/.config/echelon.conf`), and `/etc/echelon.conf` before it",
         .meaning = "Lines `NAME = value` with the names of this table. Environment variables win over it.",
         .set = [](Settings&, const std::string&) {}});
    table.push_back(
        {.name = "ECHELON_LAUNCHERS",
         .values = "names with blanks between",
         .meaning = "Programs that start ranks, beside those that `echelon run` knows.",
         .set = [](Settings& settings, const std::string& value) { settings.launchers = value; }});
    table.push_back(
        {.name = "ECHELON_HELP",
         .values = "0, 1",
         .usual = "0",
         .meaning = "With 1, rank 0 prints this table when MPI runs.",
         .set = [](Settings& settings, const std::string& value) { settings.help = parse_switch(value); }});
    return table;
}

std::string without_marks(std::string text) {
    std::erase(text, '`');
    return text;
}

}  // namespace

const std::vector<Setting>& settings_table() {
    // Never destroyed: MPI may call us after the destructors of statics.
    static const auto& table = *new std::vector<Setting>(make_table());
    return table;
}

const Setting* find_setting(std::string_view name) {
    const auto& table = settings_table();
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Setting& row) { return row.name == name; });
    return found == table.end() ? nullptr : &*found;
}

std::string nearest_setting(std::string_view name) {
    std::vector<std::string> names;
    for (const Setting& setting : settings_table()) names.push_back(setting.name);
    return nearest(name, names);
}

Mode parse_mode(std::string_view text) {
    if (text == "auto") return Mode::automatic;
    if (text == "native") return Mode::native;
    if (text == "off") return Mode::off;
    throw Error("'" + std::string(text) + "' is none of auto, native, off");
}

SummaryRequest parse_summary(std::string_view text) {
    const auto colon = text.find(':');
    const std::string_view form = text.substr(0, colon);
    const std::string file(colon == std::string_view::npos ? "" : text.substr(colon + 1));
    if (form == "none" && file.empty()) return {};
    if ((form != "text" && form != "json") || (colon != std::string_view::npos && file.empty()))
        throw Error("'" + std::string(text) + "' is none of text, json, text:file, json:file");
    check_run_name(file);
    return {form == "text" ? SummaryRequest::Form::text : SummaryRequest::Form::json, file};
}

std::string settings_help() {
    std::string text =
        "What can be set (NAME=value in the environment, NAME = value in the configuration file, key in an MPI_Info):\n";
    for (const Setting& row : settings_table()) {
        text += "\n  " + row.name + (row.info_key.empty() ? "" : "   key " + row.info_key) + '\n';
        text += "      " + without_marks(row.meaning) + '\n';
        text +=
            "      values: " + without_marks(row.values) + "; if not set: " + without_marks(row.usual) + '\n';
    }
    return text;
}

std::string settings_page() {
    std::string text =
        "# Settings\n\n"
        "Everything that can be set without changing a program, with what holds if it is not set. `ECHELON_HELP=1` and `echelon settings` "
        "print the same table; this page is made of it (`echelon settings --page`).\n\n"
        "| variable | info key | values | if not set | meaning |\n|---|---|---|---|---|\n";
    const auto cell = [](const std::string& plain) {
        std::string made;
        for (const char c : plain) made += c == '|' ? std::string("\\|") : std::string(1, c);
        return made + " | ";
    };
    for (const Setting& row : settings_table())
        text += "| " + cell('`' + row.name + '`') +
                cell(row.info_key.empty() ? "" : '`' + row.info_key + '`') + cell(row.values) +
                cell(row.usual) + row.meaning + " |\n";
    text +=
        "\n## Which wins\n"
        "What the program forces on a communicator by Echelon's API or by info keys, then environment variables, then the user's "
        "configuration file, then the system's. The settings must be the same on all ranks of a communicator; where they are not, it stays "
        "with the native collectives and a line says so. A wrong value, and a variable `ECHELON_...` that is not in the table, are reported "
        "once by rank 0, and the default holds.\n"
        "\n## Info keys\n"
        "The drop-in library reads them from `MPI_Comm_set_info` and `MPI_Comm_dup_with_info`; keys that a call does not name stay as they "
        "are. `MPI_Comm_dup` inherits them where the MPI library is older than MPI 4.0, which ended that; other ways of making "
        "a communicator do not.\n";
    return text;
}

}  // namespace echelon
