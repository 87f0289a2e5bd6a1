// SPDX-License-Identifier: Apache-2.0
// sgd: data-parallel training of a small perceptron; gradients are added over the ranks in buckets.
#include "apps/sgd/training.hpp"

int main(int argc, char** argv) {
    sgd::Options options;
    examples::Example example(
        "sgd",
        "trains a perceptron of two layers by stochastic gradient descent, data-parallel.\n\n"
        "Each rank has its share of the samples and all weights; the gradient is added over the ranks in buckets,\n"
        "by MPI_Allreduce. The result is right if the loss fell and all ranks have the same weights, bit by bit.",
        examples::Modelled::beside);
    sgd::add_options(example, options);
    std::string form = "blocking";
    example.options()(
        "form", examples::po::value(&form)->value_name("NAME")->default_value(form),
        "of the allreduces of gradients: blocking, or nonblocking or persistent, which are under way "
        "during the rest of the backward pass");
    return example.run(argc, argv, [&](MPI_Comm world) {
        sgd::check_options(options);
        options.form = examples::parse_form("--form", form);
        return sgd::train(example, options, world, [&](void* data, int count, MPI_Datatype type) {
            MPI_Allreduce(MPI_IN_PLACE, data, count, type, MPI_SUM, world);
        });
    });
}
