// SPDX-License-Identifier: Apache-2.0
/// The table of decisions of a communicator: its binary form, its rows for ranges of sizes, the look-up, and
/// the tables that a process shares. On one rank, without messages.
#include "core/error.hpp"
#include "core/wire.hpp"
#include "groups/layout.hpp"
#include "mpi/clock.hpp"
#include "tuner/decision_table.hpp"
#include "tuner/told_tables.hpp"

#include <gtest/gtest.h>
#include <cfenv>
#include <limits>
#include <locale>
#include <random>

namespace echelon {
namespace {

constexpr std::array recipes{"native",
                             "ring",
                             "shm",
                             "leaders(node, linear+flat_tree, recursive_multiplying)",
                             "leaders(G=1024, binomial, rabenseifner)",
                             "leaders(G=2, native, chain)"};
constexpr auto never = std::numeric_limits<std::uint64_t>::max();

/// Draws the fields of rows: short numbers, long ones, and the ends of their ranges.
class Drawn {
public:
    explicit Drawn(std::uint64_t seed) : random_(seed) {}

    std::uint64_t number(std::uint64_t most = never) {
        const std::uint64_t ends[] = {0, 1, 127, 128, 16384, most};
        const auto choice = random_() % 9;
        return std::min(most, choice < 6 ? ends[choice] : random_() >> random_() % 64);
    }
    bool flag() { return random_() % 2 != 0; }
    std::string word() {
        std::string made(random_() % 200, '\0');
        for (char& one : made) one = char(random_());
        return made;
    }
    Recipe recipe() { return Recipe::parse(recipes[random_() % recipes.size()]); }
    double real() {
        constexpr double ends[] = {0, -0.0, 1.0 / 3, 1e-300, std::numeric_limits<double>::infinity()};
        return ends[random_() % std::size(ends)];
    }
    Agenda agenda() {
        const auto calls = [&] { return long(number(std::numeric_limits<long>::max())); };
        Agenda made{.incumbent = number(rules_of_agenda), .rounds = flag() ? calls() : 0};
        if (made.empty()) return made;  // the rest of it is of no use
        made.wait = calls(), made.warm = calls(), made.block = calls();
        made.challenger = number(rules_of_agenda), made.serving = number(rules_of_agenda);
        made.mirrored = flag(), made.settled = flag();
        return made;
    }
    Row row() {
        Row made{.key = call_of(all_collectives[random_() % all_collectives.size()])};
        made.key.in_order = flag(), made.key.exact = flag();
        if (flag()) made.key.lengths = BlockLengths::own;
        made.key.element_size = number(), made.key.count = number();
        made.until = number();
        if (random_() % 4 == 0) {
            made.later = long(1 + number(std::numeric_limits<long>::max() - 1));
            return made;
        }
        made.choice = {.recipe = recipe(),
                       .source = Source(random_() % (unsigned(Source::undecided) + 1)),
                       .refusal = word(),
                       .evidence = {real(), real()}};
        for (auto arms = random_() % 4; arms > 0; --arms) made.arms.push_back(recipe());
        made.agenda = agenda();
        return made;
    }
    std::vector<Row> rows() {
        std::vector<Row> made(random_() % 4);
        for (Row& one : made) one = row();
        return made;
    }

private:
    static constexpr std::uint64_t rules_of_agenda = 63;
    std::mt19937_64 random_;
};

void expect_same(const Row& a, const Row& b) {
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.until, b.until);
    EXPECT_EQ(a.later, b.later);
    EXPECT_EQ(a.choice.recipe, b.choice.recipe);
    EXPECT_EQ(a.choice.source, b.choice.source);
    EXPECT_EQ(a.choice.refusal, b.choice.refusal);
    for (const auto field : {&Evidence::native, &Evidence::ours}) {
        EXPECT_EQ(a.choice.evidence.*field, b.choice.evidence.*field);
        EXPECT_EQ(std::signbit(a.choice.evidence.*field), std::signbit(b.choice.evidence.*field));
    }
    EXPECT_EQ(a.arms, b.arms);
    EXPECT_EQ(a.agenda, b.agenda);
}

TEST(Rows, keep_every_field_in_their_binary_form) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const std::vector<Row> rows = Drawn(seed).rows(), again = rows_of(to_bytes(rows));
        ASSERT_EQ(again.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) expect_same(rows[i], again[i]);
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(Rows, that_are_cut_are_an_error) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::string text = to_bytes(Drawn(seed).rows());
        for (std::size_t length = 0; length < text.size(); ++length)
            EXPECT_THROW((void)rows_of(std::string_view(text).substr(0, length)), Error)
                << "seed " << seed << ", " << length << " bytes of " << text.size();
    }
}

