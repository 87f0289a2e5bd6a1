// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <string>

namespace examples {

/// Numbers of rows and columns.
struct Shape {
    int rows = 1, columns = 1;
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// Reads "4x8". Throws WrongUse, with the name of the option.
Shape parse_shape(const std::string& option, const std::string& text);
/// The squarest grid of this many processes, not taller than wide.
Shape squarest(int processes);

/// Frees a communicator at the end of its life.
class OwnComm {
public:
    /// Calls MPI_Comm_split.
    OwnComm(MPI_Comm all, int color, int key) { MPI_Comm_split(all, color, key, &comm_); }
    ~OwnComm() { MPI_Comm_free(&comm_); }
    OwnComm(const OwnComm&) = delete;
    OwnComm& operator=(const OwnComm&) = delete;
    MPI_Comm get() const { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The processes as a grid, filled row by row; one communicator for this process's row and one for its
/// column, in which ranks are columns and rows of the grid.
class ProcessGrid {
public:
    /// Collective. Throws WrongUse if the shape does not take all processes.
    ProcessGrid(Shape shape, MPI_Comm all);
    Shape shape() const { return shape_; }
    MPI_Comm all() const { return all_; }
    int row() const { return row_; }
    int column() const { return column_; }
    MPI_Comm row_comm() const { return row_comm_.get(); }
    MPI_Comm column_comm() const { return column_comm_.get(); }

private:
    Shape shape_;
    MPI_Comm all_;
    int row_, column_;
    OwnComm row_comm_, column_comm_;
};

}  // namespace examples
