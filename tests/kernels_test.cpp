// SPDX-License-Identifier: Apache-2.0
/// Every kernel against MPI_Reduce_local, on every level of processor that this machine has.
#include "mpi/combination.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace echelon {
namespace {

struct Type {
    const char* name;
    MPI_Datatype type;
};
struct Operation {
    const char* name;
    MPI_Op op;
    Combine combine;
};

std::vector<Processor> processors_here() {
    std::vector<Processor> all{Processor::plain};
    if (processor_here() != Processor::plain) all.push_back(Processor::avx2);
    if (processor_here() == Processor::avx512) all.push_back(Processor::avx512);
    return all;
}

/// Small whole numbers in the type's own format: sums and products of them are exact.
std::vector<std::byte> values(const Element& element, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count * std::size_t(element.extent));
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = i * std::size_t(element.extent);
        const int number = int(random() % 7);
        switch (element.scalar) {
            case Scalar::f32:
                put(at, float(number));
                break;
            case Scalar::f64:
                put(at, double(number));
                break;
            case Scalar::c32:
                put(at, float(number)), put(at + 4, float(number / 2));
                break;
            case Scalar::c64:
                put(at, double(number)), put(at + 8, double(number / 2));
                break;
            case Scalar::pair_f32:
                put(at, float(number)), put(at + 4, int(random() % 5));
                break;
            case Scalar::pair_f64:
                put(at, double(number)), put(at + 8, int(random() % 5));
                break;
            case Scalar::pair_i32:
                put(at, number), put(at + 4, int(random() % 5));
                break;
            case Scalar::pair_i64:
                put(at, long(number)), put(at + 8, int(random() % 5));
                break;
            default:  // integers: all their bytes
                      // MPI_UNSIGNED_CHAR as signed
                for (std::size_t byte = 0; byte < element.size; ++byte)
                    put(at + byte, std::uint8_t(random()));
        }
    }
    return bytes;
}

const Type types[] = {{"char", MPI_SIGNED_CHAR},
                      {"short", MPI_SHORT},
                      {"int", MPI_INT},
                      {"long", MPI_LONG},
                      {"unsigned char", MPI_UNSIGNED_CHAR},
                      {"unsigned short", MPI_UNSIGNED_SHORT},
                      {"unsigned", MPI_UNSIGNED},
                      {"unsigned long", MPI_UNSIGNED_LONG},
                      {"float", MPI_FLOAT},
                      {"double", MPI_DOUBLE},
                      {"complex float", MPI_C_FLOAT_COMPLEX},
                      {"complex double", MPI_C_DOUBLE_COMPLEX},
                      {"2int", MPI_2INT},
                      {"float int", MPI_FLOAT_INT},
                      {"double int", MPI_DOUBLE_INT},
                      {"long int", MPI_LONG_INT}};
const Operation operations[] = {
    {"sum", MPI_SUM, Combine::sum},          {"prod", MPI_PROD, Combine::prod},
    {"min", MPI_MIN, Combine::min},          {"max", MPI_MAX, Combine::max},
    {"land", MPI_LAND, Combine::land},       {"lor", MPI_LOR, Combine::lor},
    {"lxor", MPI_LXOR, Combine::lxor},       {"band", MPI_BAND, Combine::band},
    {"bor", MPI_BOR, Combine::bor},          {"bxor", MPI_BXOR, Combine::bxor},
    {"minloc", MPI_MINLOC, Combine::minloc}, {"maxloc", MPI_MAXLOC, Combine::maxloc}};

/// Clears the gap behind each pair, whose contents are undefined.
std::vector<std::byte> without_gaps(std::vector<std::byte> bytes, const Element& element) {
    const auto extent = std::size_t(element.extent);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (i % extent >= element.size) bytes[i] = std::byte{0};
    return bytes;
}

TEST(Kernels, DoWhatTheLibraryDoes) {
    int compared = 0;
    for (const auto& [type_name, type] : types) {
        const Element element = element_of(type);
        ASSERT_NE(element.scalar, Scalar::none) << type_name;
        for (const auto& [op_name, op, combine] : operations) {
            const Combination combination = combination_of(op, element);
            // Libraries compare unsigned integers and multiply complex numbers in their own ways.
            const bool compares = combine == Combine::min || combine == Combine::max;
            const bool is_unsigned = element.scalar >= Scalar::u8 && element.scalar <= Scalar::u64;
            const bool is_complex = element.scalar == Scalar::c32 || element.scalar == Scalar::c64;
            const bool is_kept = (compares && is_unsigned) || (is_complex && combine == Combine::prod);
            EXPECT_EQ(combination.served && !is_kept, combination.kernel != nullptr)
                << type_name << ' ' << op_name;
            if (combination.kernel == nullptr) continue;
            for (const Processor processor : processors_here())
                for (const std::size_t count : {0, 1, 7, 64, 1001}) {
                    const Kernel kernel = kernel_for(combine, element.scalar, processor);
                    const auto left = values(element, count, 1), right = values(element, count, 2);
                    auto expected = right, before = right, after = left, apart = right;
                    PMPI_Reduce_local(left.data(), expected.data(), int(count), type, op);
                    kernel(before.data(), left.data(), before.data(), count);
                    kernel(after.data(), after.data(), right.data(), count);
                    kernel(apart.data(), left.data(), right.data(), count);
                    for (const auto* result : {&before, &after, &apart})
                        EXPECT_EQ(without_gaps(*result, element), without_gaps(expected, element))
                            << type_name << ' ' << op_name << ' ' << int(processor) << ' ' << count;
                    ++compared;
                }
        }
    }
    EXPECT_GT(compared, 350);
}

TEST(Kernels, LeaveUnknownPairsToTheLibrary) {
    EXPECT_EQ(combination_of(MPI_SUM, element_of(MPI_LONG_DOUBLE)).kernel, nullptr);
    EXPECT_TRUE(combination_of(MPI_SUM, element_of(MPI_LONG_DOUBLE)).served);
    EXPECT_FALSE(combination_of(MPI_BAND, element_of(MPI_DOUBLE)).served);
    EXPECT_FALSE(combination_of(MPI_MAXLOC, element_of(MPI_INT)).served);
}

}  // namespace
}  // namespace echelon
