// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/parts.hpp"
#include "apps/summa/process_grid.hpp"

#include <memory>
#include <string>
#include <vector>

namespace examples {

/// C (m x n) = A (m x k) B (k x n).
struct Sizes {
    long m = 0, n = 0, k = 0;
};

/// Reads "1000" and "1000x500x2000" (m, n, k). Throws WrongUse.
Sizes parse_sizes(const std::string& option, const std::string& text);

/// Entries of the matrices: a function of matrix and indices, which any process can compute for any element.
enum class Entries { reals, integers };
double entry_of_a(long i, long j, Entries entries);
double entry_of_b(long i, long j, Entries entries);
/// Entry of the vector that checks the result.
double entry_of_x(long i, Entries entries);

/// This process's blocks of the three matrices, each cut into as many rows and columns of blocks as the grid
/// of processes has. Columns of A and C and rows of B are contiguous; panels of A and B are contiguous too.
struct Matrices {
    Matrices(Sizes sizes, const ProcessGrid& grid);
    /// Fills A and B, and C with zeros. Memory that is not filled is not even touched.
    void fill(Entries entries);

    Sizes sizes;
    /// Rows of A and C; columns of B and C.
    Run rows, columns;
    /// Distribution of A's columns and of B's rows over processes.
    Parts a_parts, b_parts;
    Run a_columns, b_rows;
    std::unique_ptr<double[]> a, b, c;
};

/// A run of A's columns, and of B's rows, owned by one column and one row of the grid.
struct Panel {
    Run run;
    int a_owner = 0, b_owner = 0;
};
/// All panels within `within`, at most `width` wide.
std::vector<Panel> panels(const Matrices& matrices, long width, Run within);

/// C += A' B' for panels of this width, with columns of A' and rows of B' contiguous; only for some of C's
/// columns.
void add_product(Matrices& matrices, const double* a, const double* b, long width, Run columns);
inline double operations(const Matrices& matrices, long width) {
    return 2. * double(matrices.rows.size()) * double(matrices.columns.size()) * double(width);
}

}  // namespace examples
