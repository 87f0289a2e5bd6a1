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

/// Where an application's time goes: seconds of its computation and of each collective, as it measures them
/// itself around its calls, and what served them.
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
        /// Runs `call` and adds its time. `bytes`: of a collective, alike on all ranks of its communicator.
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

    /// A kind of work; stays where it is. The same rows in the same order on all ranks. A blocking collective
    /// comes by MPI's name of it ("bcast") and with its communicator, which must live until end(); other
    /// work, such as waiting for messages, without one.
    Row& row(const std::string& what, const std::string& of = "", MPI_Comm comm = MPI_COMM_NULL) {
        return rows_.emplace_back(what, of, comm);
    }
    /// Something to know about the run, such as the size of the problem or a result.
    void note(const std::string& name, Value value) { notes_.emplace_back(name, std::move(value)); }
    /// Between these passes the time of everything together, in which the rows have their shares: what they
    /// were given before is forgotten. Collective; the end asks what served the collectives.
    void begin(MPI_Comm world) {
        for (Row& row : rows_) row.forget();
        MPI_Barrier(world);
        began_ = MPI_Wtime();
    }
    void end();

    /// Gathers the times at rank 0, and prints them there; there the result is the same as JSON, elsewhere
    /// empty. Collective over `world`.
    std::string print(std::ostream& out, MPI_Comm world) const;

private:
    /// Of a time, over all ranks.
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
