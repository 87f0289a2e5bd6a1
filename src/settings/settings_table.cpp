// SPDX-License-Identifier: Apache-2.0
#include "settings/settings_table.hpp"

#include "core/error.hpp"
#include "core/spelling.hpp"
#include "core/window.hpp"
#include "core/words.hpp"
#include "hier/byte_range.hpp"
#include "hier/recipe.hpp"
#include "settings/run_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace echelon {
namespace {

/// In ASCII alone: Turkish locales have another capital of i.
std::string upper(std::string_view text) {
    std::string made(text);
    for (char& c : made)
        if ('a' <= c && c <= 'z') c = char(c - 'a' + 'A');
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
        throw Error("'" + text + "' is not a whole number from 0 on");
    return number;
}

/// The first and the last call of a range.
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

using Take = std::function<void(const std::string& value)>;

/// Reads parts `name=value`, which commas separate. The part "" is the first one, if it has no known name.
/// Error: an unknown part, or a value that its part refuses; the sentence ends with `form`.
void read_parts(const std::string& text, const std::string& form, const std::map<std::string, Take>& parts) {
    const auto unnamed = parts.find("");
    bool first = true;
    try {
        for (const std::string& one : split(text, ',')) {
            const auto equals = one.find('=');
            const auto named = equals == std::string::npos ? parts.end() : parts.find(one.substr(0, equals));
            if (named != parts.end() && named != unnamed)
                named->second(one.substr(equals + 1));
            else if (first && unnamed != parts.end())
                unnamed->second(one);
            else
                throw Error("'" + one + "' is unknown");
            first = false;
        }
    } catch (const Error& error) {
        throw Error(std::string(error.what()) + "; the form is " + form);
    }
}

TraceRequest parse_trace(const std::string& text) {
    const std::string form = "FILE[,bytes=4K-64K][,calls=100-200]";
    TraceRequest made;
    const auto set_calls = [&](const std::string& calls) {
        std::tie(made.first, made.last) = parse_calls(calls);
    };
    read_parts(text, form,
               {{"", [&](const std::string& file) { made.file = file; }},
                {"bytes", [&](const std::string& sizes) { made.bytes = ByteRange::parse(sizes); }},
                {"calls", set_calls}});
    if (made.file.empty()) throw Error("'" + text + "' names no file; the form is " + form);
    check_run_name(made.file);
    return made;
}

std::vector<Setting> make_table() {
    std::vector<Setting> table;
    for (const Collective collective : all_collectives) {
        const std::string plain(name(collective));
        table.push_back({.name = "ECHELON_" + upper(plain),
                         .info_key = "echelon_" + plain,
                         .values = "a recipe, recipes by size, `auto`",
                         .usual = "auto",
                         .meaning = collective == Collective::reduce_scatter
                                        ? "The recipe of reduce_scatter and reduce_scatter_block."
                                    : collective == Collective::allgather
                                        ? "The recipe of allgather and allgatherv."
                                    : has_own_blocks(collective)
                                        ? "The recipe of " + plain +
                                              "; a recipe for all sizes is also that of " + plain + "v."
                                        : "The recipe of " + plain + ".",
                         .set = [collective](Settings& settings, const std::string& value) {
                             settings.recipes[collective] = RecipeTable::parse(value);
                         }});
    }
    table.push_back(
        {.name = "ECHELON_GROUPS",
         .info_key = "echelon_groups",
         .values = "groups, like in recipes: `sqrt`, `G=8`, `size=4`, `site`, `switch`, `node`, `package`, "
                   "`numa`, `l3`, `ranks=0-3;4-7`, or `auto`",
         .usual = "auto",
         .meaning =
             "If no recipe is requested, allreduce, reduce and bcast of all sizes run over the leaders of "
             "these groups.",
         .set = [](Settings& settings, const std::string& value) {
             settings.groups = value == "auto" ? std::nullopt : std::optional(Groups::parse(value));
         }});
    table.push_back(
        {.name = "ECHELON_PLACE",
         .values = "`site=NAME`, `switch=NAME`, or both with a comma between them",
         .usual = "the switch from Slurm, if it knows a tree of switches",
         .meaning =
             "The place of this rank's node. The site is the name of a building, a zone or a cabinet, equal "
             "for nodes near each other. The switch is equal for all nodes on it; sites share no switches, "
             "even with equal names. Ranks may have different values. Groups `site` and `switch` use these "
             "names if all ranks have one. Otherwise they use the leaf switch in `SLURM_TOPOLOGY_ADDR`, or "
             "the profile, if its calibration found nodes far apart or knew the switches.",
         .set = [](Settings& settings, const std::string& value) {
             std::string site, leaf_switch;
             const auto name_of = [](std::string& place) {
                 return [&place](const std::string& name) {
                     if (name.empty()) throw Error("a name is empty");
                     place = name;
                 };
             };
             read_parts(value, "site=NAME,switch=NAME, or one of them",
                        {{"site", name_of(site)}, {"switch", name_of(leaf_switch)}});
             settings.site = site;
             settings.leaf_switch = leaf_switch;
         }});
    table.push_back(
        {.name = "ECHELON_MODE",
         .info_key = "echelon_mode",
         .values = "`auto`, `native`, `off`",
         .usual = "auto",
         .meaning =
             "The choice for calls without a requested recipe: Echelon's (`auto`), or the MPI library's "
             "own collective (`native`). With `off` requested recipes are ignored, too.",
         .set = [](Settings& settings, const std::string& value) { settings.mode = parse_mode(value); }});
    table.push_back(
        {.name = "ECHELON_PROFILE",
         .values = "a file, a folder of files, `none`",
         .usual =
             "the first that fits: `profile.json`, then files in `profile.d`, in "
             "`$XDG_CONFIG_HOME/echelon` (else `~/.config/echelon`), `/etc/echelon`, and `lib/echelon` of "
             "the installation",
         .meaning =
             "The profile of this machine, made by `echelon-calibrate`. The automatic choice uses it. Rank "
             "0 reads it for all ranks. `echelon profiles` lists the profiles.",
         .set = [](Settings& settings, const std::string& value) { settings.profile = value; }});
    table.push_back(
        {.name = "ECHELON_LEARN",
         .values = "a file",
         .usual = "none",
         .meaning =
             "A profile that keeps the findings of trials. A program adds its findings at MPI_Finalize. "
             "The next program with as many ranks in the same layout begins with them. Programs may end at "
             "the same time. The file may be the one of ECHELON_PROFILE.",
         .set = [](Settings& settings, const std::string& value) { settings.learn = value; }});
    table.push_back(
        {.name = "ECHELON_STRICT",
         .values = "0, 1",
         .usual = "0",
         .meaning = "With 1, a requested recipe that cannot serve a call is an MPI error. With 0, the native "
                    "collective runs, and one message reports it.",
         .set = [](Settings& settings, const std::string& value) { settings.strict = parse_switch(value); }});
    table.push_back(
        {.name = "ECHELON_TRIALS",
         .values = "0 to 50",
         .usual = std::to_string(Settings{}.trial_percent),
         .meaning =
             "Limit for the time of trials of other recipes, in percent of the time in the calls of one "
             "collective and size. The limit is at most 2 in the first 200 calls, and falls to a tenth "
             "when the trials have found the fastest recipe. On one node MPI_Init compares shared memory "
             "with the library, for up to 4 % of its time per percent. With 0 there are no trials.",
         .set = [](Settings& settings, const std::string& value) {
             const int percent = parse_number(value);
             if (percent > 50) throw Error("'" + value + "' is above 50");
             settings.trial_percent = percent;
         }});
    table.push_back(
        {.name = "ECHELON_REPRODUCIBLE",
         .values = "0, 1, `any`",
         .usual = "0",
         .meaning =
             "With 1, reductions without a requested recipe combine their operands in an order that "
             "depends only on the numbers of ranks and elements: every run gives the same bits. There are "
             "no trials, and native reductions do not run. With `any`, the bits of a blocking MPI_SUM of "
             "`float`, `double` and their complex types depend on the operands alone, under every recipe, "
             "number of ranks and placement, and the choice stays free; other reductions of floating point "
             "numbers are as with 1.",
         .set = [](Settings& settings, const std::string& value) {
             if (value != "any" && value != "0" && value != "1")
                 throw Error("'" + value + "' is none of 0, 1 and any");
             settings.reproducible = value == "any" ? Reproducible::any
                                     : value == "1" ? Reproducible::order
                                                    : Reproducible::no;
         }});
    table.push_back(
        {.name = "ECHELON_COMMUNICATORS",
         .values = "a number from 0 on",
         .usual = "800; 0 with Open MPI and `MPI_THREAD_MULTIPLE`",
         .meaning =
             "Limit for the number of Echelon's own communicators in each process. A quarter of them may "
             "be for groups of ranks; beyond that, groups use the communicator of all ranks. With 0 the "
             "drop-in library makes only one, in `MPI_Init`, for all messages; recipes with native phases "
             "are refused.",
         .set = [](Settings& settings, const std::string& value) {
             settings.communicators = parse_number(value);
         }});
    table.push_back(
        {.name = "ECHELON_WINDOW",
         .values = "bytes, like `8M`, and `read=256K` or `read=off`, like `8M,read=off`; or one of them",
         .usual = format_bytes(Settings{}.window) + ",read=" + format_bytes(Settings{}.expose_from),
         .meaning =
             "Limit for the memory of `shm` recipes in each process; [about 297K for each set of "
             "processes](shared_memory.md#the-memory). Beyond the limit messages replace shared memory, "
             "and one rank reports it if `shm` was requested. With 0 there is no shared memory. `read`: "
             "the number of bytes from which a rank [reads another's elements in "
             "place](shared_memory.md#long-vectors-one-copy); `off`: never. If the values of ranks differ, "
             "the largest one counts.",
         .set = [](Settings& settings, const std::string& value) {
             Bytes window = Settings{}.window, read = Settings{}.expose_from;
             read_parts(value, "8M,read=256K, or one of them; read=off reads nothing directly",
                        {{"", [&](const std::string& bytes) { window = parse_bytes(bytes); }},
                         {"read", [&](const std::string& from) {
                              read = from == "off" ? WindowShape::never : parse_bytes(from);
                          }}});
             settings.window = window;
             settings.expose_from = read;
         }});
    table.push_back(
        {.name = "ECHELON_PROGRESS",
         .values = "`calls`, `thread`",
         .usual = "calls",
         .meaning =
             "Nonblocking and persistent collectives advance in the program's own MPI calls, which needs a "
             "level below `MPI_THREAD_MULTIPLE`, or by a thread in each process, which needs this level "
             "([what it costs](drop_in.md#nonblocking-collectives)). Ranks may have different values.",
         .set = [](Settings& settings, const std::string& value) {
             if (value != "calls" && value != "thread")
                 throw Error("'" + value + "' is neither calls nor thread");
             settings.progress_thread = value == "thread";
         }});
    table.push_back(
        {.name = "ECHELON_ADVISOR",
         .values = "a shared library",
         .usual = "none",
         .meaning = "Its function `echelon_advise` is asked for the time of each recipe when rank 0 decides "
                    "([how](extending.md#a-model-of-your-own)).",
         .set = [](Settings& settings, const std::string& value) { settings.advisor = value; }});
    table.push_back(
        {.name = "ECHELON_SUMMARY",
         .values = "`text`, `json`, `prometheus`, each with `:file` or without",
         .usual = "none",
         .meaning =
             "A report at MPI_Finalize: the time in collectives over the ranks, the time saved, and the "
             "recipes that ran, by communicator, collective and size ([the "
             "summary](drop_in.md#the-summary)). It goes to standard error or to a file. In the file's "
             "name `%j` is the job's number, `%h` the host, `%p` the process's number, and `%r` the rank. "
             "With `%r` every rank reports, otherwise rank 0. Programs started by MPI_Comm_spawn append "
             "the number of their process to the name.",
         .set = [](Settings& settings, const std::string& value) {
             settings.summary = parse_summary(value);
         }});
    table.push_back(
        {.name = "ECHELON_TRACE",
         .values = "a file, and behind it `,bytes=4K-64K` and `,calls=100-200` for some of the calls",
         .usual = "none",
         .meaning =
             "A trace of the run for Perfetto or chrome://tracing: a bar for each collective, with its "
             "recipe and bytes, and a bar for each of its phases ([the trace](drop_in.md#the-trace)). The "
             "name may have the placeholders of `ECHELON_SUMMARY`. With `%r` every rank writes a trace, "
             "otherwise only rank 0. `bytes` selects calls by size, and `calls` by number among these, "
             "from 1 on. Both ends count; the upper one may be missing, like `1M-`.",
         .set = [](Settings& settings, const std::string& value) { settings.trace = parse_trace(value); }});
    table.push_back(
        {.name = "ECHELON_WATCHDOG",
         .values = "whole seconds",
         .usual = "0",
         .meaning =
             "A call in Echelon that takes longer reports itself once, on each rank, and continues. The "
             "report has collective, bytes and recipe, the message or the native phase for which the call "
             "waits, and the number of messages that have come. With 0 there are no reports. Ranks may "
             "have different values.",
         .set = [](Settings& settings, const std::string& value) {
             settings.watchdog = parse_number(value);
         }});
    table.push_back(
        {.name = "ECHELON_CONFIG",
         .values = "a file",
         .usual =
             "`/etc/echelon.conf`, then `$XDG_CONFIG_HOME/echelon.conf` (else `~/.config/echelon.conf`), "
             "which wins",
         .meaning =
             "A file with lines `NAME = value`, with the names of this table. Environment variables win "
             "over it.",
         .set = [](Settings&, const std::string&) {}});
    return table;
}

constexpr const char* by_size_rule =
    "Recipes by size are written `0-4K: native; 4K-: ring`: both ends count, and of ranges that overlap the "
    "last one holds.";

std::string without_marks(std::string text) {
    std::erase(text, '`');
    return text;
}

}  // namespace