TEST(Rows, hold_numbers_of_all_lengths) {
    for (int bit = 0; bit < 64; ++bit)
        for (const std::uint64_t number : {(std::uint64_t(1) << bit) - 1, std::uint64_t(1) << bit, never}) {
            std::string text;
            put_number(text, number);
            EXPECT_LE(text.size(), 10u);
            for (std::size_t length = 0; length < text.size(); ++length) {
                std::string_view cut = std::string_view(text).substr(0, length);
                EXPECT_THROW((void)take_number(cut), Error);
            }
            text += "rest";
            std::string_view rest = text;
            EXPECT_EQ(take_number(rest), number);
            EXPECT_EQ(rest, "rest");
        }
    std::string_view endless = "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80";
    EXPECT_THROW((void)take_number(endless), Error);
}

/// Groups digits by three, like many languages.
struct Grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(Rows, are_the_same_bytes_in_every_locale_and_rounding_mode) {
    const std::locale usual;
    const int nearest = std::fegetround();
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::vector<Row> rows = Drawn(seed).rows();
        const std::string text = to_bytes(rows);
        for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            std::locale::global(std::locale(usual, new Grouped));
            std::fesetround(mode);
            const std::string same = to_bytes(rows);
            const std::vector<Row> again = rows_of(text);
            std::fesetround(nearest);
            std::locale::global(usual);
            EXPECT_EQ(same, text) << "seed " << seed;
            ASSERT_EQ(again.size(), rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) expect_same(rows[i], again[i]);
        }
    }
}

// These rows are sent to every new communicator and must be short for slow networks.
TEST(Rows, are_short) {
    const Row row{.key = call_of(Collective::allreduce, 1024),
                  .until = 2048,
                  .choice = {.recipe = Recipe::parse("ring"), .source = Source::model}};
    EXPECT_LE(to_bytes({row}).size(), 40u);
    EXPECT_LE(to_bytes({{.key = call_of(Collective::allreduce, 8), .later = 40}}).size(), 9u);
}

constexpr Collective a = Collective::allreduce, b = Collective::bcast;

PlanKey call(Collective collective, Bytes bytes, bool exact = true) {
    PlanKey made = call_of(collective, bytes);
    made.exact = exact;
    return made;
}
Row decided(const char* recipe, const PlanKey& key, Source source = Source::model) {
    return {.key = key, .choice = {.recipe = Recipe::parse(recipe), .source = source}};
}
/// A row for sizes from the call's up to `until`.
Row told(const char* recipe, const PlanKey& key, Bytes until) {
    Row made = decided(recipe, key);
    made.until = until;
    return made;
}

/// A communicator's table, and the recipes that it finds; "" for nothing.
struct Table {
    CallClasses classes;
    DecisionTable table{classes};

    explicit Table(std::vector<Row> told = {}, Edges edges = {}) : classes(std::move(edges)) {
        table.set_told(std::make_shared<const ToldTable>(std::move(told)));
    }
    std::string operator()(Collective collective, Bytes bytes, bool exact = true) const {
        return (*this)(call(collective, bytes, exact));
    }
    std::string operator()(const PlanKey& key) const {
        const Row* const found = table.find(key);
        return found == nullptr ? "" : to_string(found->choice.recipe);
    }
};

std::vector<std::pair<Bytes, Bytes>> ranges(const std::vector<Row>& rows) {
    std::vector<std::pair<Bytes, Bytes>> all;
    for (const Row& row : rows) all.emplace_back(row.key.bytes(), row.until);
    return all;
}
using Ranges = std::vector<std::pair<Bytes, Bytes>>;

