// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit_torus.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace echelon {
namespace {

using Sizes = std::array<std::uint8_t, TorusPosition::most_dimensions>;

/// Greatest deviation of the distances, root mean square, in units of a link's time.
constexpr double most_off = 0.15;
/// Least time of a link, as a share of the nearest distance: a smaller one does not matter and may be noise.
constexpr double least_share = 0.03;
constexpr int longest_ring = std::numeric_limits<std::uint8_t>::max();

/// Number of nodes and length of the ring in each dimension.
struct Shape {
    std::vector<int> extents = {};
    Sizes rings = {};

    TorusPosition position(int number) const {
        TorusPosition made{.size = rings};
        for (std::size_t d = 0; d < extents.size(); ++d) {
            made.at[d] = std::uint8_t(number % extents[d]);
            number /= extents[d];
        }
        return made;
    }
};

/// Calls use(shape) for each completion of `begun` to `dimensions` dimensions that holds nodes 0 to `nodes` -
/// 1. `held`: number of nodes that `begun` holds.
template <class Use>
void each_shape(int nodes, std::size_t dimensions, Shape& begun, int held, const Use& use) {
    const std::size_t d = begun.extents.size();
    const bool is_last = d + 1 == dimensions;
    const auto with = [&](int extent, const auto& then) {
        begun.extents.push_back(extent);
        // The dimension is a ring or a mesh; in the last one the nodes may be a part of a longer ring.
        const int mesh = std::max(extent, 2 * (extent - 1));
        for (int ring = extent; ring <= std::min(mesh, longest_ring); ++ring) {
            if (!is_last && ring > extent && ring < mesh) continue;
            begun.rings[d] = std::uint8_t(ring);
            then();
        }
        begun.rings[d] = 0;
        begun.extents.pop_back();
    };
    if (is_last) return with((nodes + held - 1) / held, [&] { use(std::as_const(begun)); });
    for (int extent = 2; extent * held < nodes; ++extent)
        with(extent, [&] { each_shape(nodes, dimensions, begun, held * extent, use); });
}

/// Deviation of the distances from a line through their numbers of links, in units of a link's time; infinity
/// if links add no time or more than their share, or if no distance has `far` or more links.
double off_line(std::span<const Distance> distances, std::span<const int> numbers, const Shape& shape,
                int far) {
    const double count = double(distances.size());
    double links = 0, seconds = 0, squares = 0, products = 0, square_seconds = 0;
    int most = 0;
    for (const Distance& one : distances) {
        const int apart = hops(shape.position(numbers[std::size_t(one.from)]),
                               shape.position(numbers[std::size_t(one.to)]));
        most = std::max(most, apart);
        links += apart, squares += double(apart) * apart;
        seconds += one.seconds, square_seconds += one.seconds * one.seconds;
        products += apart * one.seconds;
    }
    const double spread = squares - links * links / count, common = products - links * seconds / count;
    constexpr double none = std::numeric_limits<double>::infinity();
    if (most < far || !(spread > 0) || !(common > 0)) return none;
    const double of_link = common / spread, without = (seconds - of_link * links) / count;
    if (without < -most_off * of_link || of_link < least_share * (without + of_link)) return none;
    const double left = square_seconds - seconds * seconds / count - common * of_link;
    return std::sqrt(std::max(0.0, left) / count) / of_link;
}

/// Number at the end of each name; empty unless all names have one and all differ.
std::vector<int> numbers_in(std::span<const std::string> names) {
    std::vector<int> made;
    for (const std::string& name : names) {
        const auto end = name.find_last_of("0123456789") + 1;
        auto begin = end;
        while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
        int number = -1;
        std::from_chars(name.data() + begin, name.data() + end, number);
        made.push_back(number);
    }
    const std::set<int> all(made.begin(), made.end());
    return all.size() == made.size() && *all.begin() >= 0 ? made : std::vector<int>();
}

/// Possible numberings of the nodes: by name, from 0 or from the least number, and in the given order.
std::vector<std::vector<int>> ways_to_count(std::span<const std::string> names) {
    std::vector<std::vector<int>> ways;
    if (const std::vector<int> by_name = numbers_in(names); !by_name.empty()) {
        ways.push_back(by_name);
        const int least = std::ranges::min(by_name);
        for (int& number : ways.emplace_back(by_name)) number -= least;
    }
    auto& as_given = ways.emplace_back(names.size());
    std::iota(as_given.begin(), as_given.end(), 0);
    std::erase_if(ways,
                  [](const auto& way) { return std::ranges::max(way) >= int(TorusPosition::most_nodes); });
    return ways;
}

}  // namespace

std::vector<TorusPosition> fit_torus(std::span<const Distance> distances, std::span<const std::string> names,
                                     int far) {
    if (distances.empty()) return {};
    // A part of the distances rules out most shapes.
    constexpr std::size_t some = 48;
    std::vector<Distance> first;
    for (std::size_t i = 0; i < std::min(some, distances.size()); ++i)
        first.push_back(distances[i * distances.size() / std::min(some, distances.size())]);
    double least = most_off;
    std::vector<TorusPosition> found;
    for (const std::vector<int>& numbers : ways_to_count(names)) {
        for (std::size_t dimensions = 1; dimensions <= TorusPosition::most_dimensions; ++dimensions) {
            Shape begun;
            each_shape(std::ranges::max(numbers) + 1, dimensions, begun, 1, [&](const Shape& shape) {
                if (room(shape.position(0)) > TorusPosition::most_nodes ||
                    off_line(first, numbers, shape, 0) > 2 * most_off)
                    return;
                constexpr double plainly = 0.9;
                const double off = off_line(distances, numbers, shape, far);
                if (!(off < plainly * least)) return;
                least = off;
                found.clear();
                for (const int number : numbers) found.push_back(shape.position(number));
            });
        }
    }
    return found;
}

}  // namespace echelon
