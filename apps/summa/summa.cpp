// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/summa.hpp"

#include <array>
#include <utility>

namespace examples {

void summa(const Job& job, const Broadcast& broadcast) {
    Report& report = job.example.report();
    const ProcessGrid& grid = job.grid;
    Matrices& matrices = job.matrices;
    Report::Row& along_rows = report.row("bcast", "A along rows", grid.row_comm());
    Report::Row& along_columns = report.row("bcast", "B along columns", grid.column_comm());
    Report::Row& products = report.row("product");
    const PanelPlace place(matrices, job.width);

    const auto a_of = [&](const Panel& panel) { return place.a(panel, panel.a_owner == grid.column()); };
    const auto b_of = [&](const Panel& panel) { return place.b(panel, panel.b_owner == grid.row()); };
    const auto bring = [&](const Panel& panel) {
        const long a_count = place.a_count(panel), b_count = place.b_count(panel);
        along_rows.time([&] { broadcast(a_of(panel), a_count, panel.a_owner, grid.row_comm()); },
                        std::size_t(a_count) * sizeof(double));
        along_columns.time([&] { broadcast(b_of(panel), b_count, panel.b_owner, grid.column_comm()); },
                           std::size_t(b_count) * sizeof(double));
    };
    const std::vector<Panel> all = job.all_panels(job.width);

    if (job.warm_up) bring(all.front());
    report.begin(grid.all());
    for (const Panel& panel : all) {
        bring(panel);
        const long width = panel.run.size();
        job.example.compute(products, operations(matrices, width), [&] {
            add_product(matrices, a_of(panel), b_of(panel), width, matrices.columns);
        });
    }
    report.end();
}

namespace {

/// A panel under way.
struct Coming {
    double *a = nullptr, *b = nullptr;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

Coming start(const Panel& panel, const PanelPlace& place, const ProcessGrid& grid) {
    Coming coming{place.a(panel, panel.a_owner == grid.column()),
                  place.b(panel, panel.b_owner == grid.row())};
    MPI_Ibcast(coming.a, int(place.a_count(panel)), MPI_DOUBLE, panel.a_owner, grid.row_comm(),
               &coming.requests[0]);
    MPI_Ibcast(coming.b, int(place.b_count(panel)), MPI_DOUBLE, panel.b_owner, grid.column_comm(),
               &coming.requests[1]);
    return coming;
}

}  // namespace

void summa_overlapped(const Job& job) {
    Report& report = job.example.report();
    Matrices& matrices = job.matrices;
    Report::Row& coming = report.row("communication", "panels");
    Report::Row& products = report.row("product");
    const std::array<PanelPlace, 2> places{PanelPlace(matrices, job.width), PanelPlace(matrices, job.width)};
    const std::vector<Panel> all = job.all_panels(job.width);
    // MPI libraries make progress when they are called: between pieces of the product.
    constexpr int pieces = 4;
    const Parts columns(matrices.columns.size(), pieces);

    if (job.warm_up) {
        Coming first = start(all.front(), places[0], job.grid);
        MPI_Waitall(2, first.requests.data(), MPI_STATUSES_IGNORE);
    }
    report.begin(job.grid.all());
    Coming next;
    coming.time([&] { next = start(all.front(), places[0], job.grid); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        Coming now = std::exchange(next, {});
        coming.time([&] {
            MPI_Waitall(2, now.requests.data(), MPI_STATUSES_IGNORE);
            if (i + 1 < all.size()) next = start(all[i + 1], places[(i + 1) % 2], job.grid);
        });
        const long width = all[i].run.size();
        for (int piece = 0; piece < pieces; ++piece) {
            const Run run{matrices.columns.begin + columns[piece].begin,
                          matrices.columns.begin + columns[piece].end};
            job.example.compute(products, operations(matrices, width) / pieces,
                                [&] { add_product(matrices, now.a, now.b, width, run); });
            int arrived = 0;
            coming.time([&] { MPI_Testall(2, next.requests.data(), &arrived, MPI_STATUSES_IGNORE); });
        }
    }
    report.end();
}

}  // namespace examples
