// SPDX-License-Identifier: Apache-2.0
#include "front/tool_variables.hpp"

#include "mpi/loaded_function.hpp"
#include "mpi/quirks.hpp"
#include "settings/settings_table.hpp"

#include <cstring>

namespace echelon {

#ifdef ECHELON_REGISTRY_OF_VARIABLES
namespace {

constexpr const char* library = ECHELON_REGISTRY_OF_VARIABLES;
enum Type { unsigned_long_long = 3, string = 5, real = 8 };
enum PerformanceClass { counter = 6, timer = 8, generic = 9 };
constexpr int basic = 0, bound_to_nothing = 0, constant = 0;
constexpr int default_only = 2, read_only = 0x80, continuous = 0x100;

using AddControl = int(const char* project, const char* framework, const char* component, const char* name,
                       const char* description, int type, void* names, int bound, int flags, int verbosity,
                       int scope, void* storage);
using GetValue = int(const void* variable, void* value, void* object);
using AddPerformance = int(const char* project, const char* framework, const char* component,
                           const char* name, const char* description, int verbosity, int kind, int type,
                           void* names, int bound, int flags, GetValue* get, void* set, void* notify,
                           void* context);

template <auto Total>
int get(const void* /*variable*/, void* value, void* /*object*/) {
    Process* const process = Process::instance();
    const Totals totals = process == nullptr ? Totals{} : process->reporter().totals_now();
    const auto found = Total(totals);
    std::memcpy(value, &found, sizeof found);
    return MPI_SUCCESS;
}

double saved(const Totals& totals) { return totals.saved_by_trials.sum + totals.saved_by_profile.sum; }

void add_settings(AddControl& add, const Settings& settings) {
    for (const Setting& setting : settings_table()) {
        const auto given = settings.given.find(setting.name);
        // The registry owns the text; it reads the name and the sentence here alone.
        static constexpr std::size_t prefix = std::string_view("ECHELON_").size();
        std::string name = setting.name.substr(prefix);
        for (char& c : name) c = c == '_' ? c : char(c | 0x20);
        auto* const text = new char*(strdup(given == settings.given.end() ? "" : given->second.c_str()));
        add("echelon", "echelon", nullptr, name.c_str(), setting.meaning.c_str(), string, nullptr,
            bound_to_nothing, default_only, basic, constant, static_cast<void*>(text));
    }
}

void add_totals(AddPerformance& add) {
    const auto one = [&](const char* name, const char* meaning, int kind, int type, GetValue* get_value) {
        add("echelon", "echelon", nullptr, name, meaning, basic, kind, type, nullptr, bound_to_nothing,
            read_only | continuous, get_value, nullptr, nullptr, nullptr);
    };
    using Count = unsigned long long;
    one("calls", "collectives that Echelon saw, counted if ECHELON_SUMMARY asks for a summary", counter,
        unsigned_long_long, get<[](const Totals& totals) { return Count(totals.calls.sum); }>);
    one("calls_served", "those among echelon_calls that were not native", counter, unsigned_long_long,
        get<[](const Totals& totals) { return Count(totals.served.sum); }>);
    one("seconds", "time in these collectives", timer, real,
        get<[](const Totals& totals) { return totals.inside.sum; }>);
    one("seconds_of_echelon", "time for agreements, decisions, splits and trials", timer, real,
        get<[](const Totals& totals) { return totals.cost.sum; }>);
    one("seconds_saved", "time saved against native collectives, where both were measured", generic, real,
        get<[](const Totals& totals) { return saved(totals); }>);
}

}  // namespace

void add_tool_variables(const Process& process) {
    if (auto* const add = loaded_function<AddControl>("mca_base_var_register", library))
        add_settings(*add, process.settings());
    if (auto* const add = loaded_function<AddPerformance>("mca_base_pvar_register", library))
        add_totals(*add);
}
#else
void add_tool_variables(const Process& /*process*/) {}
#endif

}  // namespace echelon
