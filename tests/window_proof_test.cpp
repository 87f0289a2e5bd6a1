// SPDX-License-Identifier: Apache-2.0
// Proofs of algorithms in a window, like over messages: slots are filled, waited for, read and filled again.
// Defects are found.
#include "core/error.hpp"
#include "core/recorder.hpp"
#include "hier/recorded_team.hpp"
#include "support/proof.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

/// Few small slots, which short vectors use several times; and slots that hold whole vectors.
constexpr WindowShape tight{.depth = 5, .slot = 3 * proof_element},
    roomy{.depth = 8, .slot = 64 * proof_element},
    /// Vectors of one element or more are read in place.
    exposing{.depth = 5, .slot = 3 * proof_element, .expose_from = proof_element};

Schedule record_in(const WindowShape& shape, const ProofCase& one) {
    const Slice data{one.offset, one.count};
    const Args args{.data = data,
                    .input = {0, one.count, Buffer::input},
                    .blocks = blocks_of(one),
                    .root = one.root,
                    .in_order = one.in_order};
    return record(one.p, proof_element, [&](Recorder& recorder) {
        recorder.share(shape);
        one.row->body(recorder, args);
    });
}

std::size_t count_of(const Schedule& schedule, Step::Kind kind) {
    std::size_t found = 0;
    for (const Program& program : schedule.ranks)
        for (const Step& step : program.strands.front()) found += step.kind == kind ? 1 : 0;
    return found;
}

/// Reductions pass through slots, which stay in the caches.
bool exposes_at_all(Collective collective) {
    return collective != Collective::barrier && !reduces(collective);
}

class WindowProof : public testing::TestWithParam<const Algorithm*> {};

TEST_P(WindowProof, holds_for_all_p_roots_and_counts) {
    const Algorithm& row = *GetParam();
    for (int p = 1; p <= 64 && !HasFailure(); ++p)
        for (const int root : roots_to_prove(row.collective, p))
            for (const std::size_t count : counts_to_prove(row.collective, p))
                for (const WindowShape& shape : {tight, roomy, exposing}) {
                    ProofCase one = proof_case(row, p, count);
                    one.root = root;
                    for (ProofCase variant : variants_to_prove(one)) {
                        variant.in_order = reduces(row.collective);
                        const Schedule schedule = record_in(shape, variant);
                        const Verdict verdict = check(schedule, claim(variant));
                        EXPECT_TRUE(verdict) << variant << ", slots of " << shape.slot << "\n"
                                             << verdict.reason;
                        EXPECT_EQ(count_of(schedule, Step::Kind::send), 0u) << variant;
                        const bool exposes =
                            shape == exposing && exposes_at_all(row.collective) &&
                            count >= std::size_t(row.collective == Collective::bcast ? 1 : p);
                        EXPECT_EQ(
                            count_of(schedule, Step::Kind::expose) + count_of(schedule, Step::Kind::offer) >
                                0,
                            exposes)
                            << variant << ", slots of " << shape.slot;
                    }
                }
}

/// Vectors long enough for shares, and for more rounds than there are slots.
TEST_P(WindowProof, holds_for_long_vectors) {
    const Algorithm& row = *GetParam();
    if (row.collective == Collective::barrier) return;
    for (const int p : {2, 3, 4, 5, 8, 13, 33})
        for (const int root : rooted(row.collective) ? std::vector{0, p - 1} : std::vector{0})
            for (const std::size_t each : {std::size_t(600), std::size_t(1031)}) {
                ProofCase one = proof_case(row, p, each);
                if (row.collective == Collective::alltoall)
                    one.count = each / std::size_t(p) * std::size_t(p);
                one.root = root;
                one.in_order = reduces(row.collective);
                const Schedule schedule = record_in(roomy, one);
                const Verdict verdict = check(schedule, claim(one));
                EXPECT_TRUE(verdict) << one << "\n" << verdict.reason;
                const bool shares = row.collective == Collective::reduce && p > 3;
                EXPECT_TRUE(!shares || count_of(schedule, Step::Kind::get) > 0) << "not in shares: " << one;
            }
}

/// The rounds of a call follow the rounds of the previous call.
TEST(Window, serves_one_algorithm_after_another) {
    constexpr std::size_t count = 11;
    const Schedule schedule = record(4, proof_element, [&](Recorder& recorder) {
        recorder.share(tight);
        const Args args{.data = {0, count}, .blocks = {}, .root = 2};
        find_algorithm(Collective::reduce, "shm")->body(recorder, args);
        find_algorithm(Collective::bcast, "shm")->body(recorder, args);
    });
    const Verdict verdict =
        check(schedule, {.collective = Collective::allreduce, .count = count, .in_order = true});
    EXPECT_TRUE(verdict) << verdict.reason;
}

