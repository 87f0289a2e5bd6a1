// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/example.hpp"
#include "apps/summa/matrices.hpp"

#include <functional>

namespace examples {

/// A product to compute.
struct Job {
    Example& example;
    const ProcessGrid& grid;
    Matrices& matrices;
    /// Largest width of a panel.
    long width;
    /// Number of panels to multiply, spread evenly over all; 0: all.
    std::size_t only = 0;
    /// A first panel is brought before the clock begins, to exclude one-time costs.
    bool warm_up = false;

    std::vector<Panel> all_panels(long of_width) const {
        const std::vector<Panel> all = panels(matrices, of_width, {0, matrices.sizes.k});
        if (only == 0 || only >= all.size()) return all;
        std::vector<Panel> some;
        for (std::size_t i = 0; i < only; ++i) some.push_back(all[i * all.size() / only]);
        return some;
    }
};

/// Broadcasts `count` doubles of a panel from `root`.
using Broadcast = std::function<void(double* data, long count, int root, MPI_Comm comm)>;
inline void mpi_broadcast(double* data, long count, int root, MPI_Comm comm) {
    MPI_Bcast(data, int(count), MPI_DOUBLE, root, comm);
}

/// Place of a panel on this process: in its matrix at the owner, elsewhere in a receive buffer.
class PanelPlace {
public:
    PanelPlace(const Matrices& matrices, long width)
        : matrices_(matrices),
          a_(room(matrices.rows.size() * width)),
          b_(room(matrices.columns.size() * width)) {}

    double* a(const Panel& panel, bool owner) const {
        return owner
                   ? matrices_.a.get() + (panel.run.begin - matrices_.a_columns.begin) * matrices_.rows.size()
                   : a_.get();
    }
    double* b(const Panel& panel, bool owner) const {
        return owner
                   ? matrices_.b.get() + (panel.run.begin - matrices_.b_rows.begin) * matrices_.columns.size()
                   : b_.get();
    }
    long a_count(const Panel& panel) const { return matrices_.rows.size() * panel.run.size(); }
    long b_count(const Panel& panel) const { return matrices_.columns.size() * panel.run.size(); }

private:
    static std::unique_ptr<double[]> room(long count) {
        return std::make_unique_for_overwrite<double[]>(std::size_t(count));
    }
    const Matrices& matrices_;
    std::unique_ptr<double[]> a_, b_;
};

}  // namespace examples
