// SPDX-License-Identifier: Apache-2.0
#include "measure/trainer.hpp"

#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "mpi/any_call.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <cstring>

namespace echelon {
namespace {

/// Largest type of which `bytes` are whole elements; single bytes if there is none.
MPI_Datatype type_for(Bytes bytes) {
    return bytes % sizeof(double) == 0  ? MPI_DOUBLE
           : bytes % sizeof(float) == 0 ? MPI_FLOAT
                                        : MPI_SIGNED_CHAR;
}

int count_of(Bytes bytes, MPI_Datatype type) { return int(bytes / element_of(type).size); }

}  // namespace

Trainer::Trainer(Tuner& tuner) : tuner_(tuner), start_(tuner.user()) { tuner_.set_together(true); }

Trainer::~Trainer() {
    tuner_.set_together(false);
    tuner_.measure(nullptr);
    tuner_.clear_plans();
}

Override& Trainer::override_of(const Recipe& recipe) {
    const auto [found, is_new] = overrides_.try_emplace(to_string(recipe));
    if (is_new) found->second = {std::uint16_t(overrides_.size()), recipe};
    return found->second;
}

void Trainer::call(Collective collective, Bytes bytes, int root) {
    const Bytes block = std::max<Bytes>(bytes / Bytes(tuner_.size()), 1);
    const MPI_Datatype type = type_for(bytes), block_type = type_for(block);
    const Vectors vectors{.in = in_.get(),
                          .out = out_.get(),
                          .whole = count_of(bytes, type),
                          .whole_type = type,
                          .block = count_of(block, block_type),
                          .block_type = block_type,
                          .op = MPI_SUM,
                          .root = root,
                          .comm = tuner_.user()};
    (void)call_on(vectors, collective, [](const auto& made) { return front_call(made); });
}

std::optional<std::string> Trainer::first_call(Collective collective, Bytes bytes, int root) {
    // MPI is not called in catch blocks: simulated ranks share a stack of caught exceptions.
    std::string reason;
    try {
        call(collective, bytes, root);
        return std::nullopt;
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        reason = error.what();
    }
    return reason;
}

void Trainer::make_room(Bytes bytes) {
    if (bytes > size_ || in_ == nullptr) {
        size_ = std::max<Bytes>({bytes, 64, Bytes(tuner_.size())});
        in_ = std::make_unique<std::byte[]>(size_);
        out_ = std::make_unique<std::byte[]>(size_);
    }
    // Repeated sums would grow to infinity, and broadcast data may hold numbers that are slow to add.
    std::memset(in_.get(), 0, size_);
    std::memset(out_.get(), 0, size_);
}

Seconds Trainer::in_a_row(Collective collective, Bytes bytes, const Recipe& recipe) {
    make_room(bytes);
    tuner_.measure(&override_of(recipe));
    const auto root = [&](int call) { return CallRow::root(call, tuner_.size()); };
    bool serves = true;
    for (int call = CallRow::calls / 2 - 1; call < CallRow::calls && serves; ++call)
        serves = !first_call(collective, bytes, root(call));
    std::vector<double> times;
    for (int left = quirks::simulated ? 1 : 3; left > 0 && serves; --left)
        times.push_back(start_.time([&] {
            for (int call = 0; call < CallRow::calls; ++call) this->call(collective, bytes, root(call));
        }) / CallRow::calls);
    tuner_.measure(nullptr);
    return times.empty() ? 0 : median(std::move(times));
}

Seconds Trainer::one_call(Collective collective, Bytes bytes) {
    make_room(bytes);
    tuner_.measure(&override_of(Recipe()));
    const bool serves = !first_call(collective, bytes);
    const double seconds = serves ? start_.time_once([&] { call(collective, bytes); }) : 0;
    tuner_.measure(nullptr);
    return seconds;
}

std::vector<Trainer::Measured> Trainer::measure(Collective collective, Bytes bytes,
                                                const std::vector<Recipe>& recipes, const Effort& effort,
                                                Automatic automatic) {
    make_room(bytes);
    std::vector<Measured> all;
    std::vector<std::size_t> takes_part;
    Turns turns(start_, tuner_.user());
    for (std::size_t i = 0; i < recipes.size() + (automatic == Automatic::no ? 0 : 1); ++i) {
        const bool is_automatic = i == recipes.size();
        const Override* const own = is_automatic ? nullptr : &override_of(recipes[i]);
        all.push_back({.recipe = is_automatic ? Recipe() : recipes[i], .automatic = is_automatic});
        tuner_.measure(own);
        if (auto reason = first_call(collective, bytes)) {
            all.back().reason = std::move(*reason);
            continue;
        }
        // Running programs end up with the choice after the trials.
        constexpr int patience = 2000;
        const bool tries = is_automatic && automatic == Automatic::tried;
        const auto prepare = [this, own] { tuner_.measure(own); };
        const auto run = [this, collective, bytes] { call(collective, bytes); };
        // Calls are made one at a time, like in the measurement below: back to back a trial would judge by
        // throughput.
        for (int calls = 0; tries && tuner_.trying() && calls < patience; ++calls) (void)start_.time(run);
        // One virtual time is enough, and a further call of the automatic choice could be a trial.
        if (quirks::simulated) {
            const double once = start_.time(run);
            all.back().timing = Timing{{once, once, once}, 1, 1};
            continue;
        }
        takes_part.push_back(i);
        turns.add(prepare, run, collective == Collective::allreduce || collective == Collective::barrier);
    }
    const std::vector<Timing> timings = turns.run(effort);
    for (std::size_t i = 0; i < takes_part.size(); ++i) all[takes_part[i]].timing = timings[i];
    tuner_.measure(nullptr);
    return all;
}

}  // namespace echelon
