// SPDX-License-Identifier: Apache-2.0
// Speed of combining two vectors: Echelon's kernels and MPI_Reduce_local, in place (b = a + b) and apart (c =
// a + b, for which MPI must copy first). Prints a row for each operation, type and size.
#include "core/statistics.hpp"
#include "mpi/combination.hpp"

#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace echelon {
namespace {

struct Named {
    const char* name;
    MPI_Datatype type;
};
struct NamedOp {
    const char* name;
    MPI_Op op;
};

/// The vectors of a cell. Summands are 0 and factors are 1: repeated combining in place keeps the numbers and
/// their range.
struct Operands {
    Operands(const Element& element, std::size_t count, MPI_Op op)
        : bytes(count * std::size_t(element.extent)) {
        for (auto* vector : {&left, &right, &result}) vector->resize(bytes);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = i * std::size_t(element.extent);
            const int own = int(i * 7 % 11);
            put(right.data() + at, element.scalar, own);
            put(left.data() + at, element.scalar, op == MPI_SUM ? 0 : op == MPI_PROD ? 1 : 10 - own);
        }
    }

    static void put(std::byte* at, Scalar scalar, int number) {
        const auto as = [&](auto value) { std::memcpy(at, &value, sizeof value); };
        if (scalar == Scalar::f32 || scalar == Scalar::pair_f32)
            as(float(number));
        else if (scalar == Scalar::f64 || scalar == Scalar::pair_f64)
            as(double(number));
        else if (scalar == Scalar::i64 || scalar == Scalar::pair_i64)
            as(std::int64_t(number));
        else
            as(std::int32_t(number));
    }

    std::size_t bytes;
    std::vector<std::byte> left, right, result;
};

enum class Way { mpi, ours, mpi_apart, ours_apart };
constexpr const char* ways[] = {"mpi", "ours", "mpi_apart", "ours_apart"};

void combine(benchmark::State& state, MPI_Datatype type, MPI_Op op, std::size_t bytes, Way way) {
    const Element element = element_of(type);
    const Kernel kernel = combination_of(op, element).kernel;
    const std::size_t count = bytes / std::size_t(element.extent);
    Operands operands(element, count, op);
    for ([[maybe_unused]] auto _ : state) {
        void* const left = operands.left.data();
        void* const right = operands.right.data();
        void* const result = operands.result.data();
        switch (way) {
            case Way::mpi:
                MPI_Reduce_local(left, right, int(count), type, op);
                break;
            case Way::ours:
                kernel(right, left, right, count);
                break;
            case Way::mpi_apart:
                std::memcpy(result, right, operands.bytes);
                MPI_Reduce_local(left, result, int(count), type, op);
                break;
            case Way::ours_apart:
                kernel(result, left, right, count);
                break;
        }
        benchmark::ClobberMemory();
    }
}

/// Keeps the times of a cell by method, and prints them as a table.
class TableReporter : public benchmark::BenchmarkReporter {
public:
    /// `cells`: in the order in which they are printed.
    explicit TableReporter(std::vector<std::string> cells) : order_(std::move(cells)) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            std::string name = run.run_name.function_name;
            const auto slash = name.rfind('/');
            const std::string cell = name.substr(0, slash);
            times_[cell][name.substr(slash + 1)].push_back(run.GetAdjustedCPUTime());
        }
    }
    void Finalize() override {
        std::printf(
            "| operation | type | bytes | MPI_Reduce_local ns | Echelon ns | ratio | ratio of c = a + b |\n"
            "|---|---|---|---|---|---|---|\n");
        for (const std::string& cell : order_) {
            if (!times_.contains(cell)) continue;  // not requested
            auto& by = times_[cell];
            std::string columns = "| " + cell;
            for (auto at = columns.find('/'); at != std::string::npos; at = columns.find('/'))
                columns.replace(at, 1, " | ");
            std::printf("%s | %.0f | %.0f | %s | %s |\n", columns.c_str(), median(by["mpi"]),
                        median(by["ours"]), ratio(by["mpi"], by["ours"]).c_str(),
                        ratio(by["mpi_apart"], by["ours_apart"]).c_str());
        }
    }

private:
    static double median(const std::vector<double>& times) {
        return times.empty() ? 0 : echelon::median(times);
    }
    /// Ratio of the medians, and of the worst and best repetitions.
    static std::string ratio(const std::vector<double>& mpi, const std::vector<double>& ours) {
        if (mpi.empty() || ours.empty()) return "";
        const auto [fast, slow] = std::minmax_element(mpi.begin(), mpi.end());
        const auto [fast_ours, slow_ours] = std::minmax_element(ours.begin(), ours.end());
        char text[64];
        std::snprintf(text, sizeof text, "%.2f [%.2f .. %.2f]", median(mpi) / median(ours),
                      *fast / *slow_ours, *slow / *fast_ours);
        return text;
    }

    std::map<std::string, std::map<std::string, std::vector<double>>> times_;
    std::vector<std::string> order_;
};

/// Registers all benchmarks; returns their cells.
std::vector<std::string> declare() {
    std::vector<std::string> cells;
    const std::vector<Named> numbers{
        {"double", MPI_DOUBLE}, {"float", MPI_FLOAT}, {"int32", MPI_INT32_T}, {"int64", MPI_INT64_T}};
    const std::vector<Named> pairs{{"2int", MPI_2INT},
                                   {"float_int", MPI_FLOAT_INT},
                                   {"double_int", MPI_DOUBLE_INT},
                                   {"long_int", MPI_LONG_INT}};
    const std::vector<NamedOp> plain{
        {"sum", MPI_SUM}, {"min", MPI_MIN}, {"max", MPI_MAX}, {"prod", MPI_PROD}};
    const std::vector<NamedOp> places{{"minloc", MPI_MINLOC}, {"maxloc", MPI_MAXLOC}};
    const auto all = [&](const std::vector<NamedOp>& ops, const std::vector<Named>& types) {
        for (const NamedOp& op : ops)
            for (const Named& type : types)
                for (const std::size_t bytes :
                     {std::size_t(1) << 10, std::size_t(1) << 15, std::size_t(1) << 20}) {
                    const std::string cell =
                        std::string(op.name) + '/' + type.name + '/' + std::to_string(bytes);
                    cells.push_back(cell);
                    for (const Way way : {Way::mpi, Way::ours, Way::mpi_apart, Way::ours_apart})
                        benchmark::RegisterBenchmark((cell + '/' + ways[int(way)]).c_str(), combine,
                                                     type.type, op.op, bytes, way);
                }
    };
    all(plain, numbers);
    all(places, pairs);
    return cells;
}

}  // namespace
}  // namespace echelon

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(library, &length);
    std::printf("%.*s\n\n", int(std::string(library).find('\n')), library);
    echelon::TableReporter table(echelon::declare());
    const std::size_t ran = benchmark::RunSpecifiedBenchmarks(&table);
    MPI_Finalize();
    return ran > 0 ? 0 : 1;
}
