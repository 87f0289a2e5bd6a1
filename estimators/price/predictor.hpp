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

/// What a model says: by a replay of the whole, which costs more, or by the sum of the phases.
enum class Word : std::uint8_t { whole, sum };
struct Prediction {
    Seconds seconds;
    Word word;
};

/// Who calls at the same time, of all ranks of a machine: the communicator's first, then those of the others.
struct Company {
    Placement whole;
    Siblings communicators;
};

/// A machine's word on one communicator: what recipes take as a whole, and as the sum of their phases. The whole is
/// remembered. Not for several threads.
class Predictor {
public:
    /// `natives`: what native parts take in sums; it must outlive this. `company`: nullptr where nobody else is known to call.
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

    /// By replay; of one with very many messages by those of a few segments, or where it is not segments that make so many, the sum of
    /// its phases: as of all that have native parts with a price, and of all where the detail is quick. Nullopt: it cannot serve, or
    /// nothing is known of its native parts.
    std::optional<Prediction> whole(const Recipe& recipe, Collective collective, Bytes bytes,
                                    Operation operation);
    std::optional<Prediction> sum(const Recipe& recipe, Collective collective, Bytes bytes,
                                  Operation operation);
    /// The whole, as another predictor of this machine and these ranks has replayed it.
    void remember(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation,
                  Seconds whole) {
        known_.try_emplace(asked(recipe, collective, bytes, operation), Prediction{whole, Word::whole});
    }
    bool has_company() const { return together_.has_value(); }
    /// What a recipe takes while they all run it, by replay; nullopt: nobody else does, or it is too long or cannot serve, or
    /// so much was replayed for such calls that no more is.
    std::optional<Seconds> in_company(const Recipe& recipe, Collective collective, Bytes bytes,
                                      Operation operation);
    RecipeTimes& sums() { return sums_; }
    /// By the papers' closed forms.
    RecipeTimes& forms(Forms::Model model) {
        auto& forms = forms_[std::size_t(model)];
        if (!forms) forms.emplace(machine_, contention_, model, natives_);
        return forms->times();
    }

    const Contention& contention() const { return contention_; }
    /// Replayed so far: what the work is measured in.
    std::size_t messages() const { return replay_.messages(); }

private:
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
    std::map<std::pair<Collective, Bytes>, std::size_t> messages_together_;
    const NativeTimes* natives_;
    Detail detail_;
    std::array<std::optional<Forms>, 2> forms_;  // by model
    std::map<Asked, std::optional<Prediction>> known_;
};

}  // namespace echelon
