// SPDX-License-Identifier: Apache-2.0
#include "tuner/decision_line.hpp"

#include <iomanip>
#include <sstream>
#include <utility>

namespace echelon {

/// A call of a collective of any size.
PlanKey any_call(Collective collective) {
    return {
        .collective = collective, .in_order = false, .exact = true, .root = 0, .element_size = 1, .count = 0};
}

std::string to_line(const DecisionMessage& message) {
    std::ostringstream line;
    const PlanKey& key = message.key;
    line << int(key.collective) << '\t' << key.in_order << '\t' << key.exact << '\t' << key.element_size
         << '\t' << key.count << '\t' << message.later << '\t' << message.until << '\t'
         << message.decision.has_value();
    if (message.decision) {
        const Choice& choice = message.decision->choice;
        constexpr int digits = 4;  // measurements are no more precise
        line << std::setprecision(digits);
        line << '\t' << int(choice.source) << ' ' << choice.evidence.native << ' ' << choice.evidence.ours
             << '\t' << to_string(choice.recipe);
        for (const Tournament::Arm& arm : message.decision->arms) {
            if (&arm != &message.decision->arms.front()) line << '\t' << to_string(arm.recipe);
            line << '\t' << arm.expected << ' ' << arm.setup << ' ' << arm.known << ' ' << arm.seen;
        }
    }
    line << '\n';
    return line.str();
}

DecisionMessage from_line(const std::string& text) {
    std::istringstream line(text);
    int collective = 0, source = 0;
    bool decided = false;
    DecisionMessage message{any_call(Collective::allreduce)};
    PlanKey& key = message.key;
    line >> collective >> key.in_order >> key.exact >> key.element_size >> key.count >> message.later >>
        message.until >> decided;
    key.collective = Collective(collective);
    if (!decided) return message;
    Evidence evidence;
    line >> source >> evidence.native >> evidence.ours;
    std::string recipe;
    std::getline(line, recipe, '\t');  // the rest of the number's field
    std::getline(line, recipe, '\t');
    message.decision = CallDecision{
        {.recipe = Recipe::parse(recipe), .source = Source(source), .refusal = {}, .evidence = evidence}};
    Tournament::Arm arm{.recipe = message.decision->choice.recipe};
    while (line >> arm.expected >> arm.setup >> arm.known >> arm.seen) {
        message.decision->arms.push_back(arm);
        line.get();  // the tabulator
        if (!std::getline(line, recipe, '\t')) break;
        arm.recipe = Recipe::parse(recipe);
    }
    return message;
}

}  // namespace echelon
