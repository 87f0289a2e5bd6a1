// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/replay.hpp"

#include "core/error.hpp"
#include "estimators/price/contention.hpp"
#include "estimators/simulator/load.hpp"
#include "estimators/simulator/simulator.hpp"
#include "hier/perform.hpp"
#include "hier/recorded_team.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

namespace echelon {

/// Ranks and their divisions, computed once for all ranks and all recipes.
struct Replay::Ground {
    struct Division {
        Groups groups;
        Partition partition;
        std::vector<std::unique_ptr<Ground>> inside, across;  // by group, by position
        std::vector<int> groups_kind = {}, positions_kind = {};
    };

    explicit Ground(Placement whose) : placement(std::move(whose)) {}

    Division& divide(const Groups& groups) {
        for (Division& known : divisions)
            if (known.groups == groups) return known;
        Partition partition = resolve(groups, placement.size(), placement);
        const auto group_count = std::size_t(partition.group_count()),
                   positions = std::size_t(partition.largest());
        return divisions.emplace_back(Division{groups, std::move(partition),
                                               std::vector<std::unique_ptr<Ground>>(group_count),
                                               std::vector<std::unique_ptr<Ground>>(positions)});
    }

    /// Kinds of the rank's group and of its position: equal for groups, and positions, with equal placement.
    std::pair<int, int> kind_of(Division& division, int rank) {
        const Partition& partition = division.partition;
        if (division.groups_kind.empty()) {
            std::vector<Placement> kinds;
            const auto number = [&](std::span<const int> members) {
                Placement one = placement.of(members);
                const auto found = std::find(kinds.begin(), kinds.end(), one);
                if (found != kinds.end()) return int(found - kinds.begin());
                kinds.push_back(std::move(one));
                return int(kinds.size()) - 1;
            };
            for (int group = 0; group < partition.group_count(); ++group)
                division.groups_kind.push_back(number(partition.members(group)));
            // Positions that not every group has get no kind.
            for (int position = 0; position < partition.largest(); ++position)
                division.positions_kind.push_back(
                    position < partition.smallest() ? number(partition.positions(position)) : -1);
        }
        return {division.groups_kind[std::size_t(partition.group_of(rank))],
                division.positions_kind[std::size_t(partition.position_of(rank))]};
    }

    Placement placement;
    std::deque<Division> divisions;
};

/// The team of one rank on a ground.
class Replay::GroundTeam final : public Team {
public:
    /// `windows`: ranks of one node share memory.
    GroundTeam(Recorder recorder, Ground& ground, bool windows)
        : recorder_(std::move(recorder)), ground_(ground), windows_(windows) {
        if (windows && ground.placement.node_count() == 1 && ground.placement.size() > 1)
            recorder_.share(WindowShape());
    }

    Link& link() override { return recorder_; }
    const Placement& placement() const override { return ground_.placement; }
    Recorder* recorder() override { return &recorder_; }
    void native(Collective, const Args&) override { throw Error("native parts have no schedule"); }

    const Split& split(const Groups& groups) override {
        for (Own& known : own_)
            if (known.groups == groups) return known.split;
        Ground::Division& division = ground_.divide(groups);
        const Partition& partition = division.partition;
        const int group = partition.group_of(recorder_.rank()),
                  position = partition.position_of(recorder_.rank());
        const auto sub_site = [&](std::unique_ptr<Ground>& known, std::span<const int> members) {
            if (known == nullptr) known = std::make_unique<Ground>(ground_.placement.of(members));
            return std::make_unique<GroundTeam>(recorder_.sub_link(members), *known, windows_);
        };
        auto inside = sub_site(division.inside[std::size_t(group)], partition.members(group));
        auto across = sub_site(division.across[std::size_t(position)], partition.positions(position));
        Split split{partition, inside.get(), across.get()};
        return own_.emplace_back(Own{groups, std::move(split), std::move(inside), std::move(across)}).split;
    }

private:
    struct Own {
        Groups groups;
        Split split;
        std::unique_ptr<GroundTeam> inside, across;
    };

    Recorder recorder_;
    Ground& ground_;
    bool windows_;
    std::deque<Own> own_;
};

namespace {

/// Depth of nested shapes.
int depth(const Recipe& recipe) {
    int deepest = 0;
    for (const Recipe& part : recipe.parts) deepest = std::max(deepest, depth(part));
    return deepest + (recipe.is_shape() ? 1 : 0);
}

}  // namespace

/// A recipe resolved for the ranks of a communicator. Ranks with a group and a position of equal kind share
/// the phase, if shapes are nested at most two levels deep.
class Replay::Meaning {
public:
    Meaning(Ground& ground, const Recipe& recipe, const Call& call)
        : ground_(ground),
          recipe_(recipe),
          call_(call),
          args_(call.args(ground.placement.size())),
          division_(recipe.is_shape() ? &ground.divide(*recipe.groups) : nullptr),
          each_(depth(recipe) > (recipe.is_shape() ? 2 : 0)) {}

