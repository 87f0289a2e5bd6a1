// SPDX-License-Identifier: Apache-2.0
// sgd_tuned: the training of sgd with Echelon's interface; the recipe of the buckets is given, or trained
// first.
#include "apps/sgd/training.hpp"

#include <echelon/echelon.hpp>

namespace {

void tune(const std::string& recipe, std::size_t bucket, MPI_Comm world) {
    if (recipe == "auto") return;
    echelon::Tuning tuning(world);
    try {
        if (recipe == "train")
            tuning.train("allreduce", {bucket});
        else
            tuning.force("allreduce", recipe, sizeof(double) + 1);  // excludes the loss
    } catch (const echelon::TuningError& error) {
        throw examples::WrongUse("--recipe: " + std::string(error.what()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    sgd::Options options;
    std::string recipe = "train";
    examples::Example example("sgd_tuned",
                              "the training of sgd, with Echelon's interface instead of MPI_Allreduce.",
                              examples::Modelled::beside);
    sgd::add_options(example, options);
    example.options()(
        "recipe", examples::po::value(&recipe)->value_name("RECIPE")->default_value(recipe),
        "what serves the buckets, such as \"lanes(node, ring, ring)\"; `auto`: what Echelon chooses; `train`: "
        "what is measured to be best, in about a second before the training");
    return example.run(argc, argv, [&](MPI_Comm world) {
        sgd::check_options(options);
        int ranks = 0;
        MPI_Comm_size(world, &ranks);
        const std::size_t bucket =
            std::min(options.bucket_elements(), options.plan.shape.weights()) * sizeof(float);
        if (ranks > 1) tune(recipe, bucket, world);
        return sgd::train(example, options, world, [&](void* data, int count, MPI_Datatype type) {
            echelon::allreduce(MPI_IN_PLACE, data, count, type, MPI_SUM, world);
        });
    });
}
