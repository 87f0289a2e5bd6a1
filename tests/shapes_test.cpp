// SPDX-License-Identifier: Apache-2.0
/// The rows of hier/shapes.cpp list the phases that run: every phase that a shape performs is logged and
/// compared.
#include "hier/shapes.hpp"

#include "core/error.hpp"
#include "hier/recorded_team.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>

namespace echelon {
namespace {

/// A phase that ran on one rank.
struct Ran {
    Move::Where where;
    Collective what;
    int root;
    std::size_t count;

    friend bool operator==(const Ran&, const Ran&) = default;
    friend void PrintTo(const Ran& ran, std::ostream* out) {
        *out << name(ran.what) << (ran.where == Move::Where::inside ? " inside" : " across") << ", root "
             << ran.root << ", count " << ran.count;
    }
};

/// A recorded team that logs the phases that its parts run.
class Watched final : public Team {
public:
    Watched(RecordedTeam& team, Move::Where where, std::vector<Ran>& log)
        : team_(team), where_(where), log_(log) {}

    Link& link() override { return team_.link(); }
    const Placement& placement() const override { return team_.placement(); }
    Recorder* recorder() override { return team_.recorder(); }

    const Split& split(const Groups& groups) override {
        if (inside_) return split_.front();
        const Split& split = team_.split(groups);
        inside_ =
            std::make_unique<Watched>(dynamic_cast<RecordedTeam&>(*split.inside), Move::Where::inside, log_);
        across_ =
            std::make_unique<Watched>(dynamic_cast<RecordedTeam&>(*split.across), Move::Where::across, log_);
        split_.push_back({split.partition, inside_.get(), across_.get()});
        return split_.front();
    }

