// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/candidates.hpp"

#include "groups/ways.hpp"
#include "hier/meaning.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace echelon {
namespace {

/// Most bytes that a leader gathers from its group, for shapes that move whole vectors (alltoall).
constexpr Bytes most_gathered = Bytes(64) << 20;

class Search {
public:
    Search(RecipeTimes& times, Operation operation, const Placement& placement, Width width)
        : times_(times), operation_(operation), placement_(placement), width_(width) {}

    std::vector<Priced> run(Collective collective, Bytes bytes) {
        // With several ranks per node, shapes gain more than flat algorithms.
        std::vector<Priced> found = flat(times_.contention(), collective, bytes, no_limit,
                                         width_ == Width::few && has_node_groups() ? 2 : no_limit, true);
        for (const Groups& groups : all_groups())
            for (const ShapeName& shape : shape_names) {
                const std::size_t before = found.size();
                add_shapes(found, times_.contention(), shape.kind, groups, collective, bytes, true);
                add_pipelined(found, before, collective, bytes);
            }
        sort(found);
        return found;
    }

private:
    static void sort(std::vector<Priced>& list) {
        std::erase_if(list, [](const Priced& one) { return !std::isfinite(one.seconds); });
        std::stable_sort(list.begin(), list.end(),
                         [](const Priced& a, const Priced& b) { return a.seconds < b.seconds; });
    }

    void price(std::vector<Priced>& list, const Contention& contention, Recipe recipe, Collective collective,
               Bytes bytes) {
        if (const auto seconds = times_.on(contention, recipe, collective, bytes, operation_))
            list.push_back({std::move(recipe), *seconds});
    }

    static constexpr std::size_t no_limit = ~std::size_t(0);

    struct PricedRow {
        const Algorithm* row;
        std::optional<Bytes> segment;
        std::optional<int> radix;
        Seconds seconds;
    };

    /// The cheapest `most` rows of the catalog with their parameters, the cheapest first. At most `replayed`
    /// rows are priced, in the order of their lower bounds. `windows`: include rows that use shared memory
    /// (shapes with overlapping segments cannot use them).
    std::vector<Priced> flat(const Contention& contention, Collective collective, Bytes bytes,
                             std::size_t most = no_limit, std::size_t replayed = no_limit,
                             bool windows = false) {
        // Rows far slower than the best one are skipped or priced only up to a limit.
        const double hopeless = width_ == Width::all ? 10 : most == 1 || width_ == Width::few ? 1 : 3;
        std::vector<PricedRow> rows;
        Seconds least = unlimited;
        const auto price_row = [&](const Algorithm& row, std::optional<Bytes> segment,
                                   std::optional<int> radix) {
            const Seconds seconds = times_.row(contention, row, segment, radix, bytes, {}, hopeless * least);
            if (!std::isfinite(seconds)) return unlimited;
            rows.push_back({&row, segment, radix, seconds});
            least = std::min(least, seconds);
            return seconds;
        };
        for (const auto& [floor, this_row] : by_floor(contention, collective, bytes, windows)) {
            if (floor > hopeless * least || replayed-- == 0) break;
            const Algorithm& row = *this_row;
            for (const std::optional<Bytes> given : segments(row, bytes, contention)) {
                const Seconds usual = price_row(row, given, {});
                if (!row.takes_radix || width_ < Width::best) continue;
                const auto price = [&](int radix) {
                    const bool serves = radix >= row.least_radix && radix < contention.p();
                    return serves ? price_row(row, given, radix) : unlimited;
                };
                if (row.default_radix > 0) search_radix(row.default_radix, usual, price);
                for (int window = 1; row.default_radix == 0 && window < contention.p(); window *= 2)
                    price(window);
            }
        }
        std::stable_sort(rows.begin(), rows.end(),
                         [](const PricedRow& a, const PricedRow& b) { return a.seconds < b.seconds; });
        std::vector<Priced> list;
        for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
            const auto& [row, segment, radix, seconds] = rows[i];
            list.push_back({{.kind = Recipe::Kind::flat,
                             .name = std::string(row->name),
                             .segment = segment,
                             .radix = radix},
                            seconds});
        }
        return list;
    }

