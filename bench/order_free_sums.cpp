// SPDX-License-Identifier: Apache-2.0
// Cost of the steps of sums whose bits no order changes (core/order_free_sum.hpp), beside a plain addition:
// the times are of vectors of 128 Ki elements, items are elements.
#include "core/order_free_sum.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

namespace echelon {
namespace {

template <class T>
struct Vectors {
    static constexpr std::size_t count = 128 << 10;
    Vectors() {
        std::mt19937_64 random(1);
        for (T& number : numbers) number = T(std::ldexp(double(random() >> 11), -53 - int(random() % 40)));
        exponents_of(std::span<const T>(numbers), exponents.data());
        to_words(std::span<const T>(numbers), exponents.data(), false, words.data());
        to_binned(std::span<const T>(numbers), binned.data());
    }
    std::vector<T> numbers = std::vector<T>(count), sums = std::vector<T>(count);
    std::vector<std::int16_t> exponents = std::vector<std::int16_t>(count);
    std::vector<std::int64_t> words = std::vector<std::int64_t>(count);
    std::vector<Binned> binned = std::vector<Binned>(count);
};

template <class T, class Step>
void measure(benchmark::State& state, const Step& step) {
    Vectors<T> vectors;
    for ([[maybe_unused]] auto _ : state) {
        step(vectors);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(std::int64_t(state.iterations()) * std::int64_t(vectors.count));
}

template <class T>
void add(const std::string& type) {
    using V = Vectors<T>;
    const auto add_step = [&](const char* name, auto step) {
        benchmark::RegisterBenchmark((type + "/" + name).c_str(),
                                     [=](benchmark::State& state) { measure<T>(state, step); });
    };
    add_step("plain_addition", [](V& v) {
        for (std::size_t i = 0; i < v.count; ++i) v.sums[i] += v.numbers[i];
    });
    add_step("exponents", [](V& v) { exponents_of(std::span<const T>(v.numbers), v.exponents.data()); });
    add_step("to_words", [](V& v) {
        to_words(std::span<const T>(v.numbers), v.exponents.data(), false, v.words.data());
    });
    add_step("from_words",
             [](V& v) { from_words(v.words.data(), v.exponents.data(), false, std::span(v.sums)); });
    add_step("to_binned", [](V& v) { to_binned(std::span<const T>(v.numbers), v.binned.data()); });
    add_step("add_binned",
             [](V& v) { add_binned(v.binned.data(), v.binned.data(), v.binned.data(), v.count); });
    add_step("from_binned", [](V& v) { from_binned(v.binned.data(), std::span(v.sums)); });
}

}  // namespace
}  // namespace echelon

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    echelon::add<double>("double");
    echelon::add<float>("float");
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
