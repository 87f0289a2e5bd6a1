// SPDX-License-Identifier: Apache-2.0
/// The training of the example application sgd, on one process.
#include "apps/sgd/trainer.hpp"

#include <gtest/gtest.h>

namespace sgd {
namespace {

TEST(Perceptron, knows_its_gradient) {
    const Shape shape{5, 7, 3};
    const Samples samples(shape, 4);
    std::vector<float> x(shape.inputs), y(shape.outputs), weights = first_weights(shape, 4),
                                                          gradient(shape.weights());
    samples.input(12, x);
    samples.target(x, y);
    Perceptron perceptron(shape);
    perceptron.learn(weights, x, y, gradient);
    const float step = 1e-2F;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto up = weights, down = weights;
        up[i] += step;
        down[i] -= step;
        const double slope =
            (perceptron.learn(up, x, y, {}) - perceptron.learn(down, x, y, {})) / (2 * double(step));
        EXPECT_NEAR(gradient[i], slope, 1e-4) << i;
    }
}

TEST(Trainer, has_a_share_of_the_same_samples_on_any_number_of_ranks) {
    const Plan plan{.shape = {6, 9, 2}, .batch = 10, .batches = 2};
    Trainer alone(plan, 1, 0);
    const double loss = alone.learn(1);
    for (const int ranks : {2, 3, 13}) {
        double sum = 0, flops = 0;
        std::vector<double> gradient(plan.shape.weights());
        for (int rank = 0; rank < ranks; ++rank) {
            Trainer one(plan, ranks, rank);
            sum += one.learn(1);
            flops += one.flops();
            for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += double(one.gradient()[i]);
        }
        EXPECT_NEAR(sum, loss, 1e-6);
        EXPECT_EQ(flops, alone.flops());
        for (std::size_t i = 0; i < gradient.size(); ++i)
            EXPECT_NEAR(gradient[i], double(alone.gradient()[i]), 1e-5);
    }
}

TEST(Trainer, comes_down) {
    Trainer trainer({.shape = {16, 32, 4}, .batch = 64, .batches = 2}, 1, 0);
    const double first = trainer.learn(0) + trainer.learn(1);
    double last = 0;
    for (std::size_t step = 0; step < 40; ++step) {
        last = trainer.learn(step) + (step % 2 == 1 ? last : 0);
        trainer.update();
    }
    EXPECT_LT(last, 0.5 * first);
}

}  // namespace
}  // namespace sgd
