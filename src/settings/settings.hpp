// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/byte_range.hpp"
#include "settings/recipe_table.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echelon {

/// The choice for calls without a requested recipe: Echelon's, or the MPI library's own collective. With
/// `off` requests are ignored, too.
enum class Mode : std::uint8_t { automatic, native, off };

/// The requested report at the end.
struct SummaryRequest {
    enum class Form : std::uint8_t { none, text, json, prometheus };
    Form form = Form::none;
    /// A pattern of run_name(); empty: standard error. If it does not name ranks, only rank 0 writes.
    std::string file = {};
};

/// The requested trace.
struct TraceRequest {
    /// A pattern of run_name(); empty: no trace.
    std::string file = {};
    /// Sizes of the calls in the trace.
    ByteRange bytes = {};
    /// The first and the last call in the trace: calls of these sizes are counted from 1 on each rank.
    std::uint64_t first = 1, last = std::numeric_limits<std::uint64_t>::max();
};

/// The bits of floating point reductions without a requested recipe. `order`: operands are combined in an
/// order that depends on the numbers of ranks and elements. `any`: the order does not change sums.
enum class Reproducible : std::uint8_t { no, order, any };

/// The settings of environment variables and configuration files, read once per process, or of a
/// communicator's info keys. settings_table() lists all of them. A bad value leaves the default and adds a
/// sentence to `complaints`; it throws no error.
struct Settings {
    std::map<Collective, RecipeTable> recipes = {};
    std::optional<Groups> groups = {};
    std::optional<Mode> mode = {};
    bool strict = false;
    /// Limit for the time of trials, in percent of the time in calls; 0: no trials.
    int trial_percent = 5;
    Reproducible reproducible = Reproducible::no;
    bool keeps_order() const { return reproducible == Reproducible::order; }
    /// Limit for the number of Echelon's own communicators.
    std::optional<int> communicators = {};
    /// Limit for the shared memory of this process, in bytes.
    Bytes window = Bytes(32) << 20;
    /// Ranks of a node read data of at least this many bytes in place, in the other process.
    Bytes expose_from = Bytes(512) << 10;
    /// A thread advances nonblocking and persistent calls. It may differ between ranks.
    bool progress_thread = false;
    /// File or folder of the machine's profile; "none": no profile; empty: the usual places.
    std::string profile = {};
    /// Site and switch of the rank's node; empty: unknown. They may differ between ranks.
    std::string site = {}, leaf_switch = {};
    /// File that keeps the findings of trials; empty: they are not kept.
    std::string learn = {};
    /// Shared library with a model that is asked for times; empty: none.
    std::string advisor = {};
    SummaryRequest summary = {};
    TraceRequest trace = {};
    /// Seconds after which a call reports its pending communication; 0: never.
    int watchdog = 0;
    /// The texts of the values that were given and are right, by name.
    std::map<std::string, std::string> given = {};
    /// Sentences about wrong values and names.
    std::vector<std::string> complaints = {};

    /// Reads the configuration files, then the environment, which wins.
    static Settings from_environment();
    /// Sets the variable `name`. A wrong value or name becomes a complaint that begins with `shown`.
    void read(std::string_view name, const std::string& value, const std::string& shown);
    /// Reads lines `NAME = value`; empty lines and lines that begin with # are skipped. A file that cannot be
    /// read becomes a complaint.
    void read_file(const std::string& path);

    /// True if groups of a recipe depend on more than nodes (Groups::needs_topology).
    bool needs_topology() const;
    /// Equal on ranks with equal settings, as far as ranks must agree on them.
    std::uint64_t fingerprint() const;
};

}  // namespace echelon
