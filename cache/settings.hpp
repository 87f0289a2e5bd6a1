// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/recipe_table.hpp"
#include "core/collective.hpp"
#include "hier/byte_range.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// What runs where nothing is asked for: what Echelon chooses, or the MPI library's own collective. With
/// `off` nothing else can be asked for.
enum class Mode : std::uint8_t { automatic, native, off };

/// The report at the end that was asked for.
struct SummaryRequest {
    enum class Form : std::uint8_t { none, text, json };
    Form form = Form::none;
    /// Empty: standard error. A run_name(); where it does not name ranks, rank 0 alone writes.
    std::string file = {};
};

/// The trace that was asked for.
struct TraceRequest {
    /// A run_name(); empty: none.
    std::string file = {};
    /// Calls of other sizes are not in it.
    ByteRange bytes = {};
    /// Of the calls of these sizes the first and the last, counted from 1 on each rank.
    std::uint64_t first = 1, last = std::numeric_limits<std::uint64_t>::max();
};

/// What was asked for from outside of the program: by environment variables and configuration files, read
/// once. settings_table() lists what there is. Error sentences are collected, not thrown: a bad value leaves
/// the default.
struct Settings {
    std::map<Collective, RecipeTable> recipes = {};
    std::optional<Groups> groups = {};
    std::optional<Mode> mode = {};
    bool strict = false;
    /// Of the time in the calls may be spent on trying other recipes; 0: nothing is tried.
    int trial_percent = 5;
    /// Communicators without a profile may be measured, briefly.
    bool calibrate = true;
    /// The order in which operands are combined depends on p, count and recipe alone.
    bool reproducible = false;
    /// Of our own, at most.
    std::optional<int> communicators = {};
    /// Bytes of shared memory, at most, that are a process's part.
    Bytes window = Bytes(32) << 20;
    /// What ranks read of each other in memory they share, if it has so many bytes, is read where it lies.
    Bytes expose_from = Bytes(512) << 10;
    /// File of the machine's profile; "none": no profile; empty: where profiles are looked for.
    std::string profile = {};
    /// Where the rank's node is, and on which switch; empty: unknown. Ranks differ.
    std::string site = {}, leaf_switch = {};
    /// Programs of a site that start ranks, with blanks between.
    std::string launchers = {};
    /// File in which findings survive; empty: nowhere.
    std::string learn = {};
    SummaryRequest summary = {};
    TraceRequest trace = {};
    /// Seconds after which a call says what it waits for; 0: never.
    int watchdog = 0;
    bool help = false;
    /// Sentences about what could not be used.
    std::vector<std::string> complaints = {};

    /// The configuration files, then the environment, which wins.
    static Settings from_environment();
    /// Takes over NAME=value; in the end from whatever source. A wrong value or name becomes a complaint that
    /// begins with `where`.
    void read(std::string_view name, const std::string& value, const std::string& where);
    /// Lines `NAME = value`; empty lines and those that begin with # are skipped. A file that cannot be read
    /// becomes a complaint.
    void read_file(const std::string& path);

    /// A recipe asks for more than nodes (Groups::needs_topology).
    bool needs_topology() const;
    /// Equal for ranks that were asked the same.
    std::uint64_t fingerprint() const;
};

}  // namespace echelon
