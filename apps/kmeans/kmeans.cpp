// SPDX-License-Identifier: Apache-2.0
// kmeans: clusters of points that are distributed over ranks.
#include "apps/common/checksum.hpp"
#include "apps/common/example.hpp"
#include "apps/kmeans/alone.hpp"
#include "apps/kmeans/check.hpp"

#include <cstdio>

namespace kmeans {
namespace {

using examples::Example, examples::Report, examples::WrongUse;

struct Options {
    std::size_t points = 100'000, clusters = 16, dimensions = 4;
    double spread = 0.15;
    std::uint64_t seed = 1;
    int iterations = 100, every = 1;
    bool reference = false, warm_up = false;
};

/// The points of all ranks behind the algorithm's `System` interface.
class System {
public:
    System(Example& example, std::size_t points, int every, MPI_Comm world)
        : example_(example),
          points_(long(points)),
          every_(every),
          world_(world),
          computing_(example.report().row("computation")),
          centroids_(example.report().row("allreduce", "centroids", world)),
          counts_(example.report().row("allreduce", "counts", world)),
          farthest_(example.report().row("allreduce", "the farthest point", world)),
          fetching_(example.report().row("bcast", "the farthest point", world)) {
        MPI_Comm_rank(world, &rank_);
        MPI_Comm_size(world, &ranks_);
    }

    void sum(Sums& sums) {
        const auto add = [&](Report::Row& row, auto& numbers, MPI_Datatype type) {
            row.time(
                [&] {
                    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), int(numbers.size()), type, MPI_SUM, world_);
                },
                numbers.size() * sizeof numbers[0]);
        };
        add(centroids_, sums.coordinates, MPI_DOUBLE);
        add(counts_, sums.counts, MPI_LONG);
    }
    Farthest farthest(const Farthest& mine) {
        Farthest all;
        farthest_.time([&] { MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, world_); },
                       sizeof mine);
        return all;
    }
    void fetch(std::size_t point, const Shard& shard, std::span<double> centroid) {
        const int owner = examples::Parts(points_, ranks_).owner(long(point));
        if (owner == rank_) std::ranges::copy(shard.point(point), centroid.begin());
        fetching_.time([&] { MPI_Bcast(centroid.data(), int(centroid.size()), MPI_DOUBLE, owner, world_); },
                       centroid.size_bytes());
    }
    template <class Work>
    void compute(double flops, Work&& work) {
        example_.compute(computing_, flops, work);
    }
    void progress(int iteration, double inertia, long changed) const {
        if (rank_ == 0 && every_ > 0 && iteration % every_ == 0)
            std::printf("iteration %3d  inertia %.6g  %ld points changed their cluster\n", iteration, inertia,
                        changed);
    }

private:
    Example& example_;
    long points_;
    int every_;
    MPI_Comm world_;
    int rank_ = 0, ranks_ = 0;
    Report::Row &computing_, &centroids_, &counts_, &farthest_, &fetching_;
};

void check_options(const Options& options) {
    if (options.points < 1 || options.points > std::size_t(std::numeric_limits<int>::max()))
        throw WrongUse("--points: expected a number from 1 to 2^31 - 1, for MPI_DOUBLE_INT has an int");
    if (options.clusters < 1 || options.clusters > options.points)
        throw WrongUse("--clusters: expected a number from 1 to that of the points");
    if (options.dimensions < 1 || options.dimensions > 10'000)
        throw WrongUse("--dimensions: expected a number from 1 to 10000");
    if (!(options.spread >= 0)) throw WrongUse("--spread: expected a number from 0 on");
    if (options.iterations < 1) throw WrongUse("--iterations: expected a number from 1 on");
}

/// Distance of the centroids from the result of a run on one rank. Called on one rank.
double off_reference(const Options& options, const Clusters& made, const Found& found) {
    Alone alone;
    Shard all(made, {0, long(options.points)});
    const auto reference = lloyd(alone, all, seeds(alone, all, options.clusters), options.iterations);
    return apart(found.centroids, reference.centroids);
}

bool run(Example& example, const Options& options, MPI_Comm world) {
    check_options(options);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    const Clusters made(options.clusters, options.dimensions, options.spread, options.seed);
    const examples::Run share = examples::Parts(long(options.points), ranks)[rank];
    Shard shard(made, share);
    System system(example, options.points, options.every, world);

    Report& report = example.report();
    if (options.warm_up) {
        Shard other(made, share);
        lloyd(system, other, seeds(system, other, options.clusters), 1);
    }
    report.begin(world);
    const Found found = lloyd(system, shard, seeds(system, shard, options.clusters), options.iterations);
    report.end();
    report.note("iterations", long(found.iterations));
    report.note("settled", found.settled);
    report.note("refilled clusters", long(found.refilled));
    report.note("inertia", found.inertia);
    report.note("checksum", examples::hexadecimal(examples::checksum_of(found.centroids)));

    bool right = found.descending;
    if (made.separated()) {
        Sums sums = made_sums(made, share);
        MPI_Allreduce(MPI_IN_PLACE, sums.coordinates.data(), int(sums.coordinates.size()), MPI_DOUBLE,
                      MPI_SUM, world);
        MPI_Allreduce(MPI_IN_PLACE, sums.counts.data(), int(sums.counts.size()), MPI_LONG, MPI_SUM, world);
        const bool same = same_clusters(found, sums, options.dimensions);
        report.note("found what was made", same);
        right = right && same;
    }
    if (options.reference) {
        double off = rank == 0 ? off_reference(options, made, found) : 0;
        MPI_Bcast(&off, 1, MPI_DOUBLE, 0, world);
        report.note("off the reference", off);
        right = right && off < 1e-9;
    }
    return right;
}

}  // namespace
}  // namespace kmeans

int main(int argc, char** argv) {
    kmeans::Options options;
    examples::Example example(
        "kmeans",
        "finds clusters among points that are distributed over the ranks (Lloyd's iteration).\n\n"
        "Centroids and counts are added by MPI_Allreduce; a cluster without points gets the point that is farthest\n"
        "from its centroid, which MPI_MAXLOC finds. Points are made around known centres: up to a spread of 0.19 these\n"
        "clusters must be found exactly; beyond, the squared distances must never rise.",
        examples::Modelled::beside);
    using examples::po::value;
    auto add = example.options();
    const auto number = [](auto& target) { return value(&target)->value_name("N")->default_value(target); };
    add("points", number(options.points), "of all ranks together");
    add("clusters", number(options.clusters), "made, and looked for");
    add("dimensions", number(options.dimensions), "of a point");
    add("spread", value(&options.spread)->value_name("R")->default_value(options.spread),
        "how far points are from their centre, at most; centres are about 1 apart");
    add("iterations", number(options.iterations), "at most");
    add("every", number(options.every), "say how far it is after so many iterations; 0: never");
    add("reference", examples::po::bool_switch(&options.reference),
        "run on rank 0 alone, too, and compare the centroids");
    add("warm-up", examples::po::bool_switch(&options.warm_up),
        "call each collective once before time is taken: what is made at the first call is not counted");
    add("seed", number(options.seed), "of points and centres");
    return example.run(argc, argv, [&](MPI_Comm world) { return kmeans::run(example, options, world); });
}
