// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"
#include "measure/trainer.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace echelon::bench {

/// What a choice costs: its time over the best of all recipes measured, minus 1.
struct RegretCell {
    /// Which communicator was asked.
    std::string part = "all";
    int ranks = 0;
    Collective collective = Collective::allreduce;
    Bytes bytes = 0;
    std::string chosen, source, best;
    /// Of the choice, of the best, of the MPI library's own collective; medians.
    double seconds = 0, best_seconds = 0, native_seconds = 0;
    /// Half the widths of the intervals of choice and best together, as a share: what noise alone may make.
    double noise = 0;
    /// How many were measured.
    std::size_t recipes = 0;
    /// What others would have chosen (models, policies), by name, and the time of that.
    struct Other {
        std::string name, recipe;
        double seconds = 0;
    };
    std::vector<Other> others = {};
    /// Of every recipe that was measured.
    std::vector<std::pair<std::string, double>> times = {};

    double regret() const { return seconds / best_seconds - 1; }
    /// Above 0: slower than native.
    double against_native() const { return seconds / native_seconds - 1; }
};

struct RegretSummary {
    double mean = 0, p95 = 0, max = 0, worst_against_native = 0;
};
/// Requires: at least one cell.
RegretSummary summary_of(const std::vector<RegretCell>& cells);
/// Of each part that has cells, in the order in which they were asked.
std::vector<std::pair<std::string, std::vector<RegretCell>>> by_part(const std::vector<RegretCell>& cells);
/// The same for one of the others; over those cells where its choice was measured.
RegretSummary summary_of(const std::vector<RegretCell>& cells, const std::string& other);

/// The cell that measurements of all recipes make, the last of which is the automatic choice's.
RegretCell cell_of(Collective collective, Bytes bytes, const std::string& chosen, const std::string& source,
                   const std::vector<Trainer::Measured>& measured);

/// What else could choose, to be measured with all others: the estimator without trials; models without what
/// was measured of collectives, each with less than the one before: the families' corrections, messages that
/// overlap, a switch of protocols, a plain line (Hockney); always sqrt(p), the rule of the 2004 papers,
/// native.
class OtherChoices {
public:
    OtherChoices(const Profile& profile, const Placement& placement);

    struct Choice {
        /// Empty: a proposal that nobody stands for.
        std::string name;
        Recipe recipe;
    };
    std::vector<Choice> of(Collective collective, Bytes bytes);

private:
    Decider estimator_;
    std::vector<std::pair<std::string, std::unique_ptr<Decider>>> models_;
};
/// Who is measured once more where times are noisy: native, the fastest few, and what others chose. The
/// fastest of many noisy ones was lucky, too; in a second measurement it has to be fast again.
std::vector<Recipe> finalists(const std::vector<Trainer::Measured>& measured,
                              const std::vector<OtherChoices::Choice>& choices);
/// Looks the choices' times up among what was measured.
void add_others(RegretCell& cell, const std::vector<OtherChoices::Choice>& choices,
                const std::vector<Trainer::Measured>& measured);

void print_heading(std::ostream& out, const std::string& part, const Placement& placement);
void print_line(std::ostream& out, const RegretCell& cell);
void print_summary(std::ostream& out, const RegretSummary& summary, std::size_t cells);

}  // namespace echelon::bench
