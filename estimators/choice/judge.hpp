// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/candidate.hpp"
#include "estimators/choice/candidates.hpp"
#include "estimators/fit/family_factors.hpp"
#include "estimators/price/predictor.hpp"
#include "estimators/profile/known_samples.hpp"

#include <map>
#include <memory>

namespace echelon {

/// What each recipe is expected to take on one communicator, by model and measurement together. Not for several
/// threads.
class Judge {
public:
    /// A profile without parameters knows its samples alone. `company`: as the predictor's.
    Judge(std::shared_ptr<const Profile> profile, Placement placement, Detail detail,
          const Company* company = nullptr);
    Judge(const Judge&) = delete;

    /// The candidates of such a call and native, where something is known of it, in no order.
    std::vector<Candidate> candidates(Collective collective, Bytes bytes, Operation operation, Width width);
    /// One recipe, by a replay of the whole; nullopt if nothing is known of it.
    std::optional<Candidate> candidate(const Recipe& recipe, Collective collective, Bytes bytes,
                                       Operation operation);
    /// Where enough was measured around that size to decide among that alone, what the fastest of that takes, as far as it tells
    /// without the model (unlimited: not at all); else 0.
    Seconds fastest_measured(Collective collective, Bytes bytes);
    /// The model's word alone.
    std::optional<Prediction> predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                        Operation operation, Word word);

    /// The native collective, without a replay; nullopt if nothing is known of it.
    std::optional<Candidate> native(Collective collective, Bytes bytes);
    /// The same, by replays of what it behaves like, where it was not measured on these ranks and that tells more.
    std::optional<Candidate> native_replayed(Collective collective, Bytes bytes);

    bool has_company() const { return model_.has_company(); }
    /// How many times as long a recipe takes where all call that are made beside the communicator; nullopt: it is not known.
    std::optional<double> in_company(const Recipe& recipe, Collective collective, Bytes bytes,
                                     Operation operation);

    /// Whether a recipe can serve such calls; with native parts, too, of which the model may say nothing.
    bool serves(const Recipe& recipe, Collective collective, Operation operation) const;

    const Profile& profile() const { return *profile_; }
    const Placement& placement() const { return placement_; }
    /// Of the messages among these ranks, those that the profile's machine was never asked about (not_measured()). Nothing
    /// is promised there that was not measured there.
    std::string_view not_measured() const;
    const Contention& contention() const { return model_.contention(); }
    RecipeTimes& sums() { return model_.sums(); }
    RecipeTimes& forms(Forms::Model model) { return model_.forms(model); }
    const std::string& layout() const { return layout_; }

private:
    KnownSamples& known(Collective collective);
    /// The measured shares of a series around this size.
    Curve curve(Series& series, Collective collective, Bytes bytes, Word word);
    Candidate judged(const Recipe& recipe, std::optional<Prediction> model, Collective collective,
                     Bytes bytes, KnownSamples& known);
    struct Asked;
    std::vector<Candidate> proposed(const Asked& asked, const std::vector<const Recipe*>& near);
    void add_measured(std::vector<Candidate>& list, const Asked& asked,
                      const std::vector<const Recipe*>& near);
    std::optional<Candidate> measured(const Recipe& recipe, const Asked& asked, Seconds least);

    std::shared_ptr<const Profile> profile_;
    Placement placement_;
    std::string layout_;
    NativeTimes natives_;
    Predictor model_;
    std::map<Collective, KnownSamples> known_;
    FamilyFactors factors_;
};

}  // namespace echelon
