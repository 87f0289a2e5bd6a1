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
        const std::size_t batch = step % plan_.batches;
        std::fill(gradient_.begin(), gradient_.end(), 0.0F);
        double loss = 0;
        for (std::size_t i = 0; i < share_; ++i)
            loss += perceptron_.learn(weights_, input(batch, i), target(batch, i), gradient_);
        return loss;
    }
    /// Makes one step of gradient descent. Requires: gradient() is the sum over all ranks.
    void update() {
        const auto factor = float(plan_.rate / double(plan_.batch));
        for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] -= factor * gradient_[i];
    }

    std::span<float> gradient() { return gradient_; }
    std::span<const float> weights() const { return weights_; }
    double flops() const { return double(share_) * plan_.shape.flops(); }

private:
    std::span<float> input(std::size_t batch, std::size_t i) {
        const std::size_t n = plan_.shape.inputs;
        return std::span(inputs_).subspan((batch * share_ + i) * n, n);
    }
    std::span<float> target(std::size_t batch, std::size_t i) {
        const std::size_t n = plan_.shape.outputs;
        return std::span(targets_).subspan((batch * share_ + i) * n, n);
    }

    Plan plan_;
    std::size_t begin_, share_;  // its samples of each batch
    Perceptron perceptron_;
    std::vector<float> inputs_, targets_, weights_, gradient_;
};

}  // namespace sgd
