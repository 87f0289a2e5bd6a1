// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/forms.hpp"
#include "estimators/price/replay.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace echelon {

/// Method of a prediction: a replay of the whole recipe, which costs more, or the sum of its phases.
enum class Word : std::uint8_t { whole, sum };
struct Prediction {
    Seconds seconds;
    Word word;
};

/// Concurrent communicators: this one first, then the others. Their ranks are ranks of `whole`.
struct Company {
    Placement whole;
    Siblings communicators;
};

/// Predicts the times of recipes on one communicator of a machine, as a whole and as the sum of their phases.
/// Predictions of whole recipes are cached. Not thread-safe.
class Predictor {
public:
    /// `natives`: times of native parts in sums; it must outlive this object. `company`: the concurrent
    /// communicators, or nullptr if none are known.
    Predictor(const Machine& machine, const Placement& placement, const NativeTimes* natives = nullptr,
              Detail detail = Detail::thorough, const Company* company = nullptr)
        : contention_(placement),
          machine_(seated(machine, placement)),
          sums_(machine_, contention_, natives, detail),
          replay_(machine_, placement),
          natives_(natives),
          detail_(detail) {
        if (company != nullptr) together_.emplace(machine, company->whole, company->communicators);
    }
    Predictor(const Predictor&) = delete;

    /// Time by replay. A recipe with too many messages is replayed with a few of its segments or, if segments
    /// are not the cause, priced by the sum of its phases. Recipes with native parts, and all recipes with
    /// Detail::quick, are priced by the sum. Empty if the recipe cannot serve the call or the times of its
    /// native parts are unknown.
    std::optional<Prediction> whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                    Operation operation);
    std::optional<Prediction> sum(const Recipe& recipe, Collective collective, Bytes bytes,
                                  Operation operation);
    /// Stores a replayed time of a whole recipe from another predictor of the same machine and ranks.
    void remember(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation,
                  Seconds whole) {
        known_.try_emplace(asked(recipe, collective, bytes, operation), Prediction{whole, Word::whole});
    }
    /// Mean time of a call in a CallRow, in which ranks run ahead, by a replay of three calls; of one call if
    /// ranks wait for each other in it. All concurrent communicators make the calls at the same time. With
    /// Detail::quick its lower bound: the work of the busiest port, card or processor. Empty if the recipe is
    /// too long or cannot serve the call; with Detail::quick or concurrent communicators also if the messages
    /// for this collective and size are used up.
    std::optional<Seconds> in_a_row(const Recipe& recipe, Collective collective, Bytes bytes,
                                    Operation operation);
    bool has_company() const { return together_.has_value(); }
    RecipeTimes& sums() { return sums_; }
    /// Times by the papers' closed forms.
    RecipeTimes& forms(Forms::Model model) {
        auto& forms = forms_[std::size_t(model)];
        if (!forms) forms.emplace(machine_, contention_, model, natives_);
        return forms->times();
    }

    const Contention& contention() const { return contention_; }
    /// Number of replayed messages, as a measure of work.
    std::size_t messages() const { return replay_.messages(); }

private:
    std::optional<Seconds> mean_in_a_row(Replay& replay, const Recipe& recipe, Collective collective,
                                         Bytes bytes, Operation operation, std::size_t most);
    std::optional<Seconds> replayed(Replay& replay, const Recipe& recipe, Collective collective, Bytes bytes,
                                    Operation operation);

    using Asked = std::tuple<Collective, Bytes, bool, bool, std::string>;
    static Asked asked(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation) {
        return {collective, bytes, operation.in_order, operation.exact, to_string(recipe)};
    }

    Contention contention_;
    Machine machine_;
    RecipeTimes sums_;
    Replay replay_;
    std::optional<Replay> together_;
    const NativeTimes* natives_;
    Detail detail_;
    std::array<std::optional<Forms>, 2> forms_;  // by model
    std::map<Asked, std::optional<Prediction>> known_;
    std::map<Asked, std::optional<Seconds>> rows_;
    std::map<std::pair<Collective, Bytes>, std::size_t> messages_in_rows_;
};

}  // namespace echelon