/// Decisions for bcasts of these sizes.
std::vector<Row> bcasts(const std::vector<std::pair<Bytes, const char*>>& all) {
    std::vector<Row> made;
    for (const auto& [bytes, recipe] : all) made.push_back(decided(recipe, call(b, bytes)));
    return made;
}

TEST(Merged, one_row_holds_for_many_sizes) {
    const std::vector<Row> rows = merged(
        bcasts({{8, "ring"}, {16, "ring"}, {32, "ring"}, {64, "ring"}, {96, "chain"}, {128, "chain"}}), {});
    EXPECT_EQ(ranges(rows), (Ranges{{8, 96}, {96, 256}}));
    const Table table(rows);
    for (const Bytes bytes : {1, 8, 95}) EXPECT_EQ(table(b, bytes), "ring") << bytes;
    for (const Bytes bytes : {96, 255}) EXPECT_EQ(table(b, bytes), "chain") << bytes;
    EXPECT_EQ(table(b, 256), "") << "twice as large as the last";
}

TEST(Merged, rows_end_at_sizes_without_a_decision) {
    EXPECT_EQ(ranges(merged(bcasts({{8, "ring"}, {64, "ring"}, {129, "ring"}}), {})),
              (Ranges{{8, 16}, {64, 128}, {129, 258}}));
}

TEST(Merged, native_is_left_out_and_ends_a_row) {
    const std::vector<Row> rows = merged(bcasts({{8, "native"},
                                                 {16, "native"},
                                                 {64, "ring"},
                                                 {128, "native"},
                                                 {256, "ring"},
                                                 {384, "native"},
                                                 {512, "ring"}}),
                                         {});
    EXPECT_EQ(ranges(rows), (Ranges{{64, 128}, {256, 384}, {512, 1024}}));
    const Table table(rows);
    for (const Bytes bytes : {8, 63, 128, 255, 384, 511}) EXPECT_EQ(table(b, bytes), "") << bytes;
    EXPECT_TRUE(merged({}, {}).empty());
    EXPECT_TRUE(merged(bcasts({{8, "native"}}), {}).empty());
}

TEST(Merged, rows_keep_their_source) {
    std::vector<Row> rows = bcasts({{8, "ring"}, {16, "ring"}});
    rows[1].choice.source = Source::profile_rule;
    EXPECT_EQ(ranges(merged(rows, {})), (Ranges{{8, 16}, {16, 32}}));
}

TEST(Merged, rows_end_at_the_edges_of_rules) {
    const CallClasses cut({{b, {1200}}, {a, {1100}}});
    const std::vector<Row> rows = merged(bcasts({{1024, "ring"}, {1200, "ring"}, {2048, "ring"}}), cut);
    EXPECT_EQ(ranges(rows), (Ranges{{1024, 1200}, {1200, 4096}}));
    const Table table(rows, cut.edges());
    EXPECT_EQ(table(b, 1199), "ring");
    EXPECT_EQ(table(b, 4095), "ring");
}

TEST(Decisions, told_rows_end_at_their_upper_size) {
    const Table table({told("ring", call(a, 1024), 2048)});
    for (const Bytes bytes : {1024, 2047}) EXPECT_EQ(table(a, bytes), "ring") << bytes;
    for (const Bytes bytes : {0, 1000, 1023, 2048}) EXPECT_EQ(table(a, bytes), "") << bytes;
    EXPECT_EQ(table(b, 1024), "");
    PlanKey in_order = call(a, 1024);
    in_order.in_order = true;
    EXPECT_EQ(table(in_order), "");
}

