// SPDX-License-Identifier: Apache-2.0
#include "apps/sgd/training.hpp"

#include "apps/common/checksum.hpp"

#include <cstdio>
#include <memory>
#include <numeric>

namespace sgd {

using examples::Example, examples::Form, examples::Report, examples::StartedSum, examples::WrongUse;

void add_options(Example& example, Options& options) {
    using examples::po::value;
    Plan& plan = options.plan;
    auto add = example.options();
    const auto number = [](std::size_t& target) {
        return value(&target)->value_name("N")->default_value(target);
    };
    add("inputs", number(plan.shape.inputs), "of the perceptron");
    add("hidden", number(plan.shape.hidden), "units between");
    add("outputs", number(plan.shape.outputs),
        "of the perceptron; it has hidden x (inputs + outputs) weights");
    add("batch", number(plan.batch), "samples of a step, of all ranks together");
    add("batches", number(plan.batches), "how many such batches there are; steps take them in turns");
    add("steps", number(options.steps), "of training, at least twice the batches");
    add("rate", value(&plan.rate)->value_name("R")->default_value(plan.rate), "of learning");
    add("bucket", value(&options.bucket)->value_name("MB")->default_value(options.bucket),
        "megabytes (2^20) of the gradient that go through one allreduce");
    add("every", number(options.every), "say how far it is after so many steps; 0: never");
    add("reference", examples::po::bool_switch(&options.reference),
        "train on rank 0 alone, too, and compare the weights");
    add("warm-up", examples::po::bool_switch(&options.warm_up),
        "call each collective once before time is taken: what is made at the first call is not counted");
    add("seed", value(&plan.seed)->value_name("N")->default_value(plan.seed), "of samples and first weights");
}

void check_options(const Options& options) {
    const Plan& plan = options.plan;
    const std::pair<const char*, std::size_t> positive[] = {{"--inputs", plan.shape.inputs},
                                                            {"--hidden", plan.shape.hidden},
                                                            {"--outputs", plan.shape.outputs},
                                                            {"--batch", plan.batch},
                                                            {"--batches", plan.batches}};
    for (const auto& [option, number] : positive)
        if (number < 1 || number > 1'000'000'000)
            throw WrongUse(std::string(option) + ": expected a number from 1 to 10^9");
    if (options.steps < 2 * plan.batches)
        throw WrongUse("--steps: expected at least " + std::to_string(2 * plan.batches) +
                       ", twice the batches, so that each is seen again");
    if (options.bucket_elements() < 1 || !(options.bucket <= 2048))
        throw WrongUse("--bucket: expected megabytes up to 2048, and at least one number");
}

namespace {

/// True if the loss fell: it is smaller over the last pass through all batches than over the first.
bool fell(const std::vector<double>& losses, std::size_t batches) {
    const auto first = std::accumulate(losses.begin(), losses.begin() + std::ptrdiff_t(batches), 0.0);
    const auto last = std::accumulate(losses.end() - std::ptrdiff_t(batches), losses.end(), 0.0);
    return last < 0.9 * first;  // false for NaN
}

/// True if all ranks have the same bits.
bool same_everywhere(std::span<const float> weights, Report& report, MPI_Comm world) {
    const std::uint64_t mine = examples::checksum_of(weights);
    std::uint64_t least = 0, most = 0;
    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, world);
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, world);
    report.note("same weights on all ranks", least == most);
    report.note("checksum", examples::hexadecimal(mine));
    return least == most;
}

/// The largest difference to the weights of a run on one rank, relative to the largest weight. Called on one
/// rank.
double off_reference(const Options& options, std::span<const float> weights) {
    Trainer alone(options.plan, 1, 0);
    for (std::size_t step = 0; step < options.steps; ++step) {
        alone.learn(step);
        alone.update();
    }
    double off = 0, largest = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        off = std::max(off, std::abs(double(weights[i]) - double(alone.weights()[i])));
        largest = std::max(largest, std::abs(double(alone.weights()[i])));
    }
    return off / largest;
}

/// A part of the gradient that goes through one allreduce.
struct Bucket {
    std::size_t first, count;
    std::unique_ptr<StartedSum> sum = {};
};

}  // namespace

bool train(Example& example, const Options& options, MPI_Comm world, const Allreduce& allreduce) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    Report& report = example.report();
    Report::Row& computing = report.row("computation");
    Report::Row& reducing = report.row("allreduce", "gradients", world);
    Report::Row& waiting = report.row("waiting for gradients");
    Report::Row& telling = report.row("allreduce", "loss", world);
    Trainer trainer(options.plan, ranks, rank);
    report.note("weights", long(trainer.weights().size()));

    const std::span<float> gradient = trainer.gradient();
    std::vector<Bucket> buckets;
    // Backwards: the last layer's gradient is ready first.
    for (std::size_t end = gradient.size(); end > 0; end = buckets.back().first) {
        const std::size_t count = std::min(end, options.bucket_elements());
        buckets.push_back({.first = end - count, .count = count});
        if (options.form != Form::blocking)
            buckets.back().sum = std::make_unique<StartedSum>(options.form, &gradient[end - count],
                                                              int(count), MPI_FLOAT, world);
    }
    std::vector<double> losses;
    const auto start = [&](Bucket& bucket) {
        reducing.time(
            [&] {
                if (bucket.sum)
                    bucket.sum->start();
                else
                    allreduce(&gradient[bucket.first], int(bucket.count), MPI_FLOAT);
                for (Bucket& one : buckets)
                    if (one.sum && one.first >= bucket.first) one.sum->poll();
            },
            bucket.count * sizeof(float));
    };
    const auto finish = [&](double& loss) {
        if (options.form != Form::blocking)
            waiting.time([&] {
                for (Bucket& bucket : buckets) bucket.sum->finish();
            });
        telling.time([&] { allreduce(&loss, 1, MPI_DOUBLE); }, sizeof loss);
    };
    double loss = 0;
    if (options.warm_up) {
        for (Bucket& bucket : buckets) start(bucket);
        finish(loss);
    }
    report.begin(world);
    for (std::size_t step = 0; step < options.steps; ++step) {
        trainer.begin_step(step);
        example.compute(computing, trainer.flops() - trainer.flops_down_to(0),
                        [&] { loss = trainer.learn_last(); });
        for (Bucket& bucket : buckets) {
            example.compute(computing, trainer.flops_down_to(bucket.first),
                            [&] { trainer.learn_down_to(bucket.first); });
            start(bucket);
        }
        finish(loss);
        example.compute(computing, 2 * double(gradient.size()), [&] { trainer.update(); });
        losses.push_back(loss / double(options.plan.batch));
        if (rank == 0 && options.every > 0 && (step + 1) % options.every == 0)
            std::printf("step %4zu  loss %.4f\n", step + 1, losses.back());
    }
    report.end();

    report.note("first loss", losses.front());
    report.note("last loss", losses.back());
    bool right = same_everywhere(trainer.weights(), report, world) && fell(losses, options.plan.batches);
    if (options.reference) {
        double off = rank == 0 ? off_reference(options, trainer.weights()) : 0;
        MPI_Bcast(&off, 1, MPI_DOUBLE, 0, world);
        report.note("off the reference", off);
        right = right && off < 1e-4;
    }
    return right;
}

}  // namespace sgd
