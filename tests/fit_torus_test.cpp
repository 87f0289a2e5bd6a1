// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit_torus.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace {

using namespace echelon;

std::vector<std::string> names(int nodes, int first = 0) {
    std::vector<std::string> made;
    for (int node = first; node < first + nodes; ++node) made.push_back("node-" + std::to_string(node));
    return made;
}

/// Distances between the pairs that a calibration measures.
std::vector<Distance> distances(int nodes, const std::function<Seconds(int, int)>& between) {
    std::vector<Distance> made;
    for (int step = 1; step < nodes; step *= 2)
        for (int node = 0; node < nodes; ++node)
            if (const int other = node ^ step; node < other && other < nodes)
                made.push_back({node, other, between(node, other)});
    for (const int step : {3, nodes / 3 + 1, nodes / 2 - 1})
        for (int node = 0; node < nodes; ++node)
            made.push_back({node, (node + step) % nodes, between(node, (node + step) % nodes)});
    return made;
}

/// Position of node `node` in a torus with these rings, of which some dimensions are meshes.
TorusPosition position(int node, const std::vector<int>& extents, const std::vector<int>& rings) {
    TorusPosition made;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        made.at[d] = std::uint8_t(node % extents[d]);
        made.size[d] = std::uint8_t(rings[d]);
        node /= extents[d];
    }
    return made;
}

struct Shape {
    int nodes;
    std::vector<int> extents, rings;
    int first = 0;
};

class FitTorus : public testing::TestWithParam<Shape> {};

TEST_P(FitTorus, FindsTheLinksBetweenNodesThroughNoise) {
    const Shape& shape = GetParam();
    const int nodes = shape.nodes, first = shape.first;
    std::mt19937 random(nodes);
    std::normal_distribution<double> noise(0, 5e-9);
    const auto links = [&](int a, int b) {
        return hops(position(first + a, shape.extents, shape.rings),
                    position(first + b, shape.extents, shape.rings));
    };
    const auto found =
        fit_torus(distances(nodes, [&](int a, int b) { return 1e-6 + 1e-7 * links(a, b) + noise(random); }),
                  names(nodes, first), 3);
    ASSERT_EQ(int(found.size()), nodes);
    for (int a = 0; a < nodes; ++a)
        for (int b = 0; b < nodes; ++b)
            EXPECT_EQ(hops(found[std::size_t(a)], found[std::size_t(b)]), links(a, b)) << a << " to " << b;
}

INSTANTIATE_TEST_SUITE_P(Shapes, FitTorus,
                         testing::Values(Shape{20, {4, 4, 8}, {4, 4, 8}}, Shape{75, {5, 5, 3}, {5, 5, 3}},
                                         Shape{30, {5, 6}, {5, 12}}, Shape{11, {11}, {11}},
                                         Shape{9, {9}, {18}}, Shape{64, {2, 2, 4, 4}, {2, 2, 4, 4}},
                                         Shape{80, {3, 5, 7}, {3, 5, 7}},
                                         Shape{24, {4, 4, 8}, {4, 4, 8}, 20}));

TEST(FitTorusOf, OtherNetworksIsNone) {
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, 3e-8);
    const auto found = [&](int nodes, const std::function<Seconds(int, int)>& between) {
        return !fit_torus(distances(nodes, between), names(nodes), 3).empty();
    };
    for (const int nodes : {8, 12, 20, 33, 64, 96}) {
        EXPECT_FALSE(found(nodes, [&](int, int) { return 1e-6 + noise(random); })) << "one switch";
        EXPECT_FALSE(found(nodes, [&](int, int) { return 1e-6; })) << "without noise";
        EXPECT_FALSE(found(nodes, [&](int a, int b) { return a / 4 == b / 4 ? 1e-6 : 2e-6; })) << "cabinets";
        EXPECT_FALSE(found(nodes, [&](int a, int b) {
            return a / 4 == b / 4 ? 1e-6 : a / 16 == b / 16 ? 2e-6 : 3e-6;
        })) << "three levels";
        EXPECT_FALSE(found(nodes, [&](int a, int b) {
            return (a < nodes / 3) == (b < nodes / 3) ? 1e-6 + noise(random) : 1e-3 + noise(random);
        })) << "two sites";
    }
}

TEST(Torus, MessagesGoDimensionByDimensionTheShorterWay) {
    const std::vector<int> sizes = {4, 3};
    const auto at = [&](int node) { return position(node, sizes, sizes); };
    const auto links = [&](int from, int to) {
        std::vector<std::size_t> made;
        visit_links(at(from), at(to), [&](std::size_t link) {
            EXPECT_LT(link, link_count(at(0)));
            made.push_back(link);
        });
        return made;
    };
    EXPECT_TRUE(links(5, 5).empty());
    for (int from = 0; from < 12; ++from)
        for (int to = 0; to < 12; ++to) EXPECT_EQ(int(links(from, to).size()), hops(at(from), at(to)));
    EXPECT_EQ(hops(at(0), at(3)), 1) << "round the end";
    EXPECT_EQ(hops(at(0), at(10)), 3);
    const auto there = links(0, 5), first = links(0, 1), then = links(1, 5);
    EXPECT_EQ(there, (std::vector<std::size_t>{first[0], then[0]}));
    EXPECT_NE(links(0, 1), links(1, 0)) << "each direction has a link of its own";
}

}  // namespace