TEST(Decisions, told_rows_hold_no_further_than_a_rule) {
    Table table({told("ring", call(a, 1024), 2048)}, {{a, {1000, 1201, 1400}}, {b, {1100}}});
    for (const Bytes bytes : {1024, 1200}) EXPECT_EQ(table(a, bytes), "ring") << bytes;
    for (const Bytes bytes : {1201, 1399, 1400, 1500}) EXPECT_EQ(table(a, bytes), "") << bytes;
    // Decisions on either side of an edge within one class.
    table.table.put(decided("circulant", call(a, 1300)));
    table.table.put(decided("linear", call(a, 1400)));
    EXPECT_EQ(table(a, 1399), "circulant");
    EXPECT_EQ(table(a, 1401), "linear");
}

TEST(Decisions, all_short_calls_share_the_least_size) {
    const Table table({told("ring", call(a, 8), 64)});
    for (const Bytes bytes : {1, 8, 63}) EXPECT_EQ(table(a, bytes), "ring") << bytes;
    for (const Bytes bytes : {0, 64}) EXPECT_EQ(table(a, bytes), "") << bytes;
}

/// A gatherv of any length was the same call as a gather of 0 bytes.
TEST(Decisions, calls_without_a_common_size_have_one_class) {
    Table table({told("ring", call(Collective::gather, 0), 1 << 20)});
    PlanKey own = call(Collective::gather, 0);
    own.lengths = BlockLengths::own;
    EXPECT_EQ(table(own), "") << "told rows are for sizes";
    PlanKey longer = own;
    longer.count = 1 << 20;
    longer.root = 3;
    table.table.put(decided("binomial", longer));
    EXPECT_EQ(table(own), "binomial");
    EXPECT_EQ(table(Collective::gather, 0), "ring");
    EXPECT_FALSE(table.classes.of(own).waits_for_all());
}

TEST(Decisions, exact_calls_fall_back_on_rows_of_rounding_ones) {
    const Table rounding({told("ring", call(a, 1024, false), 2048)});
    EXPECT_EQ(rounding(a, 1500), "ring");
    EXPECT_EQ(rounding(a, 1500, false), "ring");
    const Table both({told("ring", call(a, 1024, false), 2048), told("circulant", call(a, 896), 1600)});
    EXPECT_EQ(both(a, 1500), "circulant") << "its own goes first";
    EXPECT_EQ(both(a, 1600), "ring");
    EXPECT_EQ(both(a, 1500, false), "ring");
    const Table exact({told("circulant", call(a, 1024), 2048)});
    EXPECT_EQ(exact(a, 1024, false), "") << "it may not serve operations that round";
}

TEST(Decisions, for_a_class_go_before_told_rows) {
    Table table({told("ring", call(a, 1024), 4096)});
    table.table.put(decided("circulant", call(a, 2047)));
    EXPECT_EQ(table(a, 2047), "circulant");
    EXPECT_EQ(table(a, 1920), "circulant") << "of the same class";
    EXPECT_EQ(table(a, 1500), "ring");
    EXPECT_EQ(table(a, 2048), "ring");
    EXPECT_EQ(table(a, 2047, false), "") << "another class, for which no row holds";
    table.table.put(decided("linear", call(a, 1920)));
    EXPECT_EQ(table(a, 2047), "linear") << "the last one replaces the others of its class";
    EXPECT_EQ(table.table.by_class().size(), 1u);
}

TEST(Decisions, are_dropped_alone_or_with_findings) {
    Table table({told("ring", call(a, 1024), 4096)});
    Row finding = decided("linear", call(a, 1024), Source::trial);
    finding.arms = {Recipe(), finding.choice.recipe};
    finding.agenda = {.incumbent = 1, .challenger = 0, .rounds = 3, .settled = true};
    table.table.put(finding);
    table.table.put(decided("circulant", call(a, 2048)));
    table.table.set_requested({{.collective = b, .sizes = {}, .choice = {.recipe = Recipe()}}});
    table.table.clear(false);
    EXPECT_EQ(table(a, 1024), "linear");
    EXPECT_TRUE(table.table.find(call(a, 1024))->found());
    EXPECT_TRUE(table.table.find(call(a, 1024))->agenda.empty()) << "its trial is over";
    EXPECT_TRUE(table.table.find(call(a, 1024))->arms.empty());
    EXPECT_EQ(table(a, 2048), "ring") << "the table stays";
    EXPECT_TRUE(table.table.has_told());
    table.table.clear(true);
    EXPECT_EQ(table(a, 1024), "");
    EXPECT_EQ(table(a, 2048), "");
    EXPECT_FALSE(table.table.has_told());
    EXPECT_EQ(table.table.requested().size(), 1u);
}