const std::vector<Setting>& settings_table() {
    // The table is never destroyed: MPI may call Echelon after the destructors of statics.
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

std::span<const RemovedSetting> removed_settings() {
    static constexpr std::array<RemovedSetting, 8> removed{{
        {"ECHELON_CALIBRATION", "leave it out: programs do not measure the machine"},
        {"ECHELON_HELP", "the command 'echelon settings' prints the settings"},
        {"ECHELON_LAUNCHERS", "write echelon run --launcher NAME"},
        {"ECHELON_SINGLE_COPY", "write ECHELON_WINDOW=read=512K, or ECHELON_WINDOW=read=off"},
        {"ECHELON_SITE", "write ECHELON_PLACE=site=NAME"},
        {"ECHELON_SWITCH", "write ECHELON_PLACE=switch=NAME"},
        {"ECHELON_TRACE_BYTES", "write ECHELON_TRACE=FILE,bytes=4K-64K"},
        {"ECHELON_TRACE_CALLS", "write ECHELON_TRACE=FILE,calls=100-200"},
    }};
    return removed;
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
    using Form = SummaryRequest::Form;
    constexpr std::array forms{std::pair("text", Form::text), std::pair("json", Form::json),
                               std::pair("prometheus", Form::prometheus)};
    const auto asked = std::ranges::find(forms, form, [](const auto& one) { return one.first; });
    if (asked == forms.end() || (colon != std::string_view::npos && file.empty()))
        throw Error("'" + std::string(text) +
                    "' is none of text, json, prometheus, text:file, json:file, prometheus:file");
    check_run_name(file);
    return {asked->second, file};
}

std::string brief(const Setting& setting) {
    const std::string meaning = without_marks(setting.meaning);
    return setting.name + ". " + meaning.substr(0, meaning.find(". ")) +
           (meaning.find(". ") == std::string::npos ? "" : ".");
}

std::string settings_help() {
    std::string text =
        "The settings (NAME=value in the environment, NAME = value in the configuration file, key in an MPI_Info).\n";
    text += without_marks(by_size_rule) + '\n';
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
        "All settings that need no change of a program, and their defaults. `echelon settings` prints the "
        "same table, `echelon settings --page` this page. ";
    text += by_size_rule;
    text += "\n\n| variable | info key | values | if not set | meaning |\n|---|---|---|---|---|\n";
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
        "Recipes that the program forces on a communicator, by Echelon's API or by info keys, win over environment "
        "variables. These win over the user's configuration file, and this over the system's. All ranks of a "
        "communicator must have the same settings. If they differ, the communicator keeps the native collectives, "
        "and one message reports it. Rank 0 reports wrong values, and variables `ECHELON_...` that are not in the "
        "table, once; their settings keep the defaults.\n"
        "\n## Info keys\n"
        "The drop-in library reads them from `MPI_Comm_set_info` and `MPI_Comm_dup_with_info`; keys that a call does "
        "not name keep their values. `MPI_Comm_dup` copies them if the MPI library is older than MPI 4.0, which "
        "abolished that. Other calls that make communicators do not copy them.\n";
    return text;
}

}  // namespace echelon
