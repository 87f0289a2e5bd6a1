// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/recipe_time.hpp"

#include "hier/meaning.hpp"
#include "hier/shapes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace echelon {
namespace {

/// Shorter segments cost more in bookkeeping than they gain.
constexpr Bytes least_segment = 64;

Bytes power_of_two(double bytes) {
    return Bytes(1) << int(std::lround(std::log2(std::max(bytes, double(least_segment)))));
}

}  // namespace

std::optional<Seconds> RecipeTimes::operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                               Operation operation) {
    return on(contention_, recipe, collective, collective == Collective::barrier ? 0 : bytes, operation);
}

std::optional<Seconds> RecipeTimes::on(const Contention& contention, const Recipe& recipe,
                                       Collective collective, Bytes bytes, Operation operation) {
    switch (recipe.kind) {
        case Recipe::Kind::native:
            return native(contention, collective, bytes);
        case Recipe::Kind::flat:
            return flat(contention, recipe, collective, bytes, operation);
        case Recipe::Kind::pair: {
            if (collective != Collective::allreduce && collective != Collective::barrier) return std::nullopt;
            const auto first = on(contention, recipe.parts[0], Collective::reduce, bytes, operation);
            const auto second = on(contention, recipe.parts[1], Collective::bcast, bytes, operation);
            if (!first || !second) return std::nullopt;
            return *first + *second;
        }
        default:
            break;
    }
    const Contention::Division* const division = contention.divide(*recipe.groups);
    if (division == nullptr) return std::nullopt;
    const ShapeRow* const row = find_shape(recipe.kind, collective);
    if (const Recipe* const alone = serves_alone(recipe, row, division->sizes()))
        return on(contention, *alone, collective, bytes, operation);
    if (row == nullptr || row->unmet(division->sizes(), operation) || row->unmet(recipe)) return std::nullopt;

    const Bytes segment = recipe.segment.value_or(0);
    const double n = double(Segments({0, bytes}, segment).size());
    const auto one =
        stages(contention, recipe, *row, segment == 0 ? bytes : std::min(segment, bytes), operation);
    if (!one) return std::nullopt;
    // The phases overlap only if they do not use the same network.
    const bool apart = division->inside.crossings() == 0;
    const Seconds slowest = apart ? std::max(one->inside, one->across) : one->inside + one->across;
    return one->inside + one->across + (n - 1) * slowest;
}

std::optional<Seconds> RecipeTimes::native(const Contention& contention, Collective collective, Bytes bytes) {
    if (natives_ == nullptr) return std::nullopt;
    const std::tuple call(&contention, collective, bytes);
    const auto known = native_.find(call);
    return known != native_.end() ? known->second
                                  : native_[call] = natives_like(contention, collective, bytes);
}

std::optional<Seconds> RecipeTimes::natives_like(const Contention& contention, Collective collective,
                                                 Bytes bytes) {
    // A set that shares its nodes' cards with other sets takes as long as if it had the bytes of all of them.
    const bool is_alone = contention.sharing() == 1;
    const int nodes = contention.nodes_touched();
    const auto plain = (*natives_)(collective, contention.p(), {nodes, contention.touched(Level::site)},
                                   bytes * Bytes(contention.sharing()));
    if (!plain) return std::nullopt;
    const auto alike =
        nodes == 1 ? std::nullopt
                   : natives_->likenesses()(
                         collective, contention.p(), nodes, bytes, is_alone ? plain->error : unlimited,
                         [&](const Recipe& recipe) { return on(contention, recipe, collective, bytes, {}); });
    return std::max((alike ? alike : plain)->seconds, contention.p() > 1 ? rows_.message(0, contention) : 0);
}

std::optional<Seconds> RecipeTimes::flat(const Contention& contention, const Recipe& recipe,
                                         Collective collective, Bytes bytes, Operation operation) {
    const Meaning meaning = meaning_of(recipe.name, collective);
    if (meaning.in_halves()) {
        const auto up = flat(contention, recipe, Collective::reduce, bytes, operation);
        const auto down = flat(contention, recipe, Collective::bcast, bytes, operation);
        if (!up || !down) return std::nullopt;
        return *up + *down;
    }
    const Algorithm* const row = meaning.first;
    if (row == nullptr || !may_serve(contention, *row, operation)) return std::nullopt;
    return this->row(contention, *row, recipe.segment, recipe.radix, bytes, recipe.schedule);
}

