// SPDX-License-Identifier: Apache-2.0
/// Matrix applications: the product is right for all sizes, grids and groups, and the check detects a wrong
/// one. With Echelon, a rotating root needs two splits for any number of panels.
#include "apps/summa/summa.hpp"
#include "apps/summa/check.hpp"
#include "apps/summa/hsumma.hpp"
#include "cache/state.hpp"

#include <gtest/gtest.h>
#include <echelon/echelon.hpp>

namespace examples {
namespace {

int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// A product of small integers, ready to be made.
struct Prepared {
    Prepared(Sizes sizes, Shape shape, long width)
        : grid(shape, MPI_COMM_WORLD), matrices(sizes, grid), job{example, grid, matrices,
                                                                  width,   0,    width == 4} {
        matrices.fill(Entries::integers);
    }
    bool right() const { return wrong_elements(matrices, grid) == 0; }
    Example example{"test", ""};
    ProcessGrid grid;
    Matrices matrices;
    Job job;
};

const std::vector<Sizes> all_sizes{{1, 5, 17}, {23, 31, 19}};

std::vector<Shape> all_shapes() {
    std::vector<Shape> shapes;
    for (int rows = 1; rows <= world_size(); ++rows)
        if (world_size() % rows == 0) shapes.push_back({rows, world_size() / rows});
    return shapes;
}

TEST(Parts, say_whose_an_index_is) {
    for (const long total : {0, 1, 5, 12})
        for (int parts = 1; parts <= 7; ++parts) {
            const Parts cut(total, parts);
            EXPECT_EQ(cut[0].begin, 0);
            EXPECT_EQ(cut[parts - 1].end, total);
            for (int part = 0; part < parts; ++part)
                for (long i = cut[part].begin; i < cut[part].end; ++i) EXPECT_EQ(cut.owner(i), part);
        }
}

TEST(ProcessGrid, is_square_where_it_can_be) {
    EXPECT_EQ(squarest(1), (Shape{1, 1}));
    EXPECT_EQ(squarest(12), (Shape{3, 4}));
    EXPECT_EQ(squarest(13), (Shape{1, 13}));
    EXPECT_EQ(squarest(1024), (Shape{32, 32}));
    EXPECT_THROW(parse_shape("--grid", "4x"), WrongUse);
    EXPECT_THROW(parse_shape("--grid", "0x4"), WrongUse);
    EXPECT_EQ(parse_shape("--grid", "4x8"), (Shape{4, 8}));
}

TEST(Summa, multiplies_all_sizes_on_all_grids_overlapped_or_not) {
    for (const Sizes sizes : all_sizes)
        for (const Shape shape : all_shapes())
            for (const long width : {3, 4, 100}) {
                Prepared prepared(sizes, shape, width);
                if (width == 3)
                    summa(prepared.job);
                else
                    summa_overlapped(prepared.job);
                EXPECT_TRUE(prepared.right()) << sizes.m << ' ' << shape.rows << ' ' << width;
            }
}

TEST(Hsumma, multiplies_with_all_groups) {
    for (const Sizes sizes : all_sizes)
        for (const Shape shape : all_shapes())
            for (int rows = 1; rows <= shape.rows; ++rows)
                for (int columns = 1; columns <= shape.columns; ++columns) {
                    if (shape.rows % rows != 0 || shape.columns % columns != 0) continue;
                    Prepared prepared(sizes, shape, 3);
                    hsumma(prepared.job, {rows, columns}, 7);
                    EXPECT_TRUE(prepared.right()) << sizes.m << ' ' << shape.rows << ' ' << rows;
                }
}

TEST(Check, notices_one_wrong_element) {
    Prepared prepared({23, 31, 19}, squarest(world_size()), 4);
    int calls = 0;
    summa(prepared.job, [&](double* data, long count, int root, MPI_Comm comm) {
        mpi_broadcast(data, count, root, comm);
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        if (++calls == 3 && rank != root) data[count - 1] += 1;  // corrupts the message, not the matrix
    });
    EXPECT_GT(product_error(prepared.matrices, prepared.grid, Entries::integers), 1);
    EXPECT_GT(wrong_elements(prepared.matrices, prepared.grid), 0);

    Prepared real({23, 31, 19}, squarest(world_size()), 4);
    real.matrices.fill(Entries::reals);
    summa(real.job);
    EXPECT_LE(product_error(real.matrices, real.grid, Entries::reals), 1);
    const std::string right = checksum(real.matrices, real.grid);
    if (real.grid.row() == 0 && real.grid.column() == 0) real.matrices.c[5] += 1e-9;
    EXPECT_GT(product_error(real.matrices, real.grid, Entries::reals), 1);
    const std::string wrong = checksum(real.matrices, real.grid);
    if (real.grid.row() == 0 && real.grid.column() == 0) {
        EXPECT_NE(wrong, right);
        real.matrices.c[5] = std::numeric_limits<double>::quiet_NaN();
    }
    EXPECT_GT(product_error(real.matrices, real.grid, Entries::reals), 1);
}

TEST(Summa, splits_twice_for_each_line_of_the_grid_whatever_the_number_of_panels) {
    const Broadcast ours = [](double* data, long count, int root, MPI_Comm comm) {
        echelon::bcast(data, count, MPI_DOUBLE, root, comm);
    };
    for (const long width : {16, 4, 1}) {
        Prepared prepared({16, 16, 64}, {1, world_size()}, width);
        const MPI_Comm row = prepared.grid.row_comm();
        echelon::Tuning(row).force("bcast", "leaders(G=2, binomial, binomial)");
        summa(prepared.job, ours);
        EXPECT_TRUE(prepared.right());
        const echelon::SplitCounters& counted = echelon::State::of(row)->own().split_counters();
        EXPECT_EQ(counted.splits, 2) << width;
        EXPECT_EQ(counted.translated, 0);
        EXPECT_EQ(echelon::State::of(prepared.grid.column_comm())->own().split_counters().splits, 0);
        // Every process was root in turn.
        EXPECT_GE(echelon::State::of(row)->plans().made(), world_size());
        // Another partition: two more.
        echelon::Tuning(row).force("bcast", "leaders(G=3, binomial, binomial)");
        summa(prepared.job, ours);
        EXPECT_EQ(counted.splits, 4) << width;
    }
}

#ifdef ECHELON_SMPI
// Each new root cost an allreduce about communicators that were not needed.
TEST(Summa, a_new_root_costs_its_broadcast_alone) {
    const ProcessGrid grid({1, world_size()}, MPI_COMM_WORLD);
    echelon::Tuning(grid.row_comm()).force("bcast", "leaders(G=2, binomial, binomial)");
    const auto seconds = [&](int root) {
        std::vector<double> data(100);
        MPI_Barrier(MPI_COMM_WORLD);
        double time = -MPI_Wtime();
        echelon::bcast(data.data(), 100, MPI_DOUBLE, root, grid.row_comm());
        time += MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return time;
    };
    const double first = seconds(0), second = seconds(1), again = seconds(1);
    EXPECT_NEAR(second, again, 1e-9);
    EXPECT_NEAR(first, again, 1e-9);  // forcing the recipe has made its communicators
}
#endif

}  // namespace
}  // namespace examples
