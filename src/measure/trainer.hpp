// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "mpi/turns.hpp"

#include <functional>
#include <memory>
#include <string>

namespace echelon {

/// Measures recipes on a communicator as calls of the user's would run them, through the front door: double
/// sums, root 0. Where ranks have blocks, `bytes` are those of all together. Calibration, training in a
/// program and the regret of decisions all measure with it.
class Trainer {
public:
    /// Collective over the state's communicator.
    explicit Trainer(State& state);
    ~Trainer();
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    struct Measured {
        Recipe recipe;
        /// It is what calls run by themselves, whichever recipe that is.
        bool automatic = false;
        /// Nothing where it cannot serve: then `reason` says why.
        std::optional<Timing> timing = {};
        std::string reason = {};
    };
    /// Whether what the communicator's calls run is measured: as it is decided, or when trials are over.
    enum class Automatic { no, decided, tried };
    /// The recipes in turns, `automatic` beside them. Who takes more than
    /// `hopeless` times the best after the first calls is not measured. Collective.
    std::vector<Measured> measure(Collective collective, Bytes bytes, const std::vector<Recipe>& recipes,
                                  const Effort& effort, Automatic automatic = Automatic::no);
    /// Seconds of one native call, roughly: what measuring others will cost. Collective.
    Seconds one_call(Collective collective, Bytes bytes);
    /// The operation that it measures reductions with.
    static Operation operation() { return {.in_order = false, .exact = false}; }

    State& state() { return state_; }
    CommonStart& start() { return start_; }

private:
    /// Vectors of so many bytes.
    void make_room(Bytes bytes);
    void call(Collective collective, Bytes bytes);
    /// Nothing, or why the recipe cannot serve.
    std::optional<std::string> first_call(Collective collective, Bytes bytes);
    Override& override_of(const Recipe& recipe);

    State& state_;
    CommonStart start_;
    std::map<std::string, Override> overrides_;
    std::unique_ptr<std::byte[]> in_, out_;
    Bytes size_ = 0;
};

}  // namespace echelon
