// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/lint.hpp"

#include "core/error.hpp"
#include "estimators/profile/json_reader.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/layout.hpp"
#include "hier/phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace echelon {
namespace {

using Grade = Finding::Grade;

std::string at(const char* list, std::size_t i) { return std::string(list) + '[' + std::to_string(i) + ']'; }

std::string sizes_text(const ByteRange& sizes) {
    return format_bytes(sizes.from) + (sizes.to == ByteRange().to ? " on" : " to " + format_bytes(sizes.to));
}

bool meet(const ByteRange& a, const ByteRange& b) { return a.from <= b.to && b.from <= a.to; }
bool is_empty(const Rule& rule) { return rule.sizes.from > rule.sizes.to || rule.p_from > rule.p_to; }
bool covers(const ByteRange& a, const ByteRange& b) { return a.from <= b.from && b.to <= a.to; }

/// Reason why a recipe serves no operation on these ranks; nullopt if it serves some.
std::optional<std::string> useless(const Recipe& recipe, Collective collective, const Placement& placement) {
    std::string reason;
    for (const Operation operation :
         {Operation{false, true}, Operation{false, false}, Operation{true, true}}) {
        try {
            (void)resolve(recipe, collective, placement, 0, operation);
            return std::nullopt;
        } catch (const Error& error) {
            if (reason.empty()) reason = error.what();
        }
    }
    return reason;
}

/// Placement of the layout if it has p ranks.
std::optional<Placement> placement_for(const std::string& layout, int p) {
    try {
        Placement placement = placement_of_layout(layout);
        if (placement.size() == p) return placement;
    } catch (const Error&) {
    }
    return std::nullopt;
}

class Linter {
public:
    explicit Linter(const Profile& profile) : profile_(profile) {}

    std::vector<Finding> run() {
        parameters();
        rules();
        gaps();
        decisions();
        foreseen();
        samples();
        not_reached();
        return std::move(found_);
    }

private:
    void add(Grade grade, std::string place, std::string sentence) {
        found_.push_back({grade, std::move(place), std::move(sentence)});
    }

    void parameters() {
        if (!profile_.parameters) {
            if (profile_.rules.empty() && profile_.samples.empty() && profile_.decisions.empty())
                add(Grade::warning, "", "it is empty: nothing will be chosen by it");
            else if (profile_.rules.empty())
                add(Grade::note, "", "without parameters only what was measured can be chosen");
            return;
        }
        const auto dark = [&](bool is_measured, const char* place, const char* which, const char* where) {
            if (is_measured) return;
            add(Grade::warning, place,
                std::string("messages ") + which +
                    " were not measured, there were none among the ranks of the calibration: nothing is promised " +
                    where);
        };
        dark(profile_.parameters->inside_is_measured, "parameters.inside", "inside a node",
             "where ranks share nodes; calibrate with several ranks a node");
        dark(profile_.parameters->between_is_measured, "parameters.between", "between nodes",
             "on several nodes; calibrate on several before programs run there");
        const auto unpriced = [&](bool is_measured, const Network& network, const char* place) {
            const auto* const protocol = std::get_if<Protocol>(&network);
            if (is_measured && protocol != nullptr && protocol->send_overhead.points().size() < 2)
                add(Grade::warning, place,
                    "the processor time of messages was not measured by length: algorithms with many messages "
                    "may look too fast; calibrate again");
        };
        unpriced(profile_.parameters->inside_is_measured, profile_.parameters->machine.inside,
                 "parameters.inside");
        unpriced(profile_.parameters->between_is_measured, profile_.parameters->machine.between,
                 "parameters.between");
        constexpr double weak = 0.5;
        if (profile_.parameters->residual > weak)
            add(Grade::warning, "parameters.residual",
                "one in five algorithms is more than " +
                    std::to_string(std::lround(100 * profile_.parameters->residual)) +
                    " % off its replay: what was not measured will hardly be chosen");
    }

    void rules() {
        for (std::size_t i = 0; i < profile_.rules.size(); ++i) {
            const Rule& rule = profile_.rules[i];
            if (is_empty(rule)) {
                add(Grade::error, at("rules", i), "it never applies: its range ends below its beginning");
                continue;
            }
            for (std::size_t j = 0; j < i; ++j) overlap(i, j);
            serves(i);
        }
    }

