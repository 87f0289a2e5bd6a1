// SPDX-License-Identifier: Apache-2.0
// summa with Echelon's API: Echelon makes the broadcasts. The program announces their sizes and their large
// number on the communicators of its rows and columns.
#include "apps/summa/product_program.hpp"
#include "apps/summa/summa.hpp"

#include <echelon/echelon.hpp>

namespace {

using namespace examples;

struct Wishes {
    std::string recipe;
    int groups = 0;
    double train = 0;
};

/// Tunes broadcasts of `bytes` bytes, and of the narrower panels at the edges of blocks.
void tune(MPI_Comm comm, std::size_t bytes, const Wishes& wishes, Report& report, const std::string& line) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    if (ranks == 1) return;
    echelon::Tuning tuning(comm);
    if (!wishes.recipe.empty()) {
        tuning.force("bcast", wishes.recipe, 0, bytes);
    } else if (wishes.groups > 0) {
        tuning.groups("bcast", std::min(wishes.groups, ranks), 0, bytes);
    } else {
        if (wishes.train > 0) tuning.train("bcast", {bytes}, wishes.train);
        report.note("best groups in a " + line, long(tuning.best_groups("bcast", bytes)));
    }
}

}  // namespace

int main(int argc, char** argv) {
    Wishes wishes;
    ProductProgram program("summa_tuned", "summa, with Echelon's broadcasts and advice for them.");
    auto add = program.example().options();
    add("recipe", po::value(&wishes.recipe)->value_name("RECIPE"), "what the broadcasts run");
    add("groups", po::value(&wishes.groups)->value_name("N")->default_value(0, "automatic"),
        "groups in each row and column");
    add("train", po::value(&wishes.train)->value_name("SECONDS")->default_value(0, "none"),
        "measure first what is best for these panels, for so long on rows and on columns");
    return program.run(argc, argv, [&](const Job& job) {
        const std::size_t row_bytes = std::size_t(job.matrices.rows.size() * job.width) * sizeof(double);
        const std::size_t column_bytes =
            std::size_t(job.matrices.columns.size() * job.width) * sizeof(double);
        tune(job.grid.row_comm(), row_bytes, wishes, job.example.report(), "row");
        tune(job.grid.column_comm(), column_bytes, wishes, job.example.report(), "column");
        summa(job, [](double* data, long count, int root, MPI_Comm comm) {
            echelon::bcast(data, count, MPI_DOUBLE, root, comm);
        });
    });
}
