// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/hsumma.hpp"

namespace examples {
namespace {

/// Cuts a row or a column of the grid into groups of equal size: one communicator for my group, and one for
/// the ranks with my position in the other groups.
class Levels {
public:
    Levels(MPI_Comm line, int place, int length, int groups)
        : size_(length / groups), inside_(line, place / size_, place), across_(line, place % size_, place) {}
    int group(int place) const { return place / size_; }
    int position(int place) const { return place % size_; }
    MPI_Comm inside() const { return inside_.get(); }
    MPI_Comm across() const { return across_.get(); }

private:
    int size_;
    OwnComm inside_, across_;
};

void check(Shape grid, Shape groups, long outer_width, long width) {
    const auto text = [](Shape shape) {
        return std::to_string(shape.rows) + "x" + std::to_string(shape.columns);
    };
    if (grid.rows % groups.rows != 0 || grid.columns % groups.columns != 0)
        throw WrongUse("--groups " + text(groups) + " do not divide the grid of " + text(grid) + " evenly");
    if (outer_width < width) throw WrongUse("--outer-block must not be below --block");
}

}  // namespace

void hsumma(const Job& job, Shape groups, long outer_width) {
    const ProcessGrid& grid = job.grid;
    Matrices& matrices = job.matrices;
    check(grid.shape(), groups, outer_width, job.width);
    const Levels row(grid.row_comm(), grid.column(), grid.shape().columns, groups.columns);
    const Levels column(grid.column_comm(), grid.row(), grid.shape().rows, groups.rows);

    Report& report = job.example.report();
    Report::Row& a_across = report.row("bcast", "A between groups", row.across());
    Report::Row& b_across = report.row("bcast", "B between groups", column.across());
    Report::Row& a_inside = report.row("bcast", "A inside groups", row.inside());
    Report::Row& b_inside = report.row("bcast", "B inside groups", column.inside());
    Report::Row& products = report.row("product");
    const auto broadcast = [](Report::Row& timed, double* data, long count, int root, MPI_Comm comm) {
        timed.time([&] { mpi_broadcast(data, count, root, comm); }, std::size_t(count) * sizeof(double));
    };
    const PanelPlace outer_place(matrices, outer_width), inner_place(matrices, job.width);

    /// Brings one wide panel to all processes piece by piece.
    const auto bring = [&](const Panel& outer, const auto& with_piece) {
        const bool a_here = row.position(outer.a_owner) == row.position(grid.column());
        const bool b_here = column.position(outer.b_owner) == column.position(grid.row());
        double* const outer_a = outer_place.a(outer, outer.a_owner == grid.column());
        double* const outer_b = outer_place.b(outer, outer.b_owner == grid.row());
        if (a_here)
            broadcast(a_across, outer_a, outer_place.a_count(outer), row.group(outer.a_owner), row.across());
        if (b_here)
            broadcast(b_across, outer_b, outer_place.b_count(outer), column.group(outer.b_owner),
                      column.across());
        for (const Panel& inner : panels(matrices, job.width, outer.run)) {
            const long from = inner.run.begin - outer.run.begin;
            double* const a = a_here ? outer_a + from * matrices.rows.size() : inner_place.a(inner, false);
            double* const b = b_here ? outer_b + from * matrices.columns.size() : inner_place.b(inner, false);
            broadcast(a_inside, a, inner_place.a_count(inner), row.position(outer.a_owner), row.inside());
            broadcast(b_inside, b, inner_place.b_count(inner), column.position(outer.b_owner),
                      column.inside());
            with_piece(a, b, inner.run.size());
        }
    };
    const std::vector<Panel> all = job.all_panels(outer_width);

    if (job.warm_up) bring(all.front(), [](const double*, const double*, long) {});
    report.begin(grid.all());
    for (const Panel& outer : all)
        bring(outer, [&](const double* a, const double* b, long width) {
            job.example.compute(products, operations(matrices, width),
                                [&] { add_product(matrices, a, b, width, matrices.columns); });
        });
    report.end();
}

}  // namespace examples
