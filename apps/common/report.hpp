// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <algorithm>
#include <cstddef>
#include <deque>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace examples {

/// Report of an application's time: seconds of its computation and of each collective, measured around its
/// own calls, and the recipe that served them.
///
///     Report::Row& products = report.row("product");
///     Report::Row& sums = report.row("allreduce", "residual", comm);
///     for (...) {
///         products.time([&] { dgemm(...); });
///         sums.time([&] { MPI_Allreduce(..., comm); }, sizeof(double));
///     }
class Report {
public:
    class Row {
    public:
        Row(std::string what, std::string of, MPI_Comm comm)
            : what_(std::move(what)), of_(std::move(of)), comm_(comm) {}
        /// Runs `call` and adds its time. `bytes`: size of a collective, equal on all ranks of its
        /// communicator.
        template <class Call>
        void time(Call&& call, std::size_t bytes = 0) {
            const double began = MPI_Wtime();
            call();
            seconds_ += MPI_Wtime() - began;
            ++calls_;
            most_bytes_ = std::max(most_bytes_, bytes);
        }
        double seconds() const { return seconds_; }

    private:
        friend class Report;
        void forget() {
            seconds_ = 0;
            calls_ = 0;
            most_bytes_ = 0;
        }
        std::string what_, of_, server_;
        MPI_Comm comm_;
        double seconds_ = 0;
        long calls_ = 0;
        std::size_t most_bytes_ = 0;
    };
    using Value = std::variant<bool, long, double, std::string>;

    explicit Report(std::string program) : program_(std::move(program)) {}

    /// Adds a kind of work; the row stays at its address. Requires: equal rows in equal order on all ranks. A
    /// blocking collective takes MPI's name ("bcast") and its communicator, which must live until end();
    /// other work, like waiting for messages, takes none.
    Row& row(const std::string& what, const std::string& of = "", MPI_Comm comm = MPI_COMM_NULL) {
        return rows_.emplace_back(what, of, comm);
    }
    /// Records a fact about the run, like the size of the problem or a result.
    void note(const std::string& name, Value value) { notes_.emplace_back(name, std::move(value)); }
    /// The total time runs from begin() to end(), and the rows are shares of it. begin() forgets earlier
    /// times; end() looks up the server of each collective. Both are collective.
    void begin(MPI_Comm world) {
        for (Row& row : rows_) row.forget();
        MPI_Barrier(world);
        began_ = MPI_Wtime();
    }
    void end();

    /// Gathers the times at rank 0 and prints them there. Returns the same as JSON on rank 0, elsewhere an
    /// empty string. Collective over `world`.
    std::string print(std::ostream& out, MPI_Comm world) const;

private:
    /// A time over all ranks.
    struct Spread {
        double slowest = 0, mean = 0;
    };
    struct Line {
        const Row* row;
        Spread seconds;
    };
    std::string json(const std::vector<Line>& lines, Spread whole, int ranks) const;

    std::string program_;
    std::deque<Row> rows_;
    std::vector<std::pair<std::string, Value>> notes_;
    double began_ = 0, seconds_ = 0;
};

}  // namespace examples
