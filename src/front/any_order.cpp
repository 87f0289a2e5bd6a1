// SPDX-License-Identifier: Apache-2.0
// ECHELON_REPRODUCIBLE=any: a sum of floating point numbers is one of integers (core/order_free_sum.hpp),
// which any recipe and the library may serve. A vector of up to 1 KiB, and calls in which some ranks do not
// wait for all, need one collective of binned numbers, of four words each; longer ones need one of exponents
// and one of words.
#include "core/order_free_sum.hpp"
#include "front/front_door.hpp"
#include "front/serve.hpp"
#include "mpi/binned_sum.hpp"

#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace echelon {
namespace {

/// Longest vector of one collective, in bytes. It is a part of the result's definition.
constexpr Bytes most_binned = 1024;

bool is_double(const Element& element) {
    return element.scalar == Scalar::f64 || element.scalar == Scalar::c64;
}

/// Floating point numbers in an element.
std::size_t numbers_in(const Element& element) {
    return element.scalar == Scalar::c32 || element.scalar == Scalar::c64 ? 2 : 1;
}

/// Calls work(numbers) with a span of `count` floats or doubles of the user. `Byte`: void, or const void.
template <class Byte, class Work>
void with_numbers(const Element& element, Byte* data, std::size_t count, const Work& work) {
    using Double = std::conditional_t<std::is_const_v<Byte>, const double, double>;
    using Float = std::conditional_t<std::is_const_v<Byte>, const float, float>;
    if (is_double(element))
        work(std::span(static_cast<Double*>(data), count));
    else
        work(std::span(static_cast<Float*>(data), count));
}

/// The sum of binned numbers by `sum(integers)`, a collective on the operands of the scratch memory. The
/// numbers are in `in`; `out` gets the first `results` sums.
template <class Sum>
int by_binned(const Element& element, const void* in, std::size_t count, void* out, std::size_t results,
              State& state, const Sum& sum) {
    auto& integers = state.sum_scratch().of<Binned>();
    integers.operands.resize(count);
    with_numbers(element, in, count, [&](auto numbers) { to_binned(numbers, integers.operands.data()); });
    const int code = sum(integers);
    if (code == MPI_SUCCESS)
        with_numbers(element, out, results,
                     [&](auto numbers) { from_binned(integers.operands.data(), numbers); });
    state.sum_scratch().shrink();
    return code;
}

/// The sum of words by `sum(integers, width)`, a collective of `width` words for each number, after the
/// largest exponents are known. The rank's results begin at number `first`.
template <class Sum>
int by_words(const Element& element, const void* in, std::size_t count, void* out, std::size_t first,
             std::size_t results, State& state, const Sum& sum) {
    std::vector<std::int16_t>& exponents = state.sum_scratch().exponents;
    exponents.resize(count);
    with_numbers(element, in, count, [&](auto numbers) { exponents_of(numbers, exponents.data()); });
    int code = front_call(calls::Allreduce{MPI_IN_PLACE, exponents.data(), MPI_Count(count), MPI_INT16_T,
                                           MPI_MAX, state.user()});
    if (code != MPI_SUCCESS) return code;
    const bool is_long = state.size() > most_short_terms;
    const int each = is_long ? 2 : 1;
    auto& integers = state.sum_scratch().of<std::int64_t>();
    integers.operands.resize(count * std::size_t(each));
    with_numbers(element, in, count, [&](auto numbers) {
        to_words(numbers, exponents.data(), is_long, integers.operands.data());
    });
    code = sum(integers, each);
    if (code == MPI_SUCCESS)
        with_numbers(element, out, results, [&](auto numbers) {
            from_words(integers.operands.data(), exponents.data() + first, is_long, numbers);
        });
    state.sum_scratch().shrink();
    return code;
}

/// The call in place, on integers in its place. `factor`: integers for each element of the call.
template <class Call>
Call in_place(Call call, void* data, MPI_Datatype type, MPI_Op op, std::size_t factor) {
    call.in = MPI_IN_PLACE;
    call.out = data;
    call.count *= MPI_Count(factor);
    call.type = type;
    call.op = op;
    return call;
}

/// The operands of a call that may be in place.
template <class Call>
const void* operands(const Call& call) {
    return call.in == MPI_IN_PLACE ? call.out : call.in;
}

/// A reduce_scatter to blocks of `counts` elements.
template <class Counts>
int to_blocks(const calls::Reduce_scatter<Counts>& call, State& state, const Reduction& reduction) {
    const Element& element = reduction.element;
    const std::size_t each = numbers_in(element), count = reduction.count * each;
    const auto own = std::size_t(call.counts[state.rank()]) * each;
    // Not in place: Open MPI's reduce_scatter in place can give wrong sums.
    const auto sum = [&](auto& integers, MPI_Datatype type, MPI_Op op, std::size_t factor) {
        std::vector<MPI_Count>& counts = state.sum_scratch().counts;
        counts.assign(call.counts, call.counts + state.size());
        for (MPI_Count& one : counts) one *= MPI_Count(factor);
        integers.sums.resize(std::size_t(counts[std::size_t(state.rank())]));
        const int code = front_call(calls::Reduce_scatter<MPI_Count>{
            integers.operands.data(), integers.sums.data(), counts.data(), type, op, call.comm});
        integers.operands.swap(integers.sums);
        return code;
    };
    if (element.bytes(reduction.count) <= most_binned)
        return by_binned(element, operands(call), count, call.out, own, state,
                         [&](auto& integers) { return sum(integers, binned_type(), binned_sum(), each); });
    const auto first = std::size_t(std::accumulate(call.counts, call.counts + state.rank(), MPI_Count(0)));
    return by_words(element, operands(call), count, call.out, first * each, own, state,
                    [&](auto& integers, int width) {
                        return sum(integers, MPI_INT64_T, MPI_SUM, each * std::size_t(width));
                    });
}

}  // namespace