    void overlap(std::size_t i, std::size_t earlier) {
        const Rule &rule = profile_.rules[i], &first = profile_.rules[earlier];
        const bool ranks_meet = rule.p_from <= first.p_to && first.p_from <= rule.p_to;
        if (rule.collective != first.collective || !ranks_meet || !meet(rule.sizes, first.sizes)) return;
        if (covers(first.sizes, rule.sizes) && first.p_from <= rule.p_from && rule.p_to <= first.p_to)
            add(Grade::error, at("rules", i),
                "it never applies: " + at("rules", earlier) + " takes all its calls before it");
        else
            add(Grade::note, at("rules", i),
                "it overlaps with " + at("rules", earlier) + ", which comes first and wins");
    }

    void serves(std::size_t i) {
        const Rule& rule = profile_.rules[i];
        if (rule.recipe.kind == Recipe::Kind::native) return;
        constexpr int many = 1024;
        std::set<int> some;
        for (const int p : {2, 3, 4, 7, 8, 12, 16, 60, 64, 1000, many})
            some.insert(std::clamp(p, rule.p_from, std::max(rule.p_from, std::min(rule.p_to, many))));
        std::string reason;
        std::vector<int> refused;
        for (const int p : some) {
            if (p > 2 * many) continue;  // only rules for huge numbers of ranks; not tried
            const std::string layout =
                p % 4 == 0 && p > 4 ? std::to_string(p / 4) + "x4" : std::to_string(p) + "x1";
            const auto why = useless(rule.recipe, rule.collective, placement_of_layout(layout));
            if (!why) continue;
            refused.push_back(p);
            reason = *why;
        }
        if (refused.empty()) return;
        if (refused.size() == some.size())
            add(Grade::error, at("rules", i), "its recipe cannot serve: " + reason);
        else
            add(Grade::warning, at("rules", i),
                "its recipe cannot serve on all these numbers of ranks, such as " +
                    std::to_string(refused.back()) + ": " + reason);
    }

    /// Reports sizes between the rules of a collective that serve the same numbers of ranks.
    void gaps() {
        for (const Collective collective : all_collectives) {
            // One set of rules serves all numbers of ranks from one of these to the next.
            std::set<int> begins;
            bool limited = false;
            for (const Rule& rule : profile_.rules) {
                if (rule.collective != collective || is_empty(rule)) continue;
                limited |= rule.p_from != Rule().p_from || rule.p_to != Rule().p_to;
                begins.insert(rule.p_from);
                if (rule.p_to != std::numeric_limits<int>::max()) begins.insert(rule.p_to + 1);
            }
            std::map<std::pair<Bytes, Bytes>, int> said;  // the first number of ranks of each gap
            for (const int p : begins)
                for (const ByteRange& gap : gaps(collective, p)) said.try_emplace({gap.from, gap.to}, p);
            for (const auto& [gap, p] : said)
                add(Grade::note, "rules",
                    "no rule for " + std::string(name(collective)) + " of " +
                        sizes_text({gap.first, gap.second}) +
                        (limited ? " on some numbers of ranks, such as " + std::to_string(p) : "") +
                        ": the automatic choice holds there");
        }
    }

    /// Sizes between the rules of a collective that serve p ranks.
    std::vector<ByteRange> gaps(Collective collective, int p) const {
        std::vector<ByteRange> covered, found;
        for (const Rule& rule : profile_.rules)
            if (rule.collective == collective && !is_empty(rule) && rule.p_from <= p && p <= rule.p_to)
                covered.push_back(rule.sizes);
        std::sort(covered.begin(), covered.end(),
                  [](const ByteRange& a, const ByteRange& b) { return a.from < b.from; });
        Bytes end = 0;
        for (std::size_t i = 0; i < covered.size(); ++i) {
            if (i > 0 && end != ByteRange().to && covered[i].from > end + 1)
                found.push_back({end + 1, covered[i].from - 1});
            end = std::max(end, covered[i].to);
        }
        return found;
    }

