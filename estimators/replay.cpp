// SPDX-License-Identifier: Apache-2.0
#include "estimators/replay.hpp"

#include "core/error.hpp"
#include "estimators/simulator.hpp"
#include "hier/perform.hpp"
#include "hier/recorded_site.hpp"

#include <algorithm>
#include <deque>

namespace echelon {

/// Ranks and how they were divided, found once for all of them and for all recipes.
struct Replay::Ground {
    struct Division {
        Groups groups;
        Partition partition;
        std::vector<std::unique_ptr<Ground>> inside, across;  // by group, by position
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

    Placement placement;
    std::deque<Division> divisions;
};

/// One rank's site on a ground.
class Replay::GroundSite final : public Site {
public:
    GroundSite(Recorder recorder, Ground& ground) : recorder_(std::move(recorder)), ground_(ground) {}

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
            return std::make_unique<GroundSite>(recorder_.sub_link(members), *known);
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
        std::unique_ptr<GroundSite> inside, across;
    };

    Recorder recorder_;
    Ground& ground_;
    std::deque<Own> own_;
};

namespace {

bool is_nested(const Recipe& recipe) {
    const auto has_shape = [](const Recipe& part) { return part.is_shape() || is_nested(part); };
    return std::any_of(recipe.parts.begin(), recipe.parts.end(), has_shape);
}

/// A recipe made concrete for each rank. Where no shape is inside another, ranks differ in one thing alone:
/// whether their position is one that every group has.
class Phases {
public:
    Phases(const Recipe& recipe, const Call& call, const Placement& placement, const Partition* partition)
        : recipe_(recipe),
          call_(call),
          placement_(placement),
          partition_(is_nested(recipe) ? nullptr : partition),
          each_(is_nested(recipe)) {}

    const Phase& of(int rank) {
        const bool extra = partition_ != nullptr && partition_->position_of(rank) >= partition_->smallest();
        std::optional<Phase>& known = known_[extra ? 1 : 0];
        if (!known || each_) known = resolve(recipe_, call_.collective, placement_, rank, call_.operation);
        return *known;
    }

private:
    const Recipe& recipe_;
    const Call& call_;
    const Placement& placement_;
    const Partition* partition_;
    bool each_;
    std::optional<Phase> known_[2];
};

}  // namespace

Replay::Replay(Machine machine, Placement placement)
    : machine_(std::move(machine)), ground_(std::make_unique<Ground>(std::move(placement))) {
    machine_.nodes.assign(this->placement().nodes().begin(), this->placement().nodes().end());
}

Replay::~Replay() = default;

const Placement& Replay::placement() const { return ground_->placement; }

Call replayed_call(Collective collective, Bytes bytes, int p, Operation operation) {
    const Bytes element = bytes % 4 == 0 ? 4 : 1;
    std::size_t count = collective == Collective::barrier ? 0 : bytes / element;
    if (collective == Collective::alltoall)
        count = (count + std::size_t(p) - 1) / std::size_t(p) * std::size_t(p);
    return {.collective = collective, .count = count, .element_size = element, .operation = operation};
}

std::optional<Seconds> Replay::operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                          Operation operation, std::size_t most) {
    if (recipe.kind == Recipe::Kind::native || recipe.has_native_parts()) return std::nullopt;
    const int p = placement().size();
    const Call call = replayed_call(collective, bytes, p, operation);
    try {
        const Partition* const partition =
            recipe.is_shape() ? &ground_->divide(*recipe.groups).partition : nullptr;
        Phases phases(recipe, call, placement(), partition);
        const Args args = call.args(p);
        const PackedSchedule packed = pack(
            p, call.element_size,
            [&](Recorder& recorder) {
                GroundSite site(recorder, *ground_);
                perform(phases.of(recorder.rank()), site, args);
            },
            most);
        messages_ += packed.messages.size();
        return simulate(packed, machine_).makespan();
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace echelon
