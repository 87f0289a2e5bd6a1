// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/turns.hpp"
#include "tuner/tuner.hpp"

#include <functional>
#include <memory>
#include <string>

namespace echelon {

/// Measures recipes on a communicator like the user's calls, through the front door: sums of doubles, root 0.
/// If ranks have blocks, `bytes` counts all blocks together. Calibration, training in a program and the
/// regret of decisions measure with it.
class Trainer {
public:
    /// Collective over the tuner's communicator.
    explicit Trainer(Tuner& tuner);
    ~Trainer();
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    struct Measured {
        Recipe recipe;
        /// True for the automatic choice, independent of `recipe`.
        bool automatic = false;
        /// Empty if the recipe cannot serve; then `reason` says why.
        std::optional<Timing> timing = {};
        /// See Sample::in_a_row.
        Seconds in_a_row = 0;
        std::string reason = {};
    };
    /// Measurement of the automatic choice: not at all, as decided, or after its trials.
    enum class Automatic { no, decided, tried };
    /// Measures the recipes in turns, with the automatic choice beside them if requested. Recipes that take
    /// more than `hopeless` times the best after the first calls are dropped. Collective.
    std::vector<Measured> measure(Collective collective, Bytes bytes, const std::vector<Recipe>& recipes,
                                  const Effort& effort, Automatic automatic = Automatic::no);
    /// Mean time of a call in a row of calls (Sample::in_a_row); 0 if the recipe cannot serve. Collective.
    Seconds in_a_row(Collective collective, Bytes bytes, const Recipe& recipe);
    /// Rough time of one native call, to estimate the cost of measurements; 0 if it cannot serve. Collective.
    Seconds one_call(Collective collective, Bytes bytes);
    /// Operation of the measured reductions.
    static Operation operation() { return {.in_order = false, .exact = false}; }

    Tuner& tuner() { return tuner_; }
    CommonStart& start() { return start_; }

private:
    /// Makes zeroed vectors of at least this size.
    void make_room(Bytes bytes);
    void call(Collective collective, Bytes bytes, int root = 0);
    /// Makes the first call. Returns the reason if the recipe cannot serve, else nullopt.
    std::optional<std::string> first_call(Collective collective, Bytes bytes, int root = 0);
    Override& override_of(const Recipe& recipe);

    Tuner& tuner_;
    CommonStart start_;
    std::map<std::string, Override> overrides_;
    std::unique_ptr<std::byte[]> in_, out_;
    Bytes size_ = 0;
};

}  // namespace echelon
