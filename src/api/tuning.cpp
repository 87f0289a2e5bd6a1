// SPDX-License-Identifier: Apache-2.0
#include "api/tuned.hpp"
#include "hier/lists.hpp"
#include "tuner/on_creation.hpp"
#include "tuner/requests.hpp"
#include "tuner/would_run.hpp"

#include <algorithm>
#include <cstring>

namespace echelon {
namespace {

void add(Tuner& tuner, Collective collective, ByteRange range, const Recipe& recipe, bool strict) {
    // An exact, commutative operation: if the recipe cannot serve it, it can serve none.
    (void)resolve(recipe, collective, tuner.own().placement(true, true), tuner.rank(),
                  {.in_order = false, .exact = true});
    tuner.state().hints().add(collective, range, {recipe, strict});
    tuner.clear_plans();
    provide(tuner, collective, recipe);
}

}  // namespace

ByteRange range_or_throw(std::size_t from, std::size_t to) {
    if (from > to)
        throw Error("bytes " + std::to_string(from) + " to " + std::to_string(to) +
                    ": the end is below the beginning");
    return {from, to};
}

bool& errors_are_thrown() {
    thread_local bool thrown = false;
    return thrown;
}

void copy_text(const std::string& text, char* into, std::size_t length) {
    if (length == 0) return;
    const std::size_t kept = std::min(text.size(), length - 1);
    std::memcpy(into, text.data(), kept);
    into[kept] = '\0';
}

}  // namespace echelon

using namespace echelon;

int echelon_errors_are_thrown(int on) { return std::exchange(errors_are_thrown(), on != 0) ? 1 : 0; }

const char* echelon_error_text(void) { return last_error_text(); }

int echelon_settle(MPI_Comm comm) {
    return tuned(comm, [](Tuner& tuner) { settle(tuner); });
}

int echelon_force(MPI_Comm comm, const char* collective, const char* recipe, size_t from, size_t to,
                  int strict) {
    return tuned(comm, [&](Tuner& tuner) {
        add(tuner, collective_or_throw(collective), range_or_throw(from, to),
            Recipe::parse(text_or_throw(recipe, "recipe")), strict != 0);
    });
}

int echelon_groups(MPI_Comm comm, const char* collective, int group_count, size_t from, size_t to) {
    return tuned(comm, [&](Tuner& tuner) {
        const Collective which = collective_or_throw(collective);
        const auto groups = Groups::count(group_count);
        for (const auto& [sizes, recipe] : leaders_by_size(groups, which, range_or_throw(from, to)))
            add(tuner, which, sizes, recipe, true);
    });
}

int echelon_clear(MPI_Comm comm, const char* collective) {
    return tuned(comm, [&](Tuner& tuner) {
        tuner.state().hints().remove(collective_or_throw(collective));
        tuner.clear_plans();
    });
}

int echelon_would_run(MPI_Comm comm, const char* collective, size_t bytes, char* recipe, size_t length) {
    return tuned(comm, [&](Tuner& tuner) {
        copy_text(would_run(tuner, collective_or_throw(collective), bytes).recipe, recipe, length);
    });
}

int echelon_tell_would_run(MPI_Comm comm, const char* collective, size_t bytes,
                           void (*tell)(void*, const echelon_would_run_told*), void* into) {
    return tuned(comm, [&](Tuner& tuner) {
        const InWords would = would_run(tuner, collective_or_throw(collective), bytes);
        const echelon_would_run_told told{would.recipe.c_str(), would.source.c_str(), would.phases.c_str(),
                                          would.refusal.c_str()};
        tell(into, &told);
    });
}
