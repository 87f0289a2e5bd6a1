// SPDX-License-Identifier: Apache-2.0
#include "support/kinds.hpp"

#include <gtest/gtest.h>
#include <array>
#include <cstring>
#include <echelon/echelon.hpp>

namespace echelon {
namespace {

template <class T>
void fill_number(std::byte* element, int rank, std::size_t index) {
    const T value = T((rank * 7 + int(index) * 3) % 11 + 1);
    std::memcpy(element, &value, sizeof value);
}

struct DoubleInt {
    double value;
    int place;
};
void fill_pair(std::byte* element, int rank, std::size_t index) {
    const DoubleInt value{double((rank * 5 + int(index)) % 4), rank};
    std::memcpy(element, &value.value, sizeof value.value);
    std::memcpy(element + sizeof(double), &value.place, sizeof value.place);
}

/// 2 x 2 matrices: their product does not commute.
using Matrix = std::array<int, 4>;
void fill_matrix(std::byte* element, int rank, std::size_t index) {
    const Matrix m{1, rank % 3 + 1, int(index) % 2, 1};
    std::memcpy(element, m.data(), sizeof m);
}
void multiply(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        Matrix a, b;
        std::memcpy(a.data(), static_cast<std::byte*>(left) + std::size_t(i) * sizeof a, sizeof a);
        std::memcpy(b.data(), static_cast<std::byte*>(right) + std::size_t(i) * sizeof b, sizeof b);
        const Matrix c{(a[0] * b[0] + a[1] * b[2]) % 1009, (a[0] * b[1] + a[1] * b[3]) % 1009,
                       (a[2] * b[0] + a[3] * b[2]) % 1009, (a[2] * b[1] + a[3] * b[3]) % 1009};
        std::memcpy(static_cast<std::byte*>(right) + std::size_t(i) * sizeof c, c.data(), sizeof c);
    }
}

/// Two ints with a gap between, one before and one behind: lower bound 4, extent 20.
constexpr std::size_t gap_extent = 20;
void fill_gaps(std::byte* element, int rank, std::size_t index) {
    const int values[2] = {rank + int(index), rank * int(index) % 5};
    std::memcpy(element, &values[0], sizeof(int));
    std::memcpy(element + 8, &values[1], sizeof(int));
}
void add_gaps(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        for (const std::size_t at : {std::size_t(4), std::size_t(12)}) {
            int a = 0, b = 0;
            std::memcpy(&a, static_cast<std::byte*>(in) + std::size_t(i) * gap_extent + at, sizeof a);
            std::memcpy(&b, static_cast<std::byte*>(inout) + std::size_t(i) * gap_extent + at, sizeof b);
            b += a;
            std::memcpy(static_cast<std::byte*>(inout) + std::size_t(i) * gap_extent + at, &b, sizeof b);
        }
}

}  // namespace

Kinds::Kinds() {
    MPI_Type_contiguous(4, MPI_INT, &matrix_);
    MPI_Type_commit(&matrix_);
    const std::array<int, 2> lengths{1, 1};
    const std::array<MPI_Aint, 2> places{4, 12};
    const std::array<MPI_Datatype, 2> types{MPI_INT, MPI_INT};
    MPI_Datatype tight = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &tight);
    MPI_Type_create_resized(tight, 0, MPI_Aint(gap_extent), &gaps_);
    MPI_Type_commit(&gaps_);
    MPI_Type_free(&tight);
    MPI_Op_create(multiply, 0, &product_);
    MPI_Op_create(add_gaps, 1, &sum_);
    all_ = {{"int sum", MPI_INT, MPI_SUM, true, sizeof(int), 0, fill_number<int>},
            {"double max", MPI_DOUBLE, MPI_MAX, true, sizeof(double), 0, fill_number<double>},
            {"maxloc", MPI_DOUBLE_INT, MPI_MAXLOC, true, sizeof(DoubleInt), 0, fill_pair},
            {"matrix product", matrix_, product_, false, sizeof(Matrix), 0, fill_matrix},
            {"gaps", gaps_, sum_, true, gap_extent, 4, fill_gaps}};
}

Kinds::~Kinds() {
    MPI_Type_free(&matrix_);
    MPI_Type_free(&gaps_);
    MPI_Op_free(&product_);
    MPI_Op_free(&sum_);
}

std::span<const Kind> Kinds::in_turn(int p, int recipe) const {
    const bool all = p <= 3 || p == most_ranks;
    return all ? std::span(all_) : std::span(all_).subspan(std::size_t(p + recipe) % all_.size(), 1);
}

std::vector<std::byte> buffer(const Kind& kind, std::size_t count, int rank) {
    std::vector<std::byte> bytes(count * kind.stride + 8, std::byte{0xEE});
    if (rank >= 0)
        for (std::size_t i = 0; i < count; ++i)
            kind.fill(bytes.data() + i * kind.stride + kind.first, rank, i);
    return bytes;
}

void force(MPI_Comm comm, const char* collective, const std::string& recipe, int p) {
    Tuning tuning(comm);
    try {
        tuning.force(collective, recipe, 0, Tuning::no_limit, false);
    } catch (const TuningError&) {
        // Some recipes name more groups or ranks than there are here.
        EXPECT_LT(p, most_ranks) << recipe;
        tuning.clear(collective);
    }
}

}  // namespace echelon
