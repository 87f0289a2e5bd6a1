// SPDX-License-Identifier: Apache-2.0
#include "mpi/async_reduction.hpp"

#include "mpi/check.hpp"
#include "mpi/patient_calls.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace echelon {
namespace {

int tag_of(const Route& route) { return route.first_tag + Route::strands - 2; }

/// Number of levels of the tree below a rank.
int height(int rank, int size) {
    int levels = 0;
    while ((rank >> levels & 1) == 0 && rank + (1 << levels) < size) ++levels;
    return levels;
}

}  // namespace

int AsyncReduction::levels() const { return std::bit_width(unsigned(route_.size - 1)); }

void AsyncReduction::begin(std::vector<double> minima, const std::vector<double>& sums, const Route& route) {
    std::erase_if(mails_, [](Mail& mail) { return mail.is_over(); });
    route_ = route;
    age_ = 0;
    minima_ = minima.size();
    under_way_ = true;
    Mail& mail = mails_.emplace_back();
    mail.numbers = std::move(minima);
    mail.numbers.insert(mail.numbers.end(), sums.begin(), sums.end());
    const auto children = std::size_t(height(route.rank, route.size));
    mail.below.assign(children, std::vector<double>(mail.numbers.size()));
    mail.receives.assign(children, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < children; ++i)
        check(PMPI_Irecv(mail.below[i].data(), int(mail.numbers.size()), MPI_DOUBLE,
                         route.in_comm(route.rank + (1 << i)), tag_of(route), route.comm, &mail.receives[i]),
              "MPI_Irecv");
    if (children == 0) send_up(mail);
}

void AsyncReduction::send_up(Mail& mail) {
    mail.sent = true;
    if (route_.rank == 0) return;
    const int parent = route_.rank & (route_.rank - 1);
    check(PMPI_Isend(mail.numbers.data(), int(mail.numbers.size()), MPI_DOUBLE, route_.in_comm(parent),
                     tag_of(route_), route_.comm, &mail.send),
          "MPI_Isend");
}

void AsyncReduction::step(bool synchronises) {
    if (!under_way_) return;
    ++age_;
    Mail& mail = mails_.back();
    if (mail.sent) return;
    // The ranks below have almost surely sent in an earlier call. They send in this one at the latest, which
    // no rank leaves before they enter it.
    if (synchronises && age_ >= height(route_.rank, route_.size))
        for (MPI_Request& request : mail.receives) wait_patiently(request);
    int all = 0;
    check(PMPI_Testall(int(mail.receives.size()), mail.receives.data(), &all, MPI_STATUSES_IGNORE),
          "MPI_Testall");
    if (all == 0) return;
    for (const std::vector<double>& others : mail.below)
        for (std::size_t i = 0; i < others.size(); ++i)
            mail.numbers[i] =
                i < minima_ ? std::min(mail.numbers[i], others[i]) : mail.numbers[i] + others[i];
    send_up(mail);
}

void AsyncReduction::leave_to(AsyncReduction& others, bool sends) {
    // The rank above has a receive for this message in any case.
    if (sends && under_way_ && !mails_.back().sent) send_up(mails_.back());
    under_way_ = false;
    std::erase_if(others.mails_, [](Mail& mail) { return mail.is_over(); });
    others.mails_.splice(others.mails_.end(), mails_);
}

bool AsyncReduction::Mail::is_over() {
    int all = 0, own = 0;
    check(PMPI_Testall(int(receives.size()), receives.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    check(PMPI_Test(&send, &own, MPI_STATUS_IGNORE), "MPI_Test");
    return sent && all != 0 && own != 0;
}

void AsyncReduction::close() {
    for (Mail& mail : mails_) {
        check(PMPI_Waitall(int(mail.receives.size()), mail.receives.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
        check(PMPI_Wait(&mail.send, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    mails_.clear();
    under_way_ = false;
}

}  // namespace echelon
