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

/// Expected times of recipes on one communicator, by model and measurement together. Not thread-safe.
class Judge {
public:
    /// A profile without parameters contributes its samples alone. `company`: see Predictor.
    Judge(std::shared_ptr<const Profile> profile, Placement placement, Detail detail,
          const Company* company = nullptr);
    Judge(const Judge&) = delete;

    /// Candidates for a call, and native if its time is known, in no order.
    std::vector<Candidate> candidates(Collective collective, Bytes bytes, Operation operation, Width width);
    /// One recipe, by a replay of the whole; nullopt if its time is unknown.
    std::optional<Candidate> candidate(const Recipe& recipe, Collective collective, Bytes bytes,
                                       Operation operation);
    /// Least time measured around this size if measurements alone suffice for a decision, else 0. Unlimited
    /// if the measurements give no time without the model.
    Seconds fastest_measured(Collective collective, Bytes bytes);
    /// Time by the model alone.
    std::optional<Prediction> predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                        Operation operation, Word word);

    /// The native collective, without a replay; nullopt if its time is unknown.
    std::optional<Candidate> native(Collective collective, Bytes bytes);
    /// Like native(), but by replays of its surrogate if native was not measured on these ranks and the
    /// surrogate is more precise.
    std::optional<Candidate> native_replayed(Collective collective, Bytes bytes);

    /// See Predictor::in_a_row().
    std::optional<Seconds> in_a_row(const Recipe& recipe, Collective collective, Bytes bytes,
                                    Operation operation) {
        return model_.in_a_row(recipe, collective, bytes, operation);
    }
    /// See KnownSamples::row_share().
    std::optional<double> row_share(const Recipe& recipe, Collective collective, Bytes bytes) {
        return known(collective).row_share(recipe, bytes);
    }
    bool has_company() const { return model_.has_company(); }

    /// True if a recipe can serve the call, including native parts of unknown time.
    bool serves(const Recipe& recipe, Collective collective, Operation operation) const;

    const Profile& profile() const { return *profile_; }
    const Placement& placement() const { return placement_; }
    /// Kind of messages among these ranks that the profile's calibration did not measure (not_measured() of
    /// Parameters); empty if all were. No gain is promised for recipes with unmeasured messages.
    std::string_view not_measured() const;
    const Contention& contention() const { return model_.contention(); }
    RecipeTimes& sums() { return model_.sums(); }
    RecipeTimes& forms(Forms::Model model) { return model_.forms(model); }
    const std::string& layout() const { return layout_; }

private:
    KnownSamples& known(Collective collective);
    /// Ratios of measured to predicted time of a series around this size.
    Curve curve(Series& series, Collective collective, Bytes bytes, Word word);
    Candidate judged(const Recipe& recipe, std::optional<Prediction> model, Collective collective,
                     Bytes bytes, KnownSamples& known);
    struct Asked;
    static bool is_certain(const Recipe& recipe, const Asked& asked);
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
