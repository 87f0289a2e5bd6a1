// SPDX-License-Identifier: Apache-2.0
#include "cache/letters.hpp"

#include "mpi/check.hpp"

#include <algorithm>

namespace echelon {

void Letters::send(std::vector<double> numbers, const Route& route) {
    give_up();
    const int count = int(numbers.size()), tag = route.first_tag + Route::tags - 2;
    Mail& mail = mails_.emplace_back();
    mail.numbers.assign(route.rank == 0 ? std::size_t(route.size) : 1, numbers);
    mail.requests.assign(route.rank == 0 ? std::size_t(route.size) - 1 : 1, MPI_REQUEST_NULL);
    under_way_ = true;
    if (route.rank != 0) {
        check(PMPI_Isend(mail.numbers[0].data(), count, MPI_DOUBLE, route.in_comm(0), tag, route.comm,
                         &mail.requests[0]),
              "MPI_Isend");
        return;
    }
    for (int rank = 1; rank < route.size; ++rank)
        check(PMPI_Irecv(mail.numbers[std::size_t(rank)].data(), count, MPI_DOUBLE, route.in_comm(rank), tag,
                         route.comm, &mail.requests[std::size_t(rank) - 1]),
              "MPI_Irecv");
}

bool Letters::Mail::has_come() {
    int all = 0;
    check(PMPI_Testall(int(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    return all != 0;
}

std::optional<std::vector<double>> Letters::least() {
    if (!under_way_ || !mails_.back().has_come()) return std::nullopt;
    const auto& numbers = mails_.back().numbers;
    std::vector<double> least = numbers.front();
    for (const std::vector<double>& others : numbers)
        std::transform(least.begin(), least.end(), others.begin(), least.begin(),
                       [](double a, double b) { return std::min(a, b); });
    return least;
}

void Letters::give_up() {
    under_way_ = false;
    std::erase_if(mails_, [](Mail& mail) { return mail.has_come(); });
}

void Letters::leave_to(Letters& others) {
    others.give_up();
    others.mails_.splice(others.mails_.end(), mails_);
    under_way_ = false;
}

void Letters::close() {
    for (Mail& mail : mails_)
        check(PMPI_Waitall(int(mail.requests.size()), mail.requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    mails_.clear();
    under_way_ = false;
}

}  // namespace echelon
