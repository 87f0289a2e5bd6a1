// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/matrices.hpp"

#include "apps/common/example.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

// From any BLAS.
extern "C" void dgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
                       const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                       const double* beta, double* c, const int* ldc);
// OpenBLAS with threads: one per process suffices.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int threads);

namespace examples {
namespace {

/// SplitMix64: well-mixed bits of an index.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/// An integer from -4 to 4, whose products and sums are exact, or a real number from -1 to 1.
double entry(std::uint64_t matrix, long i, long j, Entries entries) {
    const std::uint64_t bits = mixed(mixed(matrix * 0x100000001B3u + std::uint64_t(i)) + std::uint64_t(j));
    if (entries == Entries::integers) return double(long(bits % 9) - 4);
    return double(bits >> 11) * 0x1p-52 - 1;
}

}  // namespace

double entry_of_a(long i, long j, Entries entries) { return entry(1, i, j, entries); }
double entry_of_b(long i, long j, Entries entries) { return entry(2, i, j, entries); }
double entry_of_x(long i, Entries entries) { return entry(3, i, 0, entries); }

Sizes parse_sizes(const std::string& option, const std::string& text) {
    Sizes sizes;
    char rest = 0;
    const int read = std::sscanf(text.c_str(), "%ldx%ldx%ld%c", &sizes.m, &sizes.n, &sizes.k, &rest);
    if (read == 1 && text.find('x') == std::string::npos) sizes.n = sizes.k = sizes.m;
    if ((read != 1 && read != 3) || std::min({sizes.m, sizes.n, sizes.k}) < 1)
        throw WrongUse(option + ": expected a number, or m x n x k such as 1000x500x2000, not '" + text +
                       "'");
    return sizes;
}

Matrices::Matrices(Sizes all, const ProcessGrid& grid)
    : sizes(all),
      rows(Parts(all.m, grid.shape().rows)[grid.row()]),
      columns(Parts(all.n, grid.shape().columns)[grid.column()]),
      a_parts(all.k, grid.shape().columns),
      b_parts(all.k, grid.shape().rows),
      a_columns(a_parts[grid.column()]),
      b_rows(b_parts[grid.row()]),
      a(std::make_unique_for_overwrite<double[]>(std::size_t(rows.size() * a_columns.size()))),
      b(std::make_unique_for_overwrite<double[]>(std::size_t(b_rows.size() * columns.size()))),
      c(std::make_unique_for_overwrite<double[]>(std::size_t(rows.size() * columns.size()))) {}

void Matrices::fill(Entries entries) {
    double* next = a.get();
    for (long j = a_columns.begin; j < a_columns.end; ++j)
        for (long i = rows.begin; i < rows.end; ++i) *next++ = entry_of_a(i, j, entries);
    next = b.get();
    for (long i = b_rows.begin; i < b_rows.end; ++i)
        for (long j = columns.begin; j < columns.end; ++j) *next++ = entry_of_b(i, j, entries);
    std::fill_n(c.get(), rows.size() * columns.size(), 0.);
}

std::vector<Panel> panels(const Matrices& matrices, long width, Run within) {
    std::vector<Panel> all;
    for (long begin = within.begin; begin < within.end;) {
        const int a_owner = matrices.a_parts.owner(begin), b_owner = matrices.b_parts.owner(begin);
        const long end = std::min(
            {begin + width, within.end, matrices.a_parts[a_owner].end, matrices.b_parts[b_owner].end});
        all.push_back({{begin, end}, a_owner, b_owner});
        begin = end;
    }
    return all;
}

void add_product(Matrices& matrices, const double* a, const double* b, long width, Run columns) {
    const int m = int(matrices.rows.size()), n = int(columns.size()), k = int(width);
    const int all_columns = int(matrices.columns.size());
    const long first = columns.begin - matrices.columns.begin;
    if (m == 0 || n == 0) return;
    if (&openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    const double one = 1;
    dgemm_("N", "T", &m, &n, &k, &one, a, &m, b + first, &all_columns, &one, matrices.c.get() + first * m,
           &m);
}

}  // namespace examples