Seconds RecipeTimes::row(const Contention& contention, const Algorithm& row, std::optional<Bytes> segment,
                         std::optional<int> radix, Bytes bytes, std::string_view schedule, Seconds limit) {
    const Problem problem{.p = contention.p(),
                          .bytes = bytes,
                          .segment = row.takes_segment ? segment.value_or(row.default_segment) : 0,
                          .radix = row.takes_radix ? radix.value_or(row.default_radix) : row.default_radix,
                          .schedule = row.takes_schedule ? schedule : std::string_view()};
    return rows_(row, problem, contention, limit);
}

Seconds RecipeTimes::floor(const Contention& contention, const Algorithm& row, std::optional<Bytes> segment,
                           Bytes bytes) {
    const Problem problem{.p = contention.p(),
                          .bytes = bytes,
                          .segment = row.takes_segment ? segment.value_or(row.default_segment) : 0,
                          .radix = row.default_radix};
    return rows_.floor(row, problem, contention);
}

std::optional<RecipeTimes::Stages> RecipeTimes::stages(const Contention& contention, const Recipe& shape,
                                                       const ShapeRow& row, Bytes bytes,
                                                       Operation operation) {
    const Contention::Division& division = *contention.divide(*shape.groups);
    Stages made;
    for (std::size_t i = 0; i < row.phase_count(); ++i) {
        const Move& move = row.phase(i);
        const auto time = on(division.ground(move), row.part(shape, i), move.what,
                             bytes_of(move, bytes, division.sizes()), operation);
        if (!time) return std::nullopt;
        (i == row.outer() ? made.across : made.inside) += *time;
    }
    if (is_scan(row.collective)) made.inside += rows_.machine().gamma * double(bytes);
    // Ranks at positions that not every group has are served by other ranks of their group.
    if (row.has(Move::Where::to_extras) && division.largest > division.smallest)
        made.inside += double((division.largest - 1) / division.smallest) *
                       rows_.message(double(bytes), division.inside);
    return made;
}

Bytes RecipeTimes::best_segment(const Algorithm& row, Bytes bytes, const Contention& contention) {
    if (!row.takes_segment || bytes <= 4 * least_segment || contention.p() < 2) return 0;
    const double alpha = rows_.message(0, contention),
                 gamma = reduces(row.collective) ? rows_.machine().gamma : 0;
    const double b = (rows_.message(double(bytes), contention) - alpha) / double(bytes) + gamma;
    if (alpha <= 0) return least_segment;
    const auto steps = [&](Bytes segment) {
        const Problem problem{
            .p = contention.p(), .bytes = bytes, .segment = segment, .radix = row.default_radix};
        return rows_.cost(row, problem).steps;
    };
    constexpr Bytes some = 16;
    const double one = steps(0), each = (steps(bytes / some) - one) / double(some - 1);
    double n = 0;
    if (rows_
            .cost(row, {.p = contention.p(), .bytes = bytes, .segment = bytes / some / Bytes(contention.p())})
            .hidden > 0) {
        // A segmented ring: each of the p - 1 steps hides gamma m / p (1 - 1 / n) behind n alpha.
        n = std::sqrt(gamma * double(bytes) / contention.p() / alpha);
        return n < 1.5 ? 0 : power_of_two(double(bytes) / contention.p() / n);
    }
    if (each <= 0) return least_segment;
    n = std::sqrt(std::max(0.0, (one - each) * b) * double(bytes) / (each * alpha));
    return n < 1.5 ? 0 : power_of_two(double(bytes) / n);
}

Bytes RecipeTimes::best_segment(const Recipe& shape, Collective collective, Bytes bytes,
                                Operation operation) {
    const ShapeRow* const row = find_shape(shape.kind, collective);
    if (bytes <= 2 * least_segment || row == nullptr || !row->takes_segment()) return 0;
    const Contention::Division* const division = contention_.divide(*shape.groups);
    if (division == nullptr || division->inside.crossings() > 0) return 0;
    const auto none = stages(contention_, shape, *row, 0, operation);
    const auto all = stages(contention_, shape, *row, bytes, operation);
    if (!none || !all) return 0;
    const bool inside_is_slower = all->inside > all->across;
    const Seconds a = inside_is_slower ? none->inside : none->across;
    const Seconds others = inside_is_slower ? all->across - none->across : all->inside - none->inside;
    if (a <= 0 || others <= 0) return 0;
    const double n = std::sqrt(others / a);
    return n < 1.5 ? 0 : power_of_two(double(bytes) / n);
}

}  // namespace echelon
