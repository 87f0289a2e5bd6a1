// SPDX-License-Identifier: Apache-2.0
#include "measure/trainer.hpp"

#include "front/errors.hpp"
#include "front/front_door.hpp"

#include <algorithm>
#include <cstring>

namespace echelon {
namespace {

#ifdef ECHELON_SMPI
constexpr bool exact_times = true;  // virtual time: once is enough
#else
constexpr bool exact_times = false;
#endif

/// The type of which so many bytes are whole elements; single bytes where there is none.
MPI_Datatype type_for(Bytes bytes) {
    return bytes % sizeof(double) == 0  ? MPI_DOUBLE
           : bytes % sizeof(float) == 0 ? MPI_FLOAT
                                        : MPI_SIGNED_CHAR;
}

int count_of(Bytes bytes, MPI_Datatype type) { return int(bytes / element_of(type).size); }

}  // namespace

Trainer::Trainer(State& state) : state_(state), start_(state.user()) { state_.set_together(true); }

Trainer::~Trainer() {
    state_.set_together(false);
    state_.rehearse(nullptr);
    state_.clear_plans();
}

State::Rehearsal& Trainer::rehearsal(const Recipe& recipe) {
    constexpr std::size_t of_trials = 16;  // numbers that the candidates of trials have
    const auto [found, is_new] = rehearsals_.try_emplace(to_string(recipe));
    if (is_new) found->second = {std::uint16_t(of_trials + rehearsals_.size()), recipe};
    return found->second;
}

void Trainer::call(Collective collective, Bytes bytes) {
    const void* const in = in_.get();
    void* const out = out_.get();
    const MPI_Comm comm = state_.user();
    const MPI_Datatype type = type_for(bytes);
    const int count = count_of(bytes, type);
    const Bytes block_bytes = std::max<Bytes>(bytes / Bytes(state_.size()), 1);
    const MPI_Datatype block_type = type_for(block_bytes);
    const int block = count_of(block_bytes, block_type);
    switch (collective) {
        case Collective::allreduce:
            return (void)front_allreduce(in, out, count, type, MPI_SUM, comm);
        case Collective::reduce:
            return (void)front_reduce(in, out, count, type, MPI_SUM, 0, comm);
        case Collective::bcast:
            return (void)front_bcast(out, count, type, 0, comm);
        case Collective::barrier:
            return (void)front_barrier(comm);
        case Collective::reduce_scatter:
            return (void)front_reduce_scatter_block(in, out, block, block_type, MPI_SUM, comm);
        case Collective::allgather:
            return (void)front_allgather(in, block, block_type, out, block, block_type, comm);
        case Collective::gather:
            return (void)front_gather(in, block, block_type, out, block, block_type, 0, comm);
        case Collective::scatter:
            return (void)front_scatter(in, block, block_type, out, block, block_type, 0, comm);
        case Collective::alltoall:
            return (void)front_alltoall(in, block, block_type, out, block, block_type, comm);
        case Collective::scan:
            return (void)front_scan(in, out, count, type, MPI_SUM, comm);
        case Collective::exscan:
            return (void)front_exscan(in, out, count, type, MPI_SUM, comm);
    }
}

std::optional<std::string> Trainer::first_call(Collective collective, Bytes bytes) {
    // MPI is not called in catch blocks: simulated ranks share a stack of caught exceptions.
    std::string reason;
    try {
        call(collective, bytes);
        return std::nullopt;
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        reason = error.what();
    }
    return reason;
}

std::vector<Trainer::Measured> Trainer::measure(Collective collective, Bytes bytes,
                                                const std::vector<Recipe>& recipes, const Effort& effort,
                                                Automatic automatic) {
    if (bytes > size_ || in_ == nullptr) {
        size_ = std::max<Bytes>({bytes, 64, Bytes(state_.size())});
        in_ = std::make_unique<std::byte[]>(size_);
        out_ = std::make_unique<std::byte[]>(size_);
    }
    // Sums of sums would run into infinity, and a bcast's data into what is slow to add.
    std::memset(in_.get(), 0, size_);
    std::memset(out_.get(), 0, size_);

    std::vector<Measured> all;
    std::vector<std::size_t> takes_part;
    Turns turns(start_, state_.user());
    double best = 0;
    for (std::size_t i = 0; i < recipes.size() + (automatic == Automatic::no ? 0 : 1); ++i) {
        const bool is_automatic = i == recipes.size();
        const State::Rehearsal* const own = is_automatic ? nullptr : &rehearsal(recipes[i]);
        all.push_back({.recipe = is_automatic ? Recipe() : recipes[i]});
        state_.rehearse(own);
        if (auto reason = first_call(collective, bytes)) {
            all.back().reason = std::move(*reason);
            continue;
        }
        // What running programs end up with: after the trials.
        constexpr int patience = 2000;
        const bool tries = is_automatic && automatic == Automatic::tried;
        const auto prepare = [this, own] { state_.rehearse(own); };
        const auto run = [this, collective, bytes] { call(collective, bytes); };
        // One at a time, as they are measured below: back to back a trial would judge by throughput.
        for (int calls = 0; tries && state_.contests().trying() && calls < patience; ++calls)
            (void)start_.time(run);
        if (exact_times || (effort.hopeless > 0 && !is_automatic)) {
            double once = start_.time(run);
            if (!exact_times) once = std::min(once, start_.time(run));
            // Whoever is hopeless even now, with everything made that it needs, costs the others no time.
            const bool hopeless = best > 0 && once > 2 * effort.hopeless * best;
            best = best == 0 ? once : std::min(best, once);
            if (hopeless || exact_times) {
                all.back().timing = Timing{{once, once, once}, 1, 1};
                continue;
            }
        }
        takes_part.push_back(i);
        turns.add(prepare, run, collective == Collective::allreduce || collective == Collective::barrier);
    }
    const std::vector<Timing> timings = turns.run(effort);
    for (std::size_t i = 0; i < takes_part.size(); ++i) all[takes_part[i]].timing = timings[i];
    state_.rehearse(nullptr);
    return all;
}

}  // namespace echelon
