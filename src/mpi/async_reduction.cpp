// SPDX-License-Identifier: Apache-2.0
#include "mpi/async_reduction.hpp"

#include "core/fold.hpp"
#include "mpi/check.hpp"
#include "mpi/patient_calls.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

int tag_of(const Route& route) { return route.first_tag + Route::tags - 2; }

void take_least(std::vector<double>& least, const std::vector<double>& others) {
    std::transform(least.begin(), least.end(), others.begin(), least.begin(),
                   [](double a, double b) { return std::min(a, b); });
}

/// One rank's part of a round of recursive doubling. Its pairs are the libraries' own
/// (allreduce_recursive_doubling): they are connected already.
struct Round {
    bool sends, hears;
    int peer;
};

int rounds_of(int ranks) {
    const Fold fold(ranks);
    return floor_log2(ranks) + (fold.pairs() > 0 ? 2 : 0);
}

Round round_of(int round, int rank, int ranks) {
    const Fold fold(ranks);
    const bool is_extra = fold.role(rank) == Fold::Role::extra, folds = fold.pairs() > 0;
    const bool before = folds && round == 0, after = folds && round == rounds_of(ranks) - 1;
    if (before || after) {
        const bool in_pair = fold.role(rank) != Fold::Role::single;
        return {.sends = in_pair && is_extra == before,
                .hears = in_pair && is_extra == after,
                .peer = fold.partner(rank)};
    }
    if (is_extra) return {.sends = false, .hears = false, .peer = rank};
    return {.sends = true,
            .hears = true,
            .peer = fold.rank(fold.virtual_rank(rank) ^ 1 << (folds ? round - 1 : round))};
}

}  // namespace

void AsyncReduction::send(std::vector<double> numbers, const Route& route) {
    give_up();
    const int count = int(numbers.size()), tag = tag_of(route);
    Mail& mail = mails_.emplace_back();
    mail.numbers.assign(route.rank == 0 ? std::size_t(route.size) : 1, numbers);
    mail.requests.assign(route.rank == 0 ? std::size_t(route.size) - 1 : 1, MPI_REQUEST_NULL);
    way_ = Way::to_first;
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

bool AsyncReduction::Mail::has_come() {
    int all = 0;
    check(PMPI_Testall(int(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall");
    return all != 0;
}

std::optional<std::vector<double>> AsyncReduction::least() {
    if (!under_way() || !mails_.back().has_come()) return std::nullopt;
    const auto& numbers = mails_.back().numbers;
    std::vector<double> least = numbers.front();
    for (const std::vector<double>& others : numbers) take_least(least, others);
    return least;
}

void AsyncReduction::begin_rounds(std::vector<double> numbers, const Route& route) {
    give_up();
    least_ = std::move(numbers);
    route_ = route;
    round_ = 0;
    way_ = Way::rounds;
    set_out();
}

void AsyncReduction::set_out() {
    went_on_ = true;
    const Round round = round_of(round_, route_.rank, route_.size);
    const int count = int(least_.size()), tag = tag_of(route_), peer = route_.in_comm(round.peer);
    Mail& mail = mails_.emplace_back();
    mail.numbers = {least_, least_};
    mail.requests.assign(2, MPI_REQUEST_NULL);
    if (round.hears)
        check(
            PMPI_Irecv(mail.numbers[1].data(), count, MPI_DOUBLE, peer, tag, route_.comm, &mail.requests[1]),
            "MPI_Irecv");
    if (round.sends)
        check(
            PMPI_Isend(mail.numbers[0].data(), count, MPI_DOUBLE, peer, tag, route_.comm, &mail.requests[0]),
            "MPI_Isend");
}

std::optional<std::vector<double>> AsyncReduction::next_round() {
    for (MPI_Request& request : mails_.back().requests) wait_patiently(request);
    take_least(least_, mails_.back().numbers[1]);
    mails_.pop_back();
    if (++round_ < rounds_of(route_.size)) {
        set_out();
        return std::nullopt;
    }
    way_ = Way::none;
    return std::move(least_);
}

void AsyncReduction::give_up() {
    way_ = Way::none;
    std::erase_if(mails_, [](Mail& mail) { return mail.has_come(); });
}

void AsyncReduction::leave_to(AsyncReduction& others) {
    others.give_up();
    others.mails_.splice(others.mails_.end(), mails_);
    way_ = Way::none;
}

void AsyncReduction::close() {
    for (Mail& mail : mails_)
        check(PMPI_Waitall(int(mail.requests.size()), mail.requests.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    mails_.clear();
    way_ = Way::none;
}

}  // namespace echelon
