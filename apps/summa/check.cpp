// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/check.hpp"

#include "apps/common/checksum.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace examples {
namespace {

/// A vector, and beside it the same sums of absolute values: the measure of rounding errors.
struct Measured {
    explicit Measured(long size) : value(std::size_t(size)), magnitude(std::size_t(size)) {}
    std::vector<double> value, magnitude;
};

/// This process's rows of M x, summed over its row of the grid. M's element (i, j) is m[i * row_step + j *
/// column_step]; x begins with the block's first column.
Measured product(const double* m, Run rows, long row_step, Run columns, long column_step, const Measured& x,
                 long x_begin, MPI_Comm row_comm) {
    Measured sum(rows.size());
    for (long j = 0; j < columns.size(); ++j)
        for (long i = 0; i < rows.size(); ++i) {
            const double element = m[i * row_step + j * column_step];
            const auto at = std::size_t(columns.begin - x_begin + j);
            sum.value[std::size_t(i)] += element * x.value[at];
            sum.magnitude[std::size_t(i)] += std::fabs(element) * x.magnitude[at];
        }
    for (auto* const part : {&sum.value, &sum.magnitude})
        MPI_Allreduce(MPI_IN_PLACE, part->data(), int(rows.size()), MPI_DOUBLE, MPI_SUM, row_comm);
    return sum;
}

/// The whole vector, gathered from the processes of a column.
std::vector<double> all_of(const std::vector<double>& mine, const Parts& parts, long total,
                           const ProcessGrid& grid) {
    std::vector<int> counts, places;
    for (int row = 0; row < grid.shape().rows; ++row) {
        counts.push_back(int(parts[row].size()));
        places.push_back(int(parts[row].begin));
    }
    std::vector<double> all(static_cast<std::size_t>(total));
    MPI_Allgatherv(mine.data(), int(mine.size()), MPI_DOUBLE, all.data(), counts.data(), places.data(),
                   MPI_DOUBLE, grid.column_comm());
    return all;
}

}  // namespace

double product_error(const Matrices& matrices, const ProcessGrid& grid, Entries entries) {
    const auto& [m, n, k] = matrices.sizes;
    const Run rows = matrices.rows, columns = matrices.columns;
    Measured x(n);
    for (long j = 0; j < n; ++j) {
        x.value[std::size_t(j)] = entry_of_x(j, entries);
        x.magnitude[std::size_t(j)] = std::fabs(x.value[std::size_t(j)]);
    }
    const Measured part =
        product(matrices.b.get(), matrices.b_rows, columns.size(), columns, 1, x, 0, grid.row_comm());
    Measured bx(0);
    bx.value = all_of(part.value, matrices.b_parts, k, grid);
    bx.magnitude = all_of(part.magnitude, matrices.b_parts, k, grid);
    const Measured abx =
        product(matrices.a.get(), rows, 1, matrices.a_columns, rows.size(), bx, 0, grid.row_comm());
    const Measured cx = product(matrices.c.get(), rows, 1, columns, rows.size(), x, 0, grid.row_comm());

    // |fl(C) x - A (B x)| <= 2 (k + n) eps |A| |B| |x|, component by component.
    const double allowed =
        entries == Entries::integers ? 0 : 2. * double(k + n) * std::numeric_limits<double>::epsilon();
    double worst = 0;
    for (std::size_t i = 0; i < cx.value.size(); ++i) {
        const double off = std::fabs(cx.value[i] - abx.value[i]);
        const double error = off == 0 ? 0 : off / (allowed * abx.magnitude[i]);
        // A maximum would lose a NaN.
        worst = std::max(worst, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, grid.all());
    return worst;
}

long wrong_elements(const Matrices& matrices, const ProcessGrid& grid) {
    const Run rows = matrices.rows, columns = matrices.columns;
    long wrong = 0;
    for (long j = columns.begin; j < columns.end; ++j)
        for (long i = rows.begin; i < rows.end; ++i) {
            double sum = 0;
            for (long l = 0; l < matrices.sizes.k; ++l)
                sum += entry_of_a(i, l, Entries::integers) * entry_of_b(l, j, Entries::integers);
            wrong += matrices.c[std::size_t((j - columns.begin) * rows.size() + i - rows.begin)] != sum;
        }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, grid.all());
    return wrong;
}

std::string checksum(const Matrices& matrices, const ProcessGrid& grid) {
    const Run rows = matrices.rows, columns = matrices.columns;
    Checksum checksum;
    const double* element = matrices.c.get();
    for (long j = columns.begin; j < columns.end; ++j)
        for (long i = rows.begin; i < rows.end; ++i)
            checksum.add(std::uint64_t(i * matrices.sizes.n + j), *element++);
    return checksum.over(grid.all());
}

}  // namespace examples
