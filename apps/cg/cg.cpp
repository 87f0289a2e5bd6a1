// SPDX-License-Identifier: Apache-2.0
// cg: conjugate gradients on a Poisson problem in three dimensions, distributed over a grid of processes.
#include "apps/cg/ghosts.hpp"
#include "apps/cg/poisson.hpp"
#include "apps/cg/solve.hpp"
#include "apps/common/checksum.hpp"
#include "apps/common/example.hpp"
#include "apps/common/started_sum.hpp"

#include <cstdio>
#include <iostream>
#include <memory>

namespace cg {
namespace {

using examples::Example, examples::Form, examples::Report, examples::StartedSum, examples::WrongUse;

struct Options {
    std::string points = "32x32x32", grid = "chosen";
    std::uint64_t seed = 1;
    Limits limits;
    int every = 10;
    bool fused = false, pipelined = false, warm_up = false;
    std::string form = "blocking";
};

std::string name(const std::array<int, 3>& triple) {
    return std::to_string(triple[0]) + "x" + std::to_string(triple[1]) + "x" + std::to_string(triple[2]);
}

/// "64x32x32", or "64" for a cube.
std::array<int, 3> parse_triple(const std::string& option, const std::string& text) {
    std::array<int, 3> triple{};
    int end = 0;
    const int read = std::sscanf(text.c_str(), "%dx%dx%d%n", &triple[0], &triple[1], &triple[2], &end);
    if (read == 1 && triple[0] > 0 && text.find_first_not_of("0123456789") == std::string::npos)
        return {triple[0], triple[0], triple[0]};
    if (read != 3 || std::size_t(end) != text.size() || *std::min_element(triple.begin(), triple.end()) < 1)
        throw WrongUse(option + " '" + text + "': expected three numbers from 1 on, such as 64x32x32");
    return triple;
}

std::array<int, 3> grid_for(MPI_Comm world, const Options& options, const Triple& extents) {
    int ranks = 0;
    MPI_Comm_size(world, &ranks);
    std::array<int, 3> grid{};
    if (options.grid == "chosen")
        MPI_Dims_create(ranks, 3, grid.data());
    else
        grid = parse_triple("--grid", options.grid);
    if (grid[0] * grid[1] * grid[2] != ranks)
        throw WrongUse("--grid " + name(grid) + ": there are " + std::to_string(ranks) + " ranks");
    for (std::size_t d = 0; d < 3; ++d)
        if (std::size_t(grid[d]) > extents[d])
            throw WrongUse("--points " + options.points + ": a grid of " + name(grid) +
                           " ranks needs more points, one a rank");
    return grid;
}

/// The distributed problem behind the solvers' `System` interface.
class System {
public:
    System(Example& example, MPI_Comm grid, const Ghosts& ghosts, int every, Form form)
        : example_(example),
          grid_(grid),
          every_(every),
          form_(form),
          ghosts_(ghosts),
          computing_(example.report().row("computation")),
          fetching_(example.report().row("ghosts")),
          summing_(example.report().row("allreduce", "dot products", grid)),
          waiting_(example.report().row("waiting for sums")) {
        MPI_Comm_rank(grid, &rank_);
    }

