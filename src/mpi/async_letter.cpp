// SPDX-License-Identifier: Apache-2.0
#include "mpi/async_letter.hpp"

#include "mpi/check.hpp"

#include <utility>

namespace echelon {
namespace {

int letter_tag(const Route& route) { return route.first_tag + Route::strands - 3; }

}  // namespace

void AsyncLetter::begin(const Route& route) {
    std::erase_if(mails_, [](Mail& mail) { return mail.is_over(); });
    route_ = route;
    under_way_ = true;
    sent_ = false;
    Mail& mail = mails_.emplace_back();
    if (route.rank == 0) return;
    mail.text.resize(room);
    mail.requests.resize(1);
    check(PMPI_Irecv(mail.text.data(), int(room), MPI_CHAR, route.in_comm(0), letter_tag(route), route.comm,
                     mail.requests.data()),
          "MPI_Irecv");
}

void AsyncLetter::send(const std::string& text) {
    if (std::exchange(sent_, true)) return;
    Mail& mail = mails_.back();
    mail.text = text.size() > room ? "" : text;
    mail.requests.assign(std::size_t(route_.size) - 1, MPI_REQUEST_NULL);
    for (int rank = 1; rank < route_.size; ++rank)
        check(PMPI_Isend(mail.text.data(), int(mail.text.size()), MPI_CHAR, route_.in_comm(rank),
                         letter_tag(route_), route_.comm, &mail.requests[std::size_t(rank) - 1]),
              "MPI_Isend");
}

std::string AsyncLetter::text() {
    Mail& mail = mails_.back();
    if (mail.requests.front() != MPI_REQUEST_NULL) {
        int come = 0, length = 0;
        MPI_Status status;
        check(PMPI_Test(mail.requests.data(), &come, &status), "MPI_Test");
        if (come == 0) return {};
        check(PMPI_Get_count(&status, MPI_CHAR, &length), "MPI_Get_count");
        mail.length = std::size_t(length);
    }
    return mail.text.substr(0, mail.length);
}

void AsyncLetter::leave_to(AsyncLetter& others, bool sends) {
    // The other ranks have a receive for the text in any case.
    if (sends && under_way_ && route_.rank == 0) send({});
    under_way_ = false;
    std::erase_if(others.mails_, [](Mail& mail) { return mail.is_over(); });
    others.mails_.splice(others.mails_.end(), mails_);
}

bool AsyncLetter::Mail::is_over() {
    int all = 0;
    check(PMPI_Testall(int(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    return all != 0;
}

void AsyncLetter::close() {
    for (Mail& mail : mails_)
        check(PMPI_Waitall(int(mail.requests.size()), mail.requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    mails_.clear();
    under_way_ = false;
}

}  // namespace echelon
