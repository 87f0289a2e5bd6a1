// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/parts.hpp"
#include "apps/sgd/perceptron.hpp"

namespace sgd {

struct Plan {
    Shape shape{64, 128, 16};
    /// Samples of a step over all ranks together, and the number of batches: step s takes batch s modulo
    /// `batches`.
    std::size_t batch = 256, batches = 4;
    double rate = 0.5;
    std::uint64_t seed = 1;
};

/// The work of one of several ranks: it has its share of the samples of each batch, and all of the weights.
class Trainer {
public:
    Trainer(const Plan& plan, int ranks, int rank)
        : plan_(plan),
          begin_(std::size_t(examples::Parts(long(plan.batch), ranks)[rank].begin)),
          share_(std::size_t(examples::Parts(long(plan.batch), ranks)[rank].size())),
          perceptron_(plan.shape),
          inputs_(plan.batches * share_ * plan.shape.inputs),
          targets_(plan.batches * share_ * plan.shape.outputs),
          hidden_(share_ * plan.shape.hidden),
          back_(share_ * plan.shape.hidden),
          weights_(first_weights(plan.shape, plan.seed)),
          gradient_(weights_.size()) {
        const Samples samples(plan.shape, plan.seed);
        for (std::size_t batch = 0; batch < plan.batches; ++batch)
            for (std::size_t i = 0; i < share_; ++i) {
                samples.input(batch * plan.batch + begin_ + i, input(batch, i));
                samples.target(input(batch, i), target(batch, i));
            }
    }

    /// Returns the loss of this rank's share of a batch; its gradient is in gradient().
    double learn(std::size_t step) {
        begin_step(step);
        const double loss = learn_last();
        learn_down_to(0);
        return loss;
    }
    // The three parts of learn(): learn_last() returns the loss and gives the last layer's part of the
    // gradient, and learn_down_to() completes the gradient backwards, from element `first` on.
    void begin_step(std::size_t step) {
        batch_ = step % plan_.batches;
        complete_units_ = plan_.shape.hidden;
        std::fill(gradient_.begin(), gradient_.end(), 0.0F);
    }
    double learn_last() {
        double loss = 0;
        for (std::size_t i = 0; i < share_; ++i)
            loss += perceptron_.learn_last(weights_, input(batch_, i), target(batch_, i), gradient_,
                                           units(hidden_, i), units(back_, i));
        return loss;
    }
    void learn_down_to(std::size_t first) {
        const std::size_t end = complete_units_;
        complete_units_ = std::min(first / plan_.shape.inputs, end);
        for (std::size_t i = 0; i < share_; ++i)
            perceptron_.learn_first(complete_units_, end, input(batch_, i), units(hidden_, i),
                                    units(back_, i), gradient_);
    }
    /// Makes one step of gradient descent. Requires: gradient() is the sum over all ranks.
    void update() {
        const auto factor = float(plan_.rate / double(plan_.batch));
        for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] -= factor * gradient_[i];
    }

    std::span<float> gradient() { return gradient_; }
    std::span<const float> weights() const { return weights_; }
    /// The operations of learn(), and those of the next learn_down_to(first) among them.
    double flops() const { return double(share_) * plan_.shape.flops(); }
    double flops_down_to(std::size_t first) const {
        const std::size_t inputs = plan_.shape.inputs, begin = std::min(first / inputs, complete_units_);
        return double(share_) * 2.0 * double((complete_units_ - begin) * inputs);
    }

private:
    std::span<float> input(std::size_t batch, std::size_t i) {
        const std::size_t n = plan_.shape.inputs;
        return std::span(inputs_).subspan((batch * share_ + i) * n, n);
    }
    /// The hidden units of a sample.
    std::span<float> units(std::vector<float>& of, std::size_t i) const {
        return std::span(of).subspan(i * plan_.shape.hidden, plan_.shape.hidden);
    }
    std::span<float> target(std::size_t batch, std::size_t i) {
        const std::size_t n = plan_.shape.outputs;
        return std::span(targets_).subspan((batch * share_ + i) * n, n);
    }

    Plan plan_;
    std::size_t begin_, share_;  // its samples of each batch
    Perceptron perceptron_;
    std::vector<float> inputs_, targets_, hidden_, back_, weights_, gradient_;
    std::size_t batch_ = 0, complete_units_ = 0;  // of the step; the gradient is complete from this unit on
};

}  // namespace sgd
