// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/precompute.hpp"

#include "core/format.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace echelon {
namespace {

/// Rounds like the profile's file does: readers then decide like the writer.
double written(double number) {
    const std::string text = format("%.4g", number);
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Compares two choices or two precomputed decisions.
bool is_same(const auto& a, const auto& b) { return a.recipe == b.recipe && a.rivals == b.rivals; }

/// Precomputed calls of one collective, with exact or with rounding operations.
class Foresight {
public:
    Foresight(Decider& decider, Collective collective, bool exact)
        : decider_(decider), collective_(collective), exact_(exact) {}

    const Decider::Chosen& chosen(Bytes bytes) {
        return decider_.chosen(collective_, bytes, operation(), Policy::model);
    }

    void add(Bytes bytes) {
        const Decider::Chosen& found = chosen(bytes);
        if (made_.empty() || !is_same(found, made_.back()))
            made_.push_back({.collective = collective_,
                             .p = decider_.placement().size(),
                             .layout = decider_.layout(),
                             .exact = exact_,
                             .recipe = found.recipe,
                             .rivals = found.rivals});
        Foreseen::Point point{
            .bytes = bytes, .measured = found.seconds > 0 && found.native_seconds > 0, .seconds = {}};
        std::vector<Recipe> recipes{found.recipe, Recipe()};
        recipes.insert(recipes.end(), found.rivals.begin(), found.rivals.end());
        for (const Recipe& recipe : recipes) {
            const Seconds alone = decider_.expected(recipe, collective_, bytes, operation()),
                          here = decider_.in_a_program(recipe, collective_, bytes, operation());
            point.seconds.push_back(written(alone));
            point.paces.push_back(alone > 0 ? written(here / alone) : 1);
        }
        if (std::ranges::all_of(point.paces, [](double pace) { return pace == 1; })) point.paces.clear();
        made_.back().points.push_back(std::move(point));
    }

    std::vector<Foreseen> made() && { return std::move(made_); }

private:
    Operation operation() const { return {.in_order = false, .exact = exact_}; }

    Decider& decider_;
    Collective collective_;
    bool exact_;
    std::vector<Foreseen> made_;
};

}  // namespace

std::vector<Foreseen> foresee(Decider& decider, const std::vector<Collective>& collectives,
                              const std::function<bool()>& in_time) {
    std::vector<Foreseen> all;
    for (const Collective collective : collectives) {
        Foresight exact(decider, collective, true), rounding(decider, collective, false);
        const auto add = [&](Bytes bytes) {
            if (!in_time()) return false;
            exact.add(bytes);
            // Recipes that serve rounding operations serve exact ones too: mostly both have the same choice.
            if (reduces(collective) && !is_same(rounding.chosen(bytes), exact.chosen(bytes)))
                rounding.add(bytes);
            return true;
        };
        constexpr unsigned least = UsualSizes::least_exponent, most = UsualSizes::most_exponent;
        const auto differs_from_next = [&](unsigned exponent) {
            return exact.chosen(UsualSizes::power(exponent)).recipe !=
                   exact.chosen(UsualSizes::power(exponent + 1)).recipe;
        };
        if (collective == Collective::barrier)
            add(0);
        else
            for (unsigned exponent = least; add(UsualSizes::power(exponent)) && exponent < most; ++exponent)
                if (in_time() && differs_from_next(exponent)) add(UsualSizes::between(exponent));
        for (Foresight* const one : {&exact, &rounding})
            for (Foreseen& foreseen : std::move(*one).made()) all.push_back(std::move(foreseen));
    }
    return all;
}

}  // namespace echelon