    void native(Collective collective, const Args& args) override {
        log_.push_back({where_, collective, rooted(collective) ? args.root : 0, args.data.count});
        team_.native(collective, args);
    }

private:
    RecordedTeam& team_;
    Move::Where where_;
    std::vector<Ran>& log_;
    std::unique_ptr<Watched> inside_, across_;
    std::vector<Split> split_;
};

std::vector<std::vector<Ran>> phases_that_ran(const Recipe& recipe, const Call& call, int p) {
    const Placement placement = Placement::from(std::vector<Location>(std::size_t(p)));
    std::vector<std::vector<Ran>> logs(static_cast<std::size_t>(p));
    (void)record(p, call.element_size, [&](Recorder& recorder) {
        RecordedTeam team(recorder, placement);
        Watched watched(team, Move::Where::nowhere, logs[std::size_t(recorder.rank())]);
        perform(resolve(recipe, call.collective, placement, recorder.rank(), {}), watched, call.args(p));
    });
    return logs;
}

/// Phases of a rank according to the row.
std::vector<Ran> phases_of_row(const ShapeRow& row, const Partition& partition, const Call& call, int rank) {
    const int group = partition.group_of(rank), position = partition.position_of(rank);
    const int lanes = partition.smallest();
    const int root_group = partition.group_of(call.root), root_position = partition.position_of(call.root);
    const int leader = is_scan(row.collective)                           ? lanes - 1
                       : rooted(row.collective) && root_position < lanes ? root_position
                                                                         : 0;
    const Blocks blocks({0, call.count}, partition.size());
    std::size_t of_group = 0;
    for (const int member : partition.members(group)) of_group += blocks[member].count;

    std::vector<Ran> ran;
    for (const Move& move : row.moves()) {
        const bool takes_part = move.who == Move::Who::all ||
                                (move.who == Move::Who::leaders && position == leader) ||
                                (move.who == Move::Who::lanes && position < lanes) ||
                                (move.who == Move::Who::root_group && group == root_group) ||
                                (move.who == Move::Who::other_groups && group != root_group) ||
                                (move.who == Move::Who::later_groups && group > 0);
        if (!move.is_phase() || !takes_part) continue;
        std::size_t count = call.count;
        if (move.part == Move::Part::vectors) count *= std::size_t(partition.largest());
        if (move.part == Move::Part::group) count = of_group;
        if (move.part == Move::Part::lane) count = Blocks({0, count}, lanes)[position].count;
        const int root = move.root == Move::Root::leader          ? leader
                         : move.root == Move::Root::root_group    ? root_group
                         : move.root == Move::Root::root_position ? root_position
                                                                  : 0;
        ran.push_back({move.where, move.what, root, count});
    }
    return ran;
}

TEST(Shapes, DoWhatTheirRowsSay) {
    for (const ShapeRow& row : shape_rows()) {
        const bool even = row.needs == ShapeRow::Needs::equal_groups;
        const bool runs = row.needs == ShapeRow::Needs::consecutive_ranks;
        const Groups groups = Groups::parse(runs   ? "ranks=0-2;3-6"
                                            : even ? "ranks=0+3+5;1-2+4"
                                                   : "ranks=0+3+5;1-2+4+6");
        const int p = even ? 6 : 7;
        const Partition partition = resolve(groups, p);
        const Recipe recipe{.kind = row.shape, .groups = groups, .parts = {Recipe{}, Recipe{}}};
        for (int root = 0; root < (rooted(row.collective) ? p : 1); ++root) {
            const Call call{.collective = row.collective,
                            .count = row.collective == Collective::barrier ? 0 : std::size_t(6 * p),
                            .root = root};
            const auto ran = phases_that_ran(recipe, call, p);
            for (int rank = 0; rank < p; ++rank)
                EXPECT_EQ(ran[std::size_t(rank)], phases_of_row(row, partition, call, rank))
                    << name(row.shape) << " of " << name(row.collective) << ", root " << root << ", rank "
                    << rank;
        }
    }
}

/// Reason for which a row does not serve groups of 2 and 3 ranks, contiguous or interleaved; empty if it
/// does.
std::string unmet(Recipe::Kind shape, Collective collective, const char* groups, Operation operation = {}) {
    const Partition partition = resolve(Groups::parse(groups), 5);
    return find_shape(shape, collective)->unmet(GroupSizes::of(partition), operation).value_or("");
}

TEST(Shapes, ARowSaysWhyItDoesNotServeSuchGroups) {
    using enum Recipe::Kind;
    const char* const uneven = "ranks=0-1;2-4";
    const char* const mixed = "ranks=0+2+4;1+3";
    const Operation in_order{.in_order = true};
    const char* const not_runs =
        "its groups are not runs of consecutive ranks, and this call needs rank order";
    EXPECT_EQ(unmet(leaders, Collective::alltoall, uneven),
              "its groups are not equally large, and alltoall in this shape needs that");
    EXPECT_EQ(unmet(leaders, Collective::scan, mixed), not_runs);
    EXPECT_EQ(unmet(leaders, Collective::scan, uneven), "");
    EXPECT_EQ(unmet(lanes, Collective::allreduce, mixed), "");
    EXPECT_EQ(unmet(lanes, Collective::allreduce, mixed, in_order), not_runs);
    EXPECT_EQ(unmet(lanes, Collective::allreduce, uneven, in_order), "");
    EXPECT_EQ(unmet(leaders, Collective::bcast, mixed, in_order), "") << "which combines nothing";
}

TEST(Shapes, OneGroupOrOneRankInEachLeavesAPartAlone) {
    const Recipe recipe = Recipe::parse("leaders(G=2, binomial, ring)");
    const ShapeRow* const phases = find_shape(Recipe::Kind::leaders, Collective::allgather);
    const ShapeRow* const inner = find_shape(Recipe::Kind::leaders, Collective::reduce);
    const GroupSizes one_group{1, 8, 8, true}, one_rank{8, 1, 1, true}, two{2, 4, 4, true};
    EXPECT_EQ(serves_alone(recipe, inner, one_group), &recipe.inner());
    EXPECT_EQ(serves_alone(recipe, phases, one_group), nullptr) << "its phases stay what they are";
    EXPECT_EQ(serves_alone(recipe, inner, one_rank), &recipe.outer());
    EXPECT_EQ(serves_alone(recipe, phases, one_rank), &recipe.outer());
    EXPECT_EQ(serves_alone(recipe, inner, two), nullptr);
    EXPECT_EQ(serves_alone(recipe, nullptr, one_group), &recipe.inner());
}

TEST(Shapes, WhatARowNeedsIsAskedFor) {
    for (const ShapeRow& row : shape_rows()) {
        if (row.needs == ShapeRow::Needs::nothing) continue;
        const bool even = row.needs == ShapeRow::Needs::equal_groups;
        const Recipe recipe{.kind = row.shape,
                            .groups = Groups::parse(even ? "ranks=0-1;2-4" : "ranks=0+2+4;1+3"),
                            .parts = {Recipe{}, Recipe{}}};
        EXPECT_THROW((void)resolve(recipe, row.collective, Placement::from(std::vector<Location>(5)), 0, {}),
                     Error)
            << name(row.shape) << " of " << name(row.collective);
    }
}

/// A barrier in segments was accepted, though no proof followed it from strand to strand.
TEST(Shapes, OnlyAVectorIsCut) {
    for (const ShapeRow& row : shape_rows()) {
        const Recipe recipe{
            .kind = row.shape, .segment = 64, .groups = Groups::count(2), .parts = {Recipe{}, Recipe{}}};
        EXPECT_THAT(refusal([&] {
                        return resolve(recipe, row.collective, Placement::from(std::vector<Location>(4)), 0,
                                       {});
                    }),
                    testing::HasSubstr(row.takes_segment() ? "'native'" : "seg= cuts a vector"))
            << name(row.shape) << " of " << name(row.collective);
    }
    EXPECT_FALSE(find_shape(Recipe::Kind::leaders, Collective::barrier)->takes_segment());
}

TEST(Shapes, EachRowHasOnePhaseAcrossAndStandsOnce) {
    for (const ShapeRow& row : shape_rows()) {
        EXPECT_EQ(find_shape(row.shape, row.collective), &row);
        int across = 0;
        for (const Move& move : row.moves()) across += move.where == Move::Where::across ? 1 : 0;
        EXPECT_EQ(across, 1) << name(row.shape) << " of " << name(row.collective);
        EXPECT_EQ(row.phase(row.outer()).where, Move::Where::across);
    }
}

TEST(Shapes, TheirMovesAreToldInWords) {
    const ShapeRow& row = *find_shape(Recipe::Kind::lanes, Collective::reduce);
    EXPECT_EQ(to_string(row.moves()[0]), "reduce_scatter inside");
    EXPECT_EQ(to_string(row.moves()[1]), "reduce of each lane between the groups to the root's group");
    EXPECT_EQ(to_string(row.moves()[2]), "gather inside the root's group to the root");
}

}  // namespace
}  // namespace echelon