TEST(Requests, are_found_in_the_order_of_their_strength) {
    const CallClasses classes;
    DecisionTable table(classes);
    const auto request = [](Collective collective, ByteRange sizes, const char* recipe) {
        return Requested{.collective = collective,
                         .sizes = sizes,
                         .choice = {.recipe = Recipe::parse(recipe), .source = Source::setting}};
    };
    const auto found = [&](Collective collective, Bytes bytes) {
        const Requested* const one = table.find_requested(call(collective, bytes));
        return one == nullptr ? "" : to_string(one->choice.recipe);
    };
    EXPECT_EQ(found(a, 8), "");
    table.set_requested({request(a, {100, 200}, "ring"), request(b, {}, "chain"),
                         request(a, {150, 300}, "linear"), request(a, {0, 250}, "circulant")});
    EXPECT_EQ(found(a, 99), "circulant");
    for (const Bytes bytes : {100, 150, 200}) EXPECT_EQ(found(a, bytes), "ring") << bytes;
    for (const Bytes bytes : {201, 300}) EXPECT_EQ(found(a, bytes), "linear") << bytes;
    EXPECT_EQ(found(a, 301), "");
    for (const Bytes bytes : {Bytes(0), Bytes(never)}) EXPECT_EQ(found(b, bytes), "chain") << bytes;
    EXPECT_EQ(table.find(call(a, 150)), nullptr) << "decisions are apart";
}

// Every new communicator under a profile decided, wrote and read the same rows again.
TEST(ToldTables, are_written_once_for_ranks_that_sit_alike_and_read_once) {
    const auto profile = std::make_shared<const Profile>();
    const auto one = std::make_shared<const Decider>(profile, placement_of_layout("4x4")),
               other = std::make_shared<const Decider>(profile, placement_of_layout("2x8"));
    ToldTables tables;
    int writings = 0;
    const auto slowly = [&] {
        const Seconds until = now() + 0.05;
        while (now() < until) {
        }
        return std::to_string(++writings);
    };
    const Seconds began = now();
    EXPECT_EQ(tables.written(one, slowly), "1");
    std::string again = tables.written(one, slowly);
    EXPECT_EQ(tables.written(other, slowly), again == "1" ? "2" : "3");
    if (now() - began < 5) {
        EXPECT_EQ(again, "1");
        EXPECT_EQ(tables.written(one, slowly), "1") << "less than 5 s ago";
    }
    writings = 0;
    EXPECT_EQ(tables.written(nullptr, slowly), "1");
    EXPECT_EQ(tables.written(nullptr, slowly), "2") << "not shared";

    const std::string text = to_bytes({told("ring", call(a, 8), 64)});
    const auto first = tables.read(text);
    ASSERT_EQ(first->size(), 1u);
    EXPECT_EQ(tables.read(text), first);
    EXPECT_NE(tables.read(to_bytes({})), first);
    EXPECT_EQ(tables.read(text), first);
    EXPECT_THROW((void)tables.read("\2"), Error);
    EXPECT_EQ(tables.read(text), first);
}

TEST(ToldTables, are_written_anew_when_the_program_does_not_notice) {
    const auto decider =
        std::make_shared<const Decider>(std::make_shared<const Profile>(), placement_of_layout("4x4"));
    ToldTables tables;
    int writings = 0;
    Seconds took = 0;
    const auto write = [&] {
        const Seconds began = now();
        std::string text = std::to_string(++writings);
        took = now() - began;
        return text;
    };
    (void)tables.written(decider, write);
    // A hundred times as long as the writing, and the time around it.
    const Seconds until = now() + 0.2 + 200 * took;
    while (now() < until) {
    }
    const int before = writings;
    (void)tables.written(decider, write);
    EXPECT_EQ(writings, before + 1);
}

}  // namespace
}  // namespace echelon
