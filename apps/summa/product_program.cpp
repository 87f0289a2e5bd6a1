// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/product_program.hpp"

#include "apps/summa/check.hpp"

#include <limits>

namespace examples {

ProductProgram::ProductProgram(const std::string& program, const std::string& about)
    : example_(program, about) {
    auto add = example_.options();
    add("size", po::value(&size_)->value_name("N")->default_value("1000"),
        "of the matrices: a number, or MxNxK for C (M x N) = A (M x K) B (K x N)");
    add("block", po::value(&width_)->value_name("N")->default_value(64),
        "columns of A and rows of B in a panel, at most");
    add("grid", po::value(&grid_)->value_name("RxC")->default_value("", "the squarest"),
        "of processes: rows x columns, together all processes");
    add("warm-up", po::bool_switch(&warm_up_),
        "bring a first panel before the clock begins: connections, and what else is made once, are not counted");
    add("panels", po::value(&panels_)->value_name("N")->default_value(0, "all"),
        "with --model-flops: only so many, spread evenly over all; the owners take turns as they do in the whole");
    add("exact", po::bool_switch(&exact_),
        "matrices of small integers, and each element of the product computed a second time: for small sizes. "
        "Else C x is compared with A (B x) for a random vector x: an error of 1 is what rounding may explain");
}

int ProductProgram::run(int argc, char** argv, const std::function<void(const Job&)>& multiply) {
    return example_.run(argc, argv, [&](MPI_Comm world) { return this->multiply(world, multiply); });
}

bool ProductProgram::multiply(MPI_Comm world, const std::function<void(const Job&)>& multiply) {
    const Sizes sizes = parse_sizes("--size", size_);
    if (width_ < 1) throw WrongUse("--block: expected a number from 1 on");
    if (panels_ < 0 || (panels_ > 0 && !example_.modelled()))
        throw WrongUse(
            "--panels: expected a number from 0 on, with --model-flops: else the product would be wrong");
    int processes = 0;
    MPI_Comm_size(world, &processes);
    const ProcessGrid grid(grid_.empty() ? squarest(processes) : parse_shape("--grid", grid_), world);
    const auto [rows, columns] = grid.shape();
    width_ = std::min(width_, sizes.k);
    constexpr long most = std::numeric_limits<int>::max();
    if (std::max({sizes.m / rows + 1, sizes.n / columns + 1}) > most / width_)
        throw WrongUse("--block " + std::to_string(width_) +
                       ": a panel would have more than 2^31 - 1 elements");

    Report& report = example_.report();
    report.note("sizes",
                std::to_string(sizes.m) + " x " + std::to_string(sizes.n) + " x " + std::to_string(sizes.k));
    report.note("grid", std::to_string(rows) + " x " + std::to_string(columns));
    report.note("block", width_);
    Matrices matrices(sizes, grid);
    if (!example_.modelled()) matrices.fill(exact_ ? Entries::integers : Entries::reals);
    multiply({example_, grid, matrices, width_, std::size_t(panels_), warm_up_});
    return example_.modelled() || check(matrices, grid);
}

bool ProductProgram::check(const Matrices& matrices, const ProcessGrid& grid) {
    Report& report = example_.report();
    report.note("checksum", checksum(matrices, grid));
    const double error = product_error(matrices, grid, exact_ ? Entries::integers : Entries::reals);
    report.note("error", error);
    const long wrong = exact_ ? wrong_elements(matrices, grid) : 0;
    if (exact_) report.note("wrong elements", wrong);
    return error <= 1 && wrong == 0;
}

}  // namespace examples