    void decisions() {
        for (std::size_t i = 0; i < profile_.decisions.size(); ++i) {
            const LearnedDecision& one = profile_.decisions[i];
            if (one.sizes.from > one.sizes.to)
                add(Grade::error, at("decisions", i), "it never applies: its range ends below its beginning");
            placed(at("decisions", i), one.layout, one.p, one.recipe, one.collective);
            for (std::size_t j = 0; j < i; ++j) {
                const LearnedDecision& first = profile_.decisions[j];
                if (first.collective == one.collective && first.p == one.p && first.layout == one.layout &&
                    meet(first.sizes, one.sizes))
                    add(Grade::note, at("decisions", i),
                        "it overlaps with " + at("decisions", j) + ", which comes first and wins");
            }
        }
    }

    void foreseen() {
        for (std::size_t i = 0; i < profile_.foreseen.size(); ++i) {
            const Foreseen& one = profile_.foreseen[i];
            placed(at("foreseen", i), one.layout, one.p, one.recipe, one.collective);
            for (const Recipe& rival : one.rivals)
                placed(at("foreseen", i), one.layout, one.p, rival, one.collective);
        }
    }

    void placed(const std::string& place, const std::string& layout, int p, const Recipe& recipe,
                Collective collective) {
        const auto placement = placement_for(layout, p);
        if (!placement)
            add(Grade::error, place,
                "layout '" + layout + "' is not one of " + std::to_string(p) +
                    " ranks (such as 16x4, 16x4 cyclic, 15x4+1x2): it never applies");
        else if (is_old(layout)) {
            // Old profiles use this form in many samples: one warning per layout.
            if (old_layouts_.insert(layout).second)
                add(Grade::warning, place,
                    "layout '" + layout +
                        "' does not tell who sits where: no communicator has it any more; calibrate again");
        } else if (recipe.kind != Recipe::Kind::native && tells_every_rank(layout))
            if (const auto why = useless(recipe, collective, *placement))
                add(Grade::error, place, "its recipe cannot serve: " + *why);
    }

    void samples() {
        std::set<std::tuple<Collective, int, std::string>> ours, native;
        std::set<std::tuple<Collective, int, std::string, Bytes, std::string>> seen;
        for (std::size_t i = 0; i < profile_.samples.size(); ++i) {
            const Sample& one = profile_.samples[i];
            placed(at("samples", i), one.layout, one.p, one.recipe, one.collective);
            const bool is_native = one.recipe.kind == Recipe::Kind::native;
            (is_native ? native : ours).insert({one.collective, one.p, one.layout});
            if (!seen.insert({one.collective, one.p, one.layout, one.bytes, to_string(one.recipe)}).second)
                add(Grade::warning, at("samples", i), "the same was measured before: the last one counts");
        }
        for (const auto& key : ours)
            if (!native.contains(key))
                add(Grade::warning, "samples",
                    std::string(name(std::get<0>(key))) + " on " + std::get<2>(key) +
                        ": the native collective was not measured, so that nothing else will be chosen");
    }

    void not_reached() {
        for (const auto& [collective, p, layout, sizes] : profile_.not_reached) {
            std::string list;
            for (const Bytes bytes : sizes)
                list.append(list.empty() ? " of " : ", ").append(format_bytes(bytes));
            add(Grade::warning, "not_reached",
                std::string(name(collective)) + list + " on " + layout +
                    ": asked for, but the time was over before it was measured; echelon calibrate --continue goes on with "
                    "it");
        }
    }

    const Profile& profile_;
    std::vector<Finding> found_;
    std::set<std::string> old_layouts_;
};

}  // namespace

std::string_view name(Finding::Grade grade) {
    constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
    return names[std::size_t(grade)];
}

std::vector<Finding> lint(std::string_view text) {
    Remarks remarks;
    std::vector<Finding> found;
    Profile profile;
    try {
        profile = Profile::parse(text, &remarks);
    } catch (const Error& error) {
        return {{Grade::error, "", error.what()}};
    }
    for (const std::string& error : remarks.errors) found.push_back({Grade::error, "", error});
    for (const std::string& key : remarks.unknown)
        found.push_back({Grade::warning, key, "this key means nothing; it is not read"});
    if (!remarks.errors.empty()) return found;  // the numbers of entries have changed
    const auto more = Linter(profile).run();
    found.insert(found.end(), more.begin(), more.end());
    return found;
}

}  // namespace echelon
