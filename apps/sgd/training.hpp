// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/example.hpp"
#include "apps/common/started_sum.hpp"
#include "apps/sgd/trainer.hpp"

#include <functional>

namespace sgd {

struct Options {
    Plan plan;
    std::size_t steps = 40;
    /// MiB of the gradient in one allreduce.
    double bucket = 4;
    std::size_t every = 5;
    bool reference = false, warm_up = false;
    examples::Form form = examples::Form::blocking;

    /// The most elements in one allreduce.
    std::size_t bucket_elements() const { return std::size_t(bucket * 1024 * 1024 / sizeof(float)); }
};

/// Adds `count` numbers of all ranks, in place.
using Allreduce = std::function<void(void* data, int count, MPI_Datatype type)>;

void add_options(examples::Example& example, Options& options);
/// Throws examples::WrongUse.
void check_options(const Options& options);
/// Trains. `allreduce` adds gradients in the blocking form, and losses. Returns true if the loss fell, all
/// ranks have the same weights, and, with --reference, they equal the weights of a run on one rank.
/// Collective over `world`.
bool train(examples::Example& example, const Options& options, MPI_Comm world, const Allreduce& allreduce);

}  // namespace sgd