    /// Records the part of the recorder's rank: one call for each root.
    void record(Recorder recorder, bool windows, std::span<const int> roots) {
        const Phase& phase = phase_of(recorder.rank());
        GroundTeam team(std::move(recorder), ground_, windows);
        for (const int root : roots) {
            args_.root = std::min(root, ground_.placement.size() - 1);
            perform(phase, team, args_);
        }
    }

private:
    const Phase& phase_of(int rank) {
        const auto kind = each_                  ? std::pair(rank, 0)
                          : division_ == nullptr ? std::pair(0, 0)
                                                 : ground_.kind_of(*division_, rank);
        const auto known = phases_.find(kind);
        if (known != phases_.end()) return known->second;
        return phases_
            .emplace(kind, resolve(recipe_, call_.collective, ground_.placement, rank, call_.operation))
            .first->second;
    }

    Ground& ground_;
    const Recipe& recipe_;
    Call call_;
    Args args_;
    Ground::Division* division_;
    bool each_;
    std::map<std::pair<int, int>, Phase> phases_;
};

Replay::Replay(Machine machine, Placement placement)
    : machine_(seated(std::move(machine), placement)), communicator_of_(std::size_t(placement.size())) {
    Ranks all(std::size_t(placement.size()));
    std::iota(all.begin(), all.end(), 0);
    communicators_.push_back({std::move(all), std::make_unique<Ground>(std::move(placement))});
}

Replay::Replay(Machine machine, const Placement& placement, Siblings communicators)
    : machine_(seated(std::move(machine), placement)), communicator_of_(std::size_t(placement.size()), -1) {
    for (Ranks& ranks : communicators) {
        for (const int rank : ranks) communicator_of_[std::size_t(rank)] = int(communicators_.size());
        auto ground = std::make_unique<Ground>(placement.of(ranks));
        communicators_.push_back({std::move(ranks), std::move(ground)});
    }
}

Replay::~Replay() = default;

Call replayed_call(Collective collective, Bytes bytes, int p, Operation operation) {
    const Bytes element = bytes % 4 == 0 ? 4 : 1;
    std::size_t count = collective == Collective::barrier ? 0 : bytes / element;
    if (collective == Collective::alltoall)
        count = (count + std::size_t(p) - 1) / std::size_t(p) * std::size_t(p);
    return {.collective = collective, .count = count, .element_size = element, .operation = operation};
}

std::optional<PackedSchedule> Replay::packed(const Recipe& recipe, Collective collective, Bytes bytes,
                                             Operation operation, std::size_t most,
                                             std::span<const int> roots) {
    if (recipe.kind == Recipe::Kind::native || recipe.has_native_parts()) return std::nullopt;
    Bytes element_size = 1;
    std::vector<Meaning> meanings;
    try {
        for (const Communicator& one : communicators_) {
            const Call call = replayed_call(collective, bytes, int(one.ranks.size()), operation);
            element_size = call.element_size;
            meanings.emplace_back(*one.ground, recipe, call);
        }
        PackedSchedule made = pack(
            int(communicator_of_.size()), element_size,
            [&](Recorder& recorder) {
                const int number = communicator_of_[std::size_t(recorder.rank())];
                if (number < 0) return;
                const Ranks& ranks = communicators_[std::size_t(number)].ranks;
                const bool are_all = ranks.size() == communicator_of_.size();
                meanings[std::size_t(number)].record(are_all ? recorder : recorder.sub_link(ranks),
                                                     machine_.window.has_value(), roots);
            },
            most);
        messages_ += made.messages.size();
        return made;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<Seconds> Replay::operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                          Operation operation, std::size_t most, Seconds* busiest) {
    const auto schedule = packed(recipe, collective, bytes, operation, most);
    if (!schedule) return std::nullopt;
    if (busiest != nullptr) *busiest = echelon::busiest(*schedule, machine_);
    return finish(*schedule);
}

std::optional<Seconds> Replay::row(const Recipe& recipe, Collective collective, Bytes bytes,
                                   Operation operation, std::span<const int> roots, std::size_t most) {
    const auto schedule = packed(recipe, collective, bytes, operation, most, roots);
    return schedule ? finish(*schedule) : std::nullopt;
}

std::optional<Seconds> Replay::finish(const PackedSchedule& schedule) const {
    try {
        const Replayed replayed = simulate(schedule, machine_);
        Seconds last = 0;
        for (const int rank : communicators_.front().ranks)
            last = std::max(last, replayed.finish[std::size_t(rank)]);
        return last;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<Seconds> Replay::busiest(const Recipe& recipe, Collective collective, Bytes bytes,
                                       Operation operation, std::size_t most) {
    const auto schedule = packed(recipe, collective, bytes, operation, most);
    return schedule ? std::optional(echelon::busiest(*schedule, machine_)) : std::nullopt;
}

}  // namespace echelon