/// Inside shapes each node has its own window, and messages go between nodes. Some phases are given vectors
/// of which only a part exists.
TEST(Window, serves_inside_shapes) {
    int proved = 0;
    for (const char* nodes :
         {"a a b b", "a b b a", "a b a b a", "a a a a a b c c", "a a a a a a a b b b b b b b", "a a a",
          "a.0.0.0 a.0.0.1 a.0.0.0 a.0.1.2 a.0.1.2 a.0.1.3 a.0.0.1"})
        for (const Collective collective : all_collectives)
            for (const char* text :
                 {"leaders(node, shm, shm)", "positions(node, shm, shm)", "lanes(node, shm, shm)",
                  "leaders(size=2, shm, shm)", "leaders(node, leaders(sqrt, shm, shm), shm)",
                  "leaders(numa, leaders(l3, shm, shm), shm)", "leaders(numa, shm, leaders(l3, shm, shm))",
                  "lanes(l3, shm, shm)",
                  "leaders(node, leaders(ranks=1+0;2, shm, shm), leaders(sqrt, shm, shm))"})
                for (const std::size_t each : {std::size_t(1), std::size_t(9)}) {
                    const Placement placement = placements(nodes);
                    const int p = placement.size();
                    const Call call{
                        .collective = collective,
                        .count = each * std::size_t(p) + (collective == Collective::bcast ? 1 : 0),
                        .element_size = proof_element,
                        .root = rooted(collective) ? p - 1 : 0};
                    const Recipe recipe = Recipe::parse(text);
                    Schedule schedule;
                    try {
                        schedule = record(p, proof_element, [&](Recorder& recorder) {
                            RecordedTeam team(recorder, placement, tight);
                            perform(resolve(recipe, collective, placement, recorder.rank(), {}), team,
                                    call.args(p));
                        });
                    } catch (const Error&) {
                        continue;  // these groups do not suit the shape
                    }
                    const Verdict verdict =
                        check(schedule, {.collective = collective, .count = call.count, .root = call.root});
                    EXPECT_TRUE(verdict) << text << " for " << name(collective) << " of " << call.count
                                         << " on " << nodes << "\n"
                                         << verdict.reason;
                    proved += count_of(schedule, Step::Kind::put) > 0 ? 1 : 0;
                }
    EXPECT_GT(proved, 300);
}

/// Objection of the checker to `text`, which every rank runs on a vector that fills one slot; empty if there
/// is none.
template <class Text>
std::string objection(int p, Text&& text) {
    constexpr std::size_t count = 3;
    const Schedule schedule = record(p, proof_element, [&](Recorder& recorder) {
        recorder.share(tight);
        text(*recorder.window(), recorder.rank(), Slice{0, count});
    });
    return check(schedule, {.collective = Collective::allreduce, .count = count}).reason;
}

TEST(Window, finds_a_result_that_is_not_whole) {
    EXPECT_NE(objection(3,
                        [](Window& w, int, Slice all) {
                            w.put(0, all);
                            w.fold(0, 2, 0, all);
                            w.end(1);
                        })
                  .find("rank 0, element 0"),
              std::string::npos);
}

TEST(Window, finds_a_rank_that_waits_for_what_nobody_puts) {
    EXPECT_NE(objection(2,
                        [](Window& w, int me, Slice all) {
                            if (me == 0) w.put(0, all);
                            w.fold(0, 2, 0, all);
                            w.end(1);
                        })
                  .find("waits for ever"),
              std::string::npos);
}

TEST(Window, finds_more_rounds_under_way_than_there_are_slots) {
    EXPECT_NE(objection(2,
                        [](Window& w, int, Slice all) {
                            for (std::size_t round = 0; round <= tight.depth; ++round) w.put(round, all);
                            w.fold(0, 2, 0, all);
                            w.end(tight.depth + 1);
                        })
                  .find("waits for ever"),
              std::string::npos);
}

TEST(Window, finds_a_slot_that_may_be_filled_while_it_is_read) {
    EXPECT_NE(objection(2,
                        [](Window& w, int, Slice all) {
                            w.put(0, all);
                            w.leave(1);
                            w.fold(0, 2, 0, all);
                        })
                  .find("reads in a round that it has left"),
              std::string::npos);
}

/// Objection of the checker to `then` of rank 0, which exposes the sum of both ranks to rank 1.
template <class Then>
std::string objection_to(Then&& then) {
    return objection(2, [&](Window& w, int me, Slice all) {
        if (me == 1) {
            w.put(0, all);
            w.get(1, 0, 0, all);
            w.put(2, all.part(0, 0));
        } else {
            w.fold(0, 2, 0, all);
            w.expose(1, all);
            then(w, all);
        }
        w.leave(3);
        w.end(3);
    });
}

