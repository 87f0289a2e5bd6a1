// SPDX-License-Identifier: Apache-2.0
#include "front/told_line.hpp"

#include <iomanip>
#include <sstream>
#include <utility>

namespace echelon {

/// A call of a collective, whatever its size.
PlanKey any_call(Collective collective) {
    return {
        .collective = collective, .in_order = false, .exact = true, .root = 0, .element_size = 1, .count = 0};
}

std::string to_line(const Told& told) {
    std::ostringstream line;
    const PlanKey& key = told.key;
    line << int(key.collective) << '\t' << key.in_order << '\t' << key.exact << '\t' << key.element_size
         << '\t' << key.count << '\t' << told.later << '\t' << told.until << '\t'
         << told.decision.has_value();
    if (told.decision) {
        const Choice& choice = told.decision->choice;
        constexpr int digits = 4;  // nothing is known better than that
        line << std::setprecision(digits);
        line << '\t' << int(choice.source) << ' ' << choice.evidence.native << ' ' << choice.evidence.ours
             << '\t' << to_string(choice.recipe);
        for (const Tournament::Arm& arm : told.decision->arms) {
            if (&arm != &told.decision->arms.front()) line << '\t' << to_string(arm.recipe);
            line << '\t' << arm.expected << ' ' << arm.setup << ' ' << arm.known << ' ' << arm.seen;
        }
    }
    line << '\n';
    return line.str();
}

Told from_line(const std::string& text) {
    std::istringstream line(text);
    int collective = 0, source = 0;
    bool decided = false;
    Told told{any_call(Collective::allreduce)};
    PlanKey& key = told.key;
    line >> collective >> key.in_order >> key.exact >> key.element_size >> key.count >> told.later >>
        told.until >> decided;
    key.collective = Collective(collective);
    if (!decided) return told;
    Evidence evidence;
    line >> source >> evidence.native >> evidence.ours;
    std::string recipe;
    std::getline(line, recipe, '\t');  // what is left of the number's field
    std::getline(line, recipe, '\t');
    told.decision = ToldChoice{
        {.recipe = Recipe::parse(recipe), .source = Source(source), .refusal = {}, .evidence = evidence}};
    Tournament::Arm arm{.recipe = told.decision->choice.recipe};
    while (line >> arm.expected >> arm.setup >> arm.known >> arm.seen) {
        told.decision->arms.push_back(arm);
        line.get();  // the tabulator
        if (!std::getline(line, recipe, '\t')) break;
        arm.recipe = Recipe::parse(recipe);
    }
    return told;
}

}  // namespace echelon