bool sums_in_any_order(const State& state, const Reduction& reduction, MPI_Op op) {
    // Ranks with other settings would not take part in these steps.
    if (state.process().settings().reproducible != Reproducible::any || op != MPI_SUM ||
        state.requests().at_odds())
        return false;
    const Scalar scalar = reduction.element.scalar;
    return (scalar == Scalar::f32 || scalar == Scalar::f64 || scalar == Scalar::c32 ||
            scalar == Scalar::c64) &&
           state.size() <= most_terms;
}

int sum_in_any_order(const calls::Allreduce& call, State& state, const Reduction& reduction) {
    const Element& element = reduction.element;
    const std::size_t each = numbers_in(element), count = reduction.count * each;
    if (element.bytes(reduction.count) <= most_binned)
        return by_binned(element, operands(call), count, call.out, count, state, [&](auto& integers) {
            return front_call(in_place(call, integers.operands.data(), binned_type(), binned_sum(), each));
        });
    return by_words(
        element, operands(call), count, call.out, 0, count, state, [&](auto& integers, int width) {
            return front_call(
                in_place(call, integers.operands.data(), MPI_INT64_T, MPI_SUM, each * std::size_t(width)));
        });
}

int sum_in_any_order(const calls::Reduce& call, State& state, const Reduction& reduction) {
    const std::size_t each = numbers_in(reduction.element), count = reduction.count * each;
    const bool at_root = state.rank() == call.root;
    const auto sum = [&](auto& integers) {
        // Not in place: MPICH's reduce in place of a user-made operation crashes.
        integers.sums.resize(at_root ? count : 0);
        const int code =
            front_call(calls::Reduce{integers.operands.data(), integers.sums.data(), MPI_Count(count),
                                     binned_type(), binned_sum(), call.root, call.comm});
        integers.operands.swap(integers.sums);
        return code;
    };
    return by_binned(reduction.element, operands(call), count, call.out, at_root ? count : 0, state, sum);
}

int sum_in_any_order(const calls::Reduce_scatter_block& call, State& state, const Reduction& reduction) {
    const std::vector<MPI_Count> counts(std::size_t(state.size()), call.count);
    return to_blocks<MPI_Count>({call.in, call.out, counts.data(), call.type, call.op, call.comm}, state,
                                reduction);
}
int sum_in_any_order(const calls::Reduce_scatter<int>& call, State& state, const Reduction& reduction) {
    return to_blocks(call, state, reduction);
}
int sum_in_any_order(const calls::Reduce_scatter<MPI_Count>& call, State& state, const Reduction& reduction) {
    return to_blocks(call, state, reduction);
}

namespace {
template <class Call>
int scan(const Call& call, State& state, const Reduction& reduction) {
    const std::size_t each = numbers_in(reduction.element), count = reduction.count * each;
    const bool gets_nothing = call.collective == Collective::exscan && state.rank() == 0;
    return by_binned(
        reduction.element, operands(call), count, call.out, gets_nothing ? 0 : count, state,
        [&](auto& integers) {
            return front_call(in_place(call, integers.operands.data(), binned_type(), binned_sum(), each));
        });
}
}  // namespace

int sum_in_any_order(const calls::Scan& call, State& state, const Reduction& reduction) {
    return scan(call, state, reduction);
}
int sum_in_any_order(const calls::Exscan& call, State& state, const Reduction& reduction) {
    return scan(call, state, reduction);
}

}  // namespace echelon
