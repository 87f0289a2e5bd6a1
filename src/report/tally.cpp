// SPDX-License-Identifier: Apache-2.0
#include "report/tally.hpp"

#include <algorithm>
#include <bit>

namespace echelon {

std::string_view reason(Bypass bypass) {
    switch (bypass) {
        case Bypass::arguments:
            return "no elements, or arguments that MPI objects to";
        case Bypass::operation:
            return "this operation on this datatype is the library's business";
        case Bypass::uneven:
            return "blocks of different lengths for an operation of the program";
        case Bypass::one_rank:
            return "one rank alone";
        case Bypass::intercommunicator:
            return "an intercommunicator";
        case Bypass::another_world:
            return "processes of another MPI_COMM_WORLD";
        case Bypass::absent:
            return "a rank without Echelon";
        case Bypass::unseen:
            return "MPI_Init went past Echelon";
        case Bypass::nonblocking:
            return "nonblocking, where Echelon has no route of its own or no part in MPI's progress (with "
                   "MPI_THREAD_MULTIPLE: ECHELON_PROGRESS=thread)";
        case Bypass::persistent:
            return "persistent, where Echelon has no communicator left, does not see MPI_Start, or has no part in MPI's "
                   "progress (with MPI_THREAD_MULTIPLE: ECHELON_PROGRESS=thread)";
    }
    return "";
}

Tally::Counts& Tally::row(Collective collective, Bytes bytes, const std::string& recipe, Source source,
                          const std::string& refusal, bool tried) {
    return rows_[Key{collective, int(std::bit_width(bytes)), recipe, source, refusal, tried}];
}

std::vector<const Tally::Row*> Tally::rows() const {
    std::vector<const Row*> came;
    for (const Row& row : rows_)
        if (row.second.calls > 0) came.push_back(&row);
    return came;
}

bool Tally::empty() const {
    for (const auto& of_collective : bypasses_)
        for (const long calls : of_collective)
            if (calls != 0) return false;
    return rows().empty();
}

double Tally::ticks_of_trying() const {
    struct Sums {
        double usual_calls = 0, usual_ticks = 0, tried_calls = 0, tried_ticks = 0;
    };
    std::map<std::pair<Collective, int>, Sums> by_size;
    for (const auto& [key, counts] : rows_) {
        Sums& sums = by_size[{key.collective, key.power}];
        (key.tried ? sums.tried_calls : sums.usual_calls) += double(counts.calls);
        (key.tried ? sums.tried_ticks : sums.usual_ticks) += double(counts.ticks);
    }
    double more = 0;
    for (const auto& [size, sums] : by_size)
        if (sums.usual_calls > 0)
            more += std::max(0.0, sums.tried_ticks - sums.tried_calls * sums.usual_ticks / sums.usual_calls);
    return more;
}

Savings::Savings(const Tally& tally, double seconds_per_tick) : seconds_per_tick_(seconds_per_tick) {
    for (const auto* const row : tally.rows()) {
        const auto& [key, counts] = *row;
        if (key.recipe != "native") continue;
        Native& native = natives_[{key.collective, key.power}];
        native.calls += counts.calls;
        native.ticks += double(counts.ticks);
    }
}

Seconds Savings::of(const Tally::Key& key, const Tally::Counts& counts) const {
    constexpr long enough = 20;
    const auto found = natives_.find({key.collective, key.power});
    if (found == natives_.end() || found->second.calls < enough || counts.calls == 0) return counts.saved;
    const auto& [calls, ticks] = found->second;
    const double longer = ticks / double(calls) - double(counts.ticks) / double(counts.calls);
    return std::min(counts.saved, std::max(0.0, longer * seconds_per_tick_ * double(counts.judged)));
}

void Tally::add(const Tally& other) {
    for (const auto& [key, counts] : other.rows_) {
        Counts& own = rows_[key];
        own.calls += counts.calls;
        own.ticks += counts.ticks;
        own.judged += counts.judged;
        own.saved += counts.saved;
    }
    for (std::size_t c = 0; c < bypasses_.size(); ++c)
        for (std::size_t why = 0; why < all_bypasses.size(); ++why)
            bypasses_[c][why] += other.bypasses_[c][why];
}

}  // namespace echelon
