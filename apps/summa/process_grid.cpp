// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/process_grid.hpp"

#include "apps/common/example.hpp"

#include <cstdio>

namespace examples {
namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/// Returns the shape if it takes all processes.
Shape checked(Shape shape, MPI_Comm all) {
    int processes = 0;
    MPI_Comm_size(all, &processes);
    if (long(shape.rows) * shape.columns != processes)
        throw WrongUse("--grid " + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
                       " does not take all " + std::to_string(processes) + " processes");
    return shape;
}

}  // namespace

Shape parse_shape(const std::string& option, const std::string& text) {
    Shape shape;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &shape.rows, &shape.columns, &rest) != 2 || shape.rows < 1 ||
        shape.columns < 1)
        throw WrongUse(option + ": expected rows and columns such as 4x8, not '" + text + "'");
    return shape;
}

Shape squarest(int processes) {
    int rows = 1;
    for (int i = 1; long(i) * i <= processes; ++i)
        if (processes % i == 0) rows = i;
    return {rows, processes / rows};
}

ProcessGrid::ProcessGrid(Shape shape, MPI_Comm all)
    : shape_(checked(shape, all)),
      all_(all),
      row_(rank_in(all) / shape.columns),
      column_(rank_in(all) % shape.columns),
      row_comm_(all, row_, column_),
      column_comm_(all, column_, row_) {}

}  // namespace examples
