// SPDX-License-Identifier: Apache-2.0
#include "mpi/common_start.hpp"

#include "mpi/agree.hpp"
#include "mpi/comm.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/processors.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <array>
#include <thread>

namespace echelon {
namespace {

/// A rank may begin late by this part of the time measured, or by what a clock does not tell apart.
constexpr double tolerated_part = 0.02;
constexpr double tolerated_seconds = 0.2e-6;

}  // namespace

CommonStart::CommonStart(MPI_Comm comm, const Announcement& announcement)
    : comm_(comm),
      clocks_shared_(barriers_hold()),
      crowded_(some_have_no_processor()),
      announcement_(announcement),
      notice_(announcement.notice) {
    // Who waits for a processor is late again the next time, too.
    constexpr int enough = 2;
    if (crowded_) announcement_.attempts = std::min(announcement_.attempts, enough);
    PMPI_Comm_rank(comm_, &rank_);
}

bool CommonStart::barriers_hold() const {
    bool holds = true;
    for (int i = 0; i < 10; ++i) {
        const double entered = now();
        PMPI_Barrier(comm_);
        const std::array<double, 2> own{entered, -now()};
        std::array<double, 2> last{};
        PMPI_Allreduce(own.data(), last.data(), 2, MPI_DOUBLE, MPI_MAX, comm_);
        holds = holds && last[0] <= -last[1];
    }
    return holds;
}

bool CommonStart::some_have_no_processor() const {
    if constexpr (quirks::simulated) return false;
    const Comm node = Comm::try_node(comm_);
    const bool crowd = all_say(node.get() != MPI_COMM_NULL, comm_)
                           ? is_crowded(node.get())
                           : ranks_on_own_node(comm_) > int(std::thread::hardware_concurrency());
    return !all_say(!crowd, comm_);
}

void CommonStart::agree(const std::array<double, 3>& own, std::array<double, 3>& worst) const {
    if (!crowded_) {
        PMPI_Allreduce(own.data(), worst.data(), 3, MPI_DOUBLE, MPI_MAX, comm_);
        return;
    }
    // Those who are done leave the processors to those who are still measured.
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Iallreduce(own.data(), worst.data(), 3, MPI_DOUBLE, MPI_MAX, comm_, &request);
    for (int arrived = 0; arrived == 0; std::this_thread::yield())
        PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
}

double CommonStart::begin() {
    if (!clocks_shared_) {
        PMPI_Barrier(comm_);
        return now();
    }
    double start = now() + notice_;
    PMPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm_);
    spare_ = start - now();
    wait_until(start, crowded_);
    return start;
}

bool CommonStart::end(double start, double began) {
    const double ended = now();
    const std::array<double, 3> own{ended - start, began - start, -spare_};
    std::array<double, 3> worst{};
    agree(own, worst);
    slowest_ = worst[0];
    const double late = worst[1], too_short = worst[2];
    // Longer notice at once, shorter little by little. It does not help a rank that lost its processor while
    // it waited.
    notice_ = std::clamp(too_short > 0 ? 1.2 * (notice_ + too_short) : 0.98 * notice_, announcement_.notice,
                         announcement_.longest_notice);
    return late <= std::max(tolerated_seconds, tolerated_part * slowest_);
}

}  // namespace echelon