    void apply(Field& in, Field& out) {
        fetching_.time([&] { ghosts_.fetch(in); });
        compute(8 * double(points(in.extents())), [&] { apply_stencil(in, out); });
    }
    void sum(double* values, int count) {
        summing_.time([&] { MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, grid_); },
                      std::size_t(count) * sizeof(double));
    }
    /// Requires: always the same arguments.
    void start_sum(double* values, int count) {
        if (started_ == nullptr)
            started_ = std::make_unique<StartedSum>(form_, values, count, MPI_DOUBLE, grid_);
        summing_.time([&] { started_->start(); }, std::size_t(count) * sizeof(double));
    }
    void finish_sum() {
        waiting_.time([&] { started_->finish(); });
    }
    template <class Work>
    void compute(double flops, Work&& work) {
        example_.compute(computing_, flops, work);
    }
    void progress(int iteration, double residual) const {
        if (rank_ == 0 && every_ > 0 && iteration % every_ == 0)
            std::printf("iteration %4d  residual %.3e\n", iteration, residual);
    }

private:
    Example& example_;
    MPI_Comm grid_;
    int rank_ = 0, every_;
    Form form_;
    const Ghosts& ghosts_;
    Report::Row &computing_, &fetching_, &summing_, &waiting_;
    std::unique_ptr<StartedSum> started_;
};

/// Compares x with the known solution, and the solver's residual with b - A x; notes both in the report.
bool check(Report& report, MPI_Comm grid, const Ghosts& ghosts, const Box& box, const Poisson& poisson,
           double tolerance, const Field& b, Field& x) {
    Field rest(x.extents());
    ghosts.fetch(x);
    apply_stencil(x, rest);
    combine(1, b, -1, rest);
    const Field known = field_of(box, [&](auto... at) { return poisson.solution(at...); });
    Field error = known;
    combine(1, x, -1, error);
    std::array<double, 4> squares{dot(rest, rest), dot(b, b), dot(error, error), dot(known, known)};
    MPI_Allreduce(MPI_IN_PLACE, squares.data(), int(squares.size()), MPI_DOUBLE, MPI_SUM, grid);
    const double residual = std::sqrt(squares[0] / squares[1]), off = std::sqrt(squares[2] / squares[3]);
    report.note("residual", residual);
    report.note("error", off);
    // The solver's own residual may be off by rounding; the error is bounded by this one, times the
    // condition.
    return residual <= 2 * tolerance && off <= 1.01 * poisson.condition() * residual;
}

/// Checksum of the solution by places in the whole grid.
std::string checksum_of(const Field& x, const Box& box, const Triple& whole, MPI_Comm grid) {
    examples::Checksum checksum;
    for_rows(x, [&](std::size_t i, std::size_t j) {
        const std::size_t row = (box.shares[0].begin + i - 1) * whole[1] + box.shares[1].begin + j - 1;
        for (std::size_t k = 1; k <= x.extents()[2]; ++k)
            checksum.add(row * whole[2] + box.shares[2].begin + k - 1, x.at(i, j, k));
    });
    return checksum.over(grid);
}

bool run(Example& example, const Options& options, MPI_Comm world) {
    const auto whole = parse_triple("--points", options.points);
    const Poisson poisson{{std::size_t(whole[0]), std::size_t(whole[1]), std::size_t(whole[2])},
                          options.seed};
    const auto dims = grid_for(world, options, poisson.extents);
    const std::array<int, 3> bounded{};
    MPI_Comm grid;
    MPI_Cart_create(world, 3, dims.data(), bounded.data(), 0, &grid);
    int rank = 0;
    MPI_Comm_rank(grid, &rank);
    std::array<int, 3> seat{};
    MPI_Cart_coords(grid, rank, 3, seat.data());
    const Box box(poisson.extents, dims, seat);
    const Ghosts ghosts(grid, box.extents());
    const Form form = examples::parse_form("--form", options.form);
    if (form != Form::blocking && !options.pipelined)
        throw WrongUse("--form " + options.form +
                       ": only --pipelined has work between start and end of a sum");
    System system(example, grid, ghosts, options.every, form);

    const Field b = field_of(box, [&](auto... at) { return poisson.right_side(at...); });
    Field x(box.extents());
    Report& report = example.report();
    report.note("points", name(whole));
    report.note("grid", name(dims));
    if (options.warm_up) {
        std::array<double, 2> sums{};
        system.sum(sums.data(), options.fused || options.pipelined ? 2 : 1);
    }
    report.begin(world);
    const Solved solved = options.pipelined ? solve_pipelined(system, b, x, options.limits)
                          : options.fused   ? solve_fused(system, b, x, options.limits)
                                            : solve(system, b, x, options.limits);
    report.end();
    report.note("iterations", long(solved.iterations));
    const bool right = check(report, grid, ghosts, box, poisson, options.limits.tolerance, b, x);
    report.note("checksum", checksum_of(x, box, poisson.extents, grid));
    MPI_Comm_free(&grid);
    return right && solved.converged;
}

}  // namespace
}  // namespace cg

int main(int argc, char** argv) {
    cg::Options options;
    examples::Example example(
        "cg",
        "solves a Poisson problem on a three-dimensional grid by conjugate gradients.\n\n"
        "Ghost points go from neighbour to neighbour, dot products through MPI_Allreduce: two numbers, one by one, in\n"
        "each iteration. The solution is known (random, from --seed), and the result is compared with it.",
        examples::Modelled::beside);
    using examples::po::value;
    example.options()("points", value(&options.points)->value_name("N|XxYxZ")->default_value(options.points),
                      "of the grid, without its boundary")(
        "grid", value(&options.grid)->value_name("XxYxZ")->default_value(options.grid),
        "of processes; as MPI_Dims_create has it, if not given")(
        "tolerance", value(&options.limits.tolerance)->value_name("SHARE")->default_value(1e-8, "1e-8"),
        "the residual to reach, over that of the beginning")(
        "iterations",
        value(&options.limits.iterations)->value_name("N")->default_value(options.limits.iterations),
        "at most; if the tolerance is not reached by then, the result is wrong")(
        "fused", examples::po::bool_switch(&options.fused),
        "one allreduce of two numbers in each iteration (Chronopoulos and Gear 1989)")(
        "pipelined", examples::po::bool_switch(&options.pipelined),
        "that allreduce is under way during the product (Ghysels and Vanroose 2014)")(
        "form", value(&options.form)->value_name("NAME")->default_value(options.form),
        "of that allreduce: blocking, nonblocking or persistent")(
        "warm-up", examples::po::bool_switch(&options.warm_up),
        "call each collective once before time is taken: what is made at the first call is not counted")(
        "every", value(&options.every)->value_name("N")->default_value(options.every),
        "say how far it is after so many iterations; 0: never")(
        "seed", value(&options.seed)->value_name("N")->default_value(options.seed), "of the solution");
    return example.run(argc, argv, [&](MPI_Comm world) { return cg::run(example, options, world); });
}