    /// Looks for the best radix from `usual` on, which takes `seconds`: in the direction that gains, twice or
    /// half as many while that gains, then in the middle between the best one and its neighbours.
    template <class Price>
    static void search_radix(int usual, Seconds seconds, Price price) {
        int best = usual;
        const auto gains = [&](int radix) {
            const Seconds found = radix == best ? unlimited : price(radix);
            if (found >= seconds) return false;
            seconds = found;
            best = radix;
            return true;
        };
        const bool grows = gains(2 * usual);
        while (grows && gains(2 * best)) {
        }
        if (!grows)
            while (best > 1 && gains(best / 2)) {
            }
        const int middle = best;
        if (!gains(middle + middle / 2)) gains(middle - middle / 4);
    }

    /// Rows that can serve, each with a cheap lower bound of its time, the least first.
    std::vector<std::pair<Seconds, const Algorithm*>> by_floor(const Contention& contention,
                                                               Collective collective, Bytes bytes,
                                                               bool windows) {
        std::vector<std::pair<Seconds, const Algorithm*>> rows;
        for (const Algorithm& row : catalog(collective))
            if ((windows || !row.in_window) && times_.may_serve(contention, row, operation_))
                rows.emplace_back(times_.floor(contention, row, best_segment(row, bytes, contention), bytes),
                                  &row);
        std::stable_sort(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        return rows;
    }

    /// Segments tried with a row, in the form of a recipe: nullopt stands for the row's default.
    std::vector<std::optional<Bytes>> segments(const Algorithm& row, Bytes bytes,
                                               const Contention& contention) {
        const Bytes best = best_segment(row, bytes, contention);
        std::vector<Bytes> tried{best};
        if (width_ == Width::all && row.takes_segment && bytes > 0 && best > 0)
            tried.insert(tried.end(), {best / 2, 2 * best});
        std::vector<std::optional<Bytes>> given;
        for (const Bytes segment : tried)
            given.push_back(row.takes_segment && segment != row.default_segment ? std::optional(segment)
                                                                                : std::nullopt);
        return given;
    }

    Bytes best_segment(const Algorithm& row, Bytes bytes, const Contention& contention) {
        if (!row.takes_segment || bytes == 0) return row.default_segment;
        const Bytes best = times_.best_segment(row, bytes, contention);
        return best >= bytes ? 0 : best;
    }

    std::size_t depth() const { return width_ <= Width::best ? 1 : width_ == Width::some ? 3 : 64; }

    static Recipe one_or_both(const Recipe& first, const Recipe& second) {
        return first == second ? first : Recipe{.kind = Recipe::Kind::pair, .parts = {first, second}};
    }

    /// Candidates for a phase, the cheapest few: flat algorithms, and with `nested` the best shapes.
    std::vector<Priced> parts(const Contention& contention, Collective collective, Bytes bytes, bool outer,
                              bool nested) {
        std::vector<Priced> list = flat(contention, collective, bytes, depth());
        if (nested)
            for (const Groups& groups : nested_groups(contention, outer))
                for (const ShapeName& shape : shape_names)
                    add_shapes(list, contention, shape.kind, groups, collective, bytes, false);
        if (list.size() > 1) sort(list);
        // Sums hardly tell which is better: the best flat part stays beside the best shape.
        const auto other = std::find_if(list.begin(), list.end(), [&](const Priced& one) {
            return one.recipe.is_shape() != list.front().recipe.is_shape();
        });
        if (nested && width_ <= Width::best && other != list.end())
            std::rotate(list.begin() + 1, other, other + 1);
        return list;
    }

    /// Groups of several nodes: sites and leaf switches.
    static std::vector<Groups> beyond_nodes(const Contention& contention) {
        std::vector<Groups> levels;
        int wider = 1;
        for (const auto& [level, groups] :
             {std::pair(Level::site, Groups::site()), {Level::leaf_switch, Groups::leaf_switch()}}) {
            const int parts = contention.touched(level);
            if (parts > wider && parts < contention.nodes_touched()) levels.push_back(groups);
            wider = parts;
        }
        return levels;
    }

    std::vector<Groups> nested_groups(const Contention& contention, bool outer) const {
        constexpr int few = 9;
        std::vector<Groups> levels;
        if (outer) {
            levels = beyond_nodes(contention);
            if (contention.p() >= few) levels.push_back(Groups::sqrt());
            return levels;
        }
        const auto count = [](std::span<const int> numbers) {
            return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + 1;
        };
        const int packages = count(placement_.packages()), numas = count(placement_.numas()),
                  l3s = count(placement_.l3s());
        if (packages > placement_.node_count()) levels.push_back(Groups::package());
        if (numas > std::max(packages, placement_.node_count())) levels.push_back(Groups::numa());
        if (l3s > std::max({numas, packages, placement_.node_count()})) levels.push_back(Groups::l3());
        return levels;
    }

    /// Candidates for each phase of a shape.
    struct PhaseParts {
        /// One list per inner phase (one or two phases), the cheapest first.
        std::vector<std::vector<Priced>> inner = {};
        std::vector<Priced> outer = {};
        /// The best part of each phase, or native if it is cheaper.
        std::vector<Recipe> inside = {};
        Recipe across = {};
        bool any_native = false;
    };

    void add_shapes(std::vector<Priced>& found, const Contention& contention, Recipe::Kind kind,
                    const Groups& groups, Collective collective, Bytes bytes, bool may_nest) {
        const ShapeRow* const row = find_shape(kind, collective);
        if (row == nullptr) return;
        const Contention::Division* const division = contention.divide(groups);
        if (division == nullptr || division->group_count == 1 || division->largest == 1) return;
        if (row->unmet(division->sizes(), operation_)) return;
        if (row->has(Move::Part::vectors) && bytes * Bytes(division->largest) > most_gathered) return;
        const bool nested = may_nest && groups.kind() == Groups::Kind::node;
        const auto parts = phase_parts(*row, *division, bytes, nested);
        if (!parts) return;
        Recipe recipe{.kind = kind, .groups = groups};
        if (parts->any_native) {
            const auto& inside = parts->inside;
            recipe.parts = {inside.size() > 1 ? one_or_both(inside[0], inside[1]) : inside[0], parts->across};
            price(found, contention, recipe, collective, bytes);
        }
        for (std::vector<Recipe>& combined : combinations(*parts, nested)) {
            recipe.parts = std::move(combined);
            price(found, contention, recipe, collective, bytes);
        }
        if (auto through_memory = inside_through_memory(*row, *division, *parts)) {
            recipe.parts = std::move(*through_memory);
            price(found, contention, recipe, collective, bytes);
        }
    }

    /// The best parts, with shared memory inside the groups; nullopt if no inner phase can use it at a price.
    std::optional<std::vector<Recipe>> inside_through_memory(const ShapeRow& row,
                                                             const Contention::Division& division,
                                                             const PhaseParts& parts) {
        std::vector<Recipe> inside;
        bool any = false;
        for (std::size_t i = 0; i < row.phase_count(); ++i) {
            if (i == row.outer()) continue;
            const Contention& ground = division.ground(row.phase(i));
            const auto rows = catalog(row.phase(i).what);
            const auto found = std::ranges::find_if(rows, [&](const Algorithm& one) {
                return one.in_window && times_.may_serve(ground, one, operation_);
            });
            if (found == rows.end()) {
                inside.push_back(parts.inner[inside.size()].front().recipe);
                continue;
            }
            any = true;
            inside.push_back({.kind = Recipe::Kind::flat, .name = std::string(found->name)});
        }
        if (!any) return std::nullopt;
        return std::vector{inside.size() > 1 ? one_or_both(inside[0], inside[1]) : inside[0],
                           parts.outer.front().recipe};
    }

    /// Candidates of all phases; nullopt if some phase has none.
    std::optional<PhaseParts> phase_parts(const ShapeRow& row, const Contention::Division& division,
                                          Bytes bytes, bool nested) {
        PhaseParts made;
        for (std::size_t i = 0; i < row.phase_count(); ++i) {
            const Move& move = row.phase(i);
            const bool is_outer = i == row.outer();
            const Contention& ground = division.ground(move);
            const Bytes length = bytes_of(move, bytes, division.sizes());
            auto list = parts(ground, move.what, length, is_outer, nested);
            if (list.empty()) return std::nullopt;
            const bool native = native_is_faster(ground, move.what, length, list.front().seconds);
            made.any_native = made.any_native || native;
            (is_outer ? made.across : made.inside.emplace_back()) = native ? Recipe() : list.front().recipe;
            (is_outer ? made.outer : made.inner.emplace_back()) = std::move(list);
        }
        return made;
    }

    /// Combinations of inner and outer parts: the best of each, and runners-up to depth().
    std::vector<std::vector<Recipe>> combinations(const PhaseParts& parts, bool nested) const {
        const auto deep = [](const std::vector<Priced>& list, std::size_t most) {
            return std::min(list.size(), most);
        };
        const bool two = parts.inner.size() > 1;
        const std::size_t second_count = two ? deep(parts.inner[1], depth()) : 1;
        const std::size_t outer_count =
            deep(parts.outer, nested ? std::max<std::size_t>(depth(), 2) : depth());
        std::vector<std::vector<Recipe>> all;
        for (std::size_t a = 0; a < deep(parts.inner[0], depth()); ++a)
            for (std::size_t b = 0; b < second_count; ++b)
                for (std::size_t o = 0; o < outer_count; ++o) {
                    // A combination holds at most one runner-up.
                    if (width_ == Width::some && int(a > 0) + int(b > 0) + int(o > 0) > 1) continue;
                    const Recipe& first = parts.inner[0][a].recipe;
                    all.push_back(
                        {two ? one_or_both(first, parts.inner[1][b].recipe) : first, parts.outer[o].recipe});
                }
        return all;
    }

    /// True if native is cheaper in this phase. Its time beside other groups on the same nodes is unknown.
    bool native_is_faster(const Contention& ground, Collective phase, Bytes bytes, Seconds best) {
        if (ground.sharing() > 1) return false;
        const auto native = times_.on(ground, Recipe(), phase, bytes, operation_);
        return native && *native < best;
    }

    /// Adds pipelined versions of the shapes found since `from`.
    void add_pipelined(std::vector<Priced>& found, std::size_t from, Collective collective, Bytes bytes) {
        for (std::size_t i = from, end = found.size(); i < end; ++i) {
            Recipe recipe = found[i].recipe;
            if (recipe.has_native_parts() || goes_through_memory(recipe) ||
                std::any_of(recipe.parts.begin(), recipe.parts.end(),
                            [](const Recipe& part) { return part.is_shape(); }))
                continue;
            const Bytes segment = times_.best_segment(recipe, collective, bytes, operation_);
            if (segment == 0 || segment >= bytes) continue;
            recipe.segment = segment;
            price(found, times_.contention(), std::move(recipe), collective, bytes);
        }
    }

    bool has_node_groups() const {
        const Contention& contention = times_.contention();
        return contention.nodes() > 1 && contention.nodes() < contention.p();
    }

    std::vector<Groups> all_groups() const {
        const Contention& contention = times_.contention();
        std::vector<Groups> all = beyond_nodes(contention);
        const int p = contention.p(), nodes = contention.nodes();
        const bool node_groups = has_node_groups();
        if (node_groups) all.push_back(Groups::node());
        if (nodes == 1) {
            for (const Groups& level : nested_groups(contention, false)) all.push_back(level);
        }
        const bool blocks = contention.crossings() == nodes - 1;
        std::vector<int> counts = group_counts(p);
        if (node_groups && blocks) std::erase(counts, nodes);
        if (width_ == Width::best) counts = spread(counts, node_groups ? 3 : 5);
        if (width_ == Width::few) counts = spread(counts, node_groups ? 0 : 2);
        for (const int count : counts) all.push_back(Groups::count(count));
        return all;
    }

    /// At most `most` of them, evenly spaced.
    static std::vector<int> spread(const std::vector<int>& all, std::size_t most) {
        if (all.size() <= most) return all;
        std::vector<int> some;
        for (std::size_t i = 0; i < most; ++i) some.push_back(all[(2 * i + 1) * all.size() / (2 * most)]);
        return some;
    }

    RecipeTimes& times_;
    Operation operation_;
    const Placement& placement_;
    Width width_;
};

}  // namespace

std::vector<int> group_counts(int p) {
    std::set<int> counts;
    for (int g = 2; g <= p / 2; ++g)
        if (p % g == 0) counts.insert(g);
    constexpr std::size_t few = 4;
    if (counts.size() < few)
        for (int g = 2; g <= p / 2; g *= 2) counts.insert(g);
    if (const int root = sqrt_group_count(p); root > 1 && root < p) counts.insert(root);
    return {counts.begin(), counts.end()};
}

std::vector<Priced> candidates(RecipeTimes& times, Collective collective, Bytes bytes, Operation operation,
                               const Placement& placement, Width width) {
    if (collective == Collective::barrier) bytes = 0;
    return Search(times, operation, placement, width).run(collective, bytes);
}

}  // namespace echelon
