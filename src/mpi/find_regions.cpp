// SPDX-License-Identifier: Apache-2.0
#include "mpi/find_regions.hpp"

#include "estimators/fit/fit_torus.hpp"
#include "mpi/agree.hpp"
#include "mpi/clock.hpp"
#include "mpi/comm.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/gather_text.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace echelon {
namespace {

constexpr int probe_tag = 8;
constexpr double farther = 1.5;
constexpr std::size_t most_parts = 16;

/// The shortest of several round trips, in seconds. Both ranks of the pair call it.
Seconds distance(MPI_Comm comm, int partner, bool first) {
    constexpr int times = quirks::simulated ? 3 : 20;
    char byte = 0;
    Seconds shortest = 0;
    for (int i = 0; i < times; ++i) {
        const double began = now();
        if (first) check(PMPI_Send(&byte, 1, MPI_CHAR, partner, probe_tag, comm), "MPI_Send");
        check(PMPI_Recv(&byte, 1, MPI_CHAR, partner, probe_tag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
        if (!first) check(PMPI_Send(&byte, 1, MPI_CHAR, partner, probe_tag, comm), "MPI_Send");
        const Seconds took = now() - began;
        // The first round trip does not count: the partner may begin late.
        if (i == 1 || (i > 1 && took < shortest)) shortest = took;
    }
    return shortest;
}

/// Sites: sets of nodes that are near each other, directly or through other nodes. Nodes of one switch are
/// near.
class Sites {
public:
    explicit Sites(const Placement& placement) : of_(std::size_t(placement.node_count())) {
        std::iota(of_.begin(), of_.end(), 0);
        if (!placement.knows(Level::leaf_switch)) return;
        const std::vector<int> switches = placement.by_node(Level::leaf_switch);
        std::map<int, int> first_on;
        for (int& node : of_) node = first_on.try_emplace(switches[std::size_t(node)], node).first->second;
    }

    void join(int a, int b) {
        const int kept = of_[std::size_t(a)], gone = of_[std::size_t(b)];
        std::replace(of_.begin(), of_.end(), gone, kept);
    }
    int of(int node) const { return of_[std::size_t(node)]; }
    /// One node of each site.
    std::vector<int> speakers() const {
        const std::set<int> all(of_.begin(), of_.end());
        return {all.begin(), all.end()};
    }
    /// The sites are plain: several, of at least two nodes, with short distances inside and long ones
    /// between.
    bool are_plain(const std::vector<Distance>& distances, Seconds limit) const {
        const std::vector<int> all = speakers();
        return all.size() > 1 &&
               std::ranges::all_of(all, [&](int one) { return std::ranges::count(of_, one) > 1; }) &&
               std::ranges::all_of(distances, [&](const Distance& one) {
                   return (of(one.from) == of(one.to)) == (one.seconds < limit);
               });
    }

private:
    std::vector<int> of_;
};

/// The geometric mean of the widest gap between the distances; 0 if they are all alike.
Seconds limit_of(std::vector<Distance> distances) {
    std::ranges::sort(distances, {}, &Distance::seconds);
    double widest = farther;
    Seconds limit = 0;
    for (std::size_t i = 1; i < distances.size(); ++i) {
        const Seconds before = distances[i - 1].seconds, after = distances[i].seconds;
        if (after < widest * before) continue;
        widest = after / before;
        limit = std::sqrt(before * after);
    }
    return limit;
}

/// Measures distances between pairs of nodes. All ranks ask for the same pairs in the same order.
class Survey {
public:
    Survey(MPI_Comm comm, const Placement& placement) : comm_(comm), rank_(rank_of(comm)) {
        for (int rank = 0; rank < placement.size(); ++rank)
            if (placement.node(rank) == int(speakers_.size())) speakers_.push_back(rank);
    }
    int nodes() const { return int(speakers_.size()); }

    void ask(int a, int b) {
        if (speaker(a) == rank_) own_.push_back(distance(comm_, speaker(b), true));
        if (speaker(b) == rank_) (void)distance(comm_, speaker(a), false);
        asked_.push_back({a, b, 0});
    }
    /// The distances of all pairs asked for, on all ranks. Collective.
    std::vector<Distance> answers() {
        std::vector<Seconds> all(asked_.size(), 0);
        auto own = own_.begin();
        for (std::size_t i = 0; i < asked_.size(); ++i)
            if (speaker(asked_[i].from) == rank_) all[i] = *own++;
        check(PMPI_Allreduce(MPI_IN_PLACE, all.data(), int(all.size()), MPI_DOUBLE, MPI_SUM, comm_),
              "MPI_Allreduce");
        for (std::size_t i = 0; i < asked_.size(); ++i) asked_[i].seconds = all[i];
        return asked_;
    }

private:
    int speaker(int node) const { return speakers_[std::size_t(node)]; }

    MPI_Comm comm_;
    int rank_;
    std::vector<int> speakers_;  // by node
    std::vector<Distance> asked_;
    std::vector<Seconds> own_;
};

/// The placement in the torus that rank 0 finds, or nothing. Collective.
std::optional<Placement> in_torus(MPI_Comm comm, const Placement& placement, Survey& survey) {
    std::vector<std::string> names;  // by node, on rank 0
    const std::vector<std::string> of_ranks = gather(mpi_host(), comm);
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
        if (placement.node(int(rank)) == int(names.size())) names.push_back(of_ranks[rank]);
    const std::vector<Distance> distances = survey.answers();
    if (!as_rank_0_says(rank_of(comm) == 0 && !fit_torus(distances, names, 2).empty(), comm)) return {};
    // More distances rule out a shape that fits the first ones by chance.
    const int nodes = placement.node_count();
    for (const int step : std::set{3, nodes / 3 + 1, nodes / 2 - 1})
        for (int node = 0; node < nodes; ++node) survey.ask(node, (node + step) % nodes);
    std::vector<Region> regions(static_cast<std::size_t>(nodes));
    const std::vector<Distance> all = survey.answers();
    const auto found = rank_of(comm) == 0 ? fit_torus(all, names, 3) : std::vector<TorusPosition>();
    for (std::size_t node = 0; node < found.size(); ++node) regions[node].torus = found[node];
    check(PMPI_Bcast(regions.data(), int(nodes * sizeof(Region)), MPI_BYTE, 0, comm), "MPI_Bcast");
    return regions.front().known() ? std::optional(placement.in(regions)) : std::nullopt;
}

}  // namespace

Placement find_regions(MPI_Comm comm, const Placement& placement) {
    if (placement.knows(Level::site) || !placement.torus().empty() || placement.node_count() < 4)
        return placement;
    Survey survey(comm, placement);
    const int nodes = survey.nodes();
    for (int step = 1; step < nodes; step *= 2)
        for (int node = 0; node < nodes; ++node)
            if (const int other = node ^ step; node < other && other < nodes) survey.ask(node, other);
    constexpr int least_in_torus = 6;  // fewer nodes are hardly three links apart
    if (nodes >= least_in_torus && !placement.knows(Level::leaf_switch))
        if (const auto found = in_torus(comm, placement, survey)) return *found;
    std::vector<Distance> distances = survey.answers();
    const Seconds limit = limit_of(distances);
    if (limit == 0) return placement;
    Sites sites(placement);
    const auto join = [&] {
        for (const Distance& one : distances)
            if (one.seconds < limit) sites.join(one.from, one.to);
    };
    join();
    // Join parts of one site that were not compared yet.
    const std::vector<int> parts = sites.speakers();
    if (parts.size() > most_parts) return placement;
    for (std::size_t a = 0; a < parts.size(); ++a)
        for (std::size_t b = a + 1; b < parts.size(); ++b) survey.ask(parts[a], parts[b]);
    distances = survey.answers();
    join();
    if (!sites.are_plain(distances, limit)) return placement;
    const std::vector<int> switches = placement.by_node(Level::leaf_switch);
    std::vector<Region> regions;
    for (int node = 0; node < nodes; ++node)
        regions.push_back({.site = std::uint64_t(1 + sites.of(node)),
                           .leaf_switch = std::uint64_t(1 + switches[std::size_t(node)])});
    return placement.in(regions);
}

}  // namespace echelon