TEST(Window, finds_an_owner_that_ends_while_others_may_read) {
    EXPECT_NE(objection_to([](Window&, Slice) {}).find("may work on elements that are exposed"),
              std::string::npos);
    // Rank 1 has read the sum before it puts again, and before it leaves.
    EXPECT_EQ(objection_to([](Window& w, Slice all) { w.get(2, 1, 0, all.part(0, 0)); }), "");
    EXPECT_EQ(objection_to([](Window& w, Slice) { w.withdraw(2); }), "");
}

TEST(Window, finds_what_others_may_still_read_and_is_written) {
    const auto writes = [](Window& w, Slice all) {
        w.get(0, 1, 0, all.part(0, 1));
        w.withdraw(2);
    };
    EXPECT_NE(objection_to(writes).find("while rank "), std::string::npos) << objection_to(writes);
}

/// Data that rank 1 gives has arrived once rank 1 has left, not before.
TEST(Window, finds_what_is_accepted_before_it_was_given) {
    const auto objection_to = [](bool waits) {
        return objection(2, [=](Window& w, int me, Slice all) {
            w.put(0, all);
            w.fold(0, 2, 0, all);
            if (me == 0)
                w.offer(1, all);
            else
                w.give(1, 0, 0, all);
            if (me == 0 && waits) w.withdraw(2);
            if (me == 0) w.accept(1);
            w.end(2);
        });
    };
    EXPECT_NE(objection_to(false).find("while rank "), std::string::npos) << objection_to(false);
    EXPECT_EQ(objection_to(true), "");
}

TEST(Window, finds_a_rank_that_gives_to_one_that_only_exposes) {
    const auto text = [](Window& w, int me, Slice all) {
        w.expose(0, all);
        if (me == 1) w.give(0, 0, 0, all);
    };
    EXPECT_NE(objection(2, text).find("offers nothing"), std::string::npos) << objection(2, text);
}

/// Each rank reads the vector of the other one into the vector that the other one reads.
TEST(Window, finds_what_is_written_while_others_may_read_it) {
    const auto text = [](Window& w, int me, Slice all) {
        w.expose(0, all);
        w.get(0, 1 - me, 0, all);
        w.leave(1);
        w.withdraw(1);
        w.end(1);
    };
    EXPECT_NE(objection(2, text).find("while rank "), std::string::npos) << objection(2, text);
}

TEST(Window, finds_what_is_combined_where_it_is_exposed) {
    const auto text = [](Window& w, int me, Slice all) { me == 0 ? w.expose(0, all) : w.fold(0, 2, 0, all); };
    EXPECT_NE(objection(2, text).find("combines what is exposed"), std::string::npos) << objection(2, text);
}

TEST(Window, finds_two_that_fill_one_slot) {
    EXPECT_NE(objection(2,
                        [](Window& w, int, Slice all) {
                            w.put(0, all);
                            w.put(0, all);
                        })
                  .find("puts twice"),
              std::string::npos);
}

TEST(Window, finds_what_does_not_fit) {
    const auto too_long = [](Window& w, int, Slice) { w.put(0, {0, 4}); };
    EXPECT_NE(objection(1, too_long).find("more than a slot holds"), std::string::npos);
    const auto beyond = [](Window& w, int me, Slice all) {
        w.put(0, all);
        if (me == 0) w.get(0, 1, 1, all);
    };
    EXPECT_NE(objection(2, beyond).find("beyond what was put"), std::string::npos);
}

TEST(Window, finds_a_barrier_that_lets_a_rank_go_too_early) {
    const Schedule schedule = record(3, 1, [&](Recorder& recorder) {
        recorder.share(tight);
        Window& window = *recorder.window();
        window.put(0, {});
        if (recorder.rank() != 1) window.get(0, (recorder.rank() + 1) % 3, 0, {});
        window.end(1);
    });
    EXPECT_NE(check(schedule, {.collective = Collective::barrier}).reason.find("can leave the barrier"),
              std::string::npos);
}

std::vector<const Algorithm*> rows_in_window() {
    std::vector<const Algorithm*> rows;
    for (const Algorithm& row : catalog())
        if (row.in_window) rows.push_back(&row);
    return rows;
}

INSTANTIATE_TEST_SUITE_P(Rows, WindowProof, testing::ValuesIn(rows_in_window()),
                         [](const auto& row) { return full_name(*row.param); });

}  // namespace
}  // namespace echelon
