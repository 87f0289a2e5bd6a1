// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/policy.hpp"

#include "core/error.hpp"
#include "core/ranks.hpp"
#include "core/spelling.hpp"
#include "flat/catalog.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echelon {
namespace {

constexpr std::array<std::string_view, 6> policies{
    "model", "sqrt", "rabenseifner2004", "native", "formula:hockney", "formula:plogp"};

Recipe flat(std::string_view name) { return {.kind = Recipe::Kind::flat, .name = std::string(name)}; }

}  // namespace

std::string_view name(Policy policy) { return policies[std::size_t(policy)]; }

Policy parse_policy(std::string_view text) {
    const auto found = std::find(policies.begin(), policies.end(), text);
    if (found == policies.end())
        throw Error("policy " + is_none_of(text, {policies.begin(), policies.end()}));
    return Policy(found - policies.begin());
}

Recipe reproducible_rule(Collective collective, Bytes bytes) {
    // These algorithms keep the rank order and ignore the placement.
    const bool vector = bytes > short_vector;
    if (collective == Collective::allreduce) return flat(vector ? "rabenseifner" : "recursive_doubling");
    if (collective == Collective::reduce) return flat(vector ? "rabenseifner" : "binomial");
    for (const Algorithm& row : catalog(collective))
        if (row.keeps_order || !reduces(collective)) return flat(row.name);
    return {};
}

std::string rabenseifner_rule(int p, Bytes bytes, bool allreduce) {
    const bool power = is_power_of_two(p);
    if (bytes <= 32 && allreduce) return "recursive_doubling";
    if (bytes <= 1024) return allreduce && power ? "recursive_doubling" : "binomial";
    const bool odd_few = p < 32 && p % 2 == 1;
    if (odd_few && bytes >= (Bytes(64) << 10)) return "ring";
    int widest = 0, before = -1;  // the widest gap between the binary digits of p
    for (int bit = 0; p >> bit != 0; ++bit)
        if ((p >> bit & 1) != 0) {
            if (before >= 0) widest = std::max(widest, bit - before);
            before = bit;
        }
    const bool blocks =
        !power && p > 32 && bytes >= (Bytes(16) << 10) && widest < std::log2(double(bytes)) / 2 - 2.5;
    if (blocks &&
        find_algorithm(allreduce ? Collective::allreduce : Collective::reduce, "binary_blocks") != nullptr)
        return "binary_blocks";
    return "rabenseifner";
}

}  // namespace echelon
