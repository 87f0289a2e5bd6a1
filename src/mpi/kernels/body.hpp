// SPDX-License-Identifier: Apache-2.0
// The kernels, compiled once for each processor into an unnamed namespace. Only the files of this folder
// include it. It uses no inline functions of other headers: the linker may keep any file's copy of an inline
// function, also one with instructions that this processor lacks.
#include "mpi/kernels/kernels.hpp"

namespace echelon {
namespace {

template <class T, class Operation>
void each(void* into, const void* left, const void* right, std::size_t count) {
    auto* const result = static_cast<T*>(into);
    const auto* const a = static_cast<const T*>(left);
    const auto* const b = static_cast<const T*>(right);
// The result may be one of the operands; vectors are still correct.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < count; ++i) result[i] = Operation::of(a[i], b[i]);
}

/// Integers wrap around, like in MPI libraries: they are computed without sign.
template <class T>
struct Unsigned {
    using Type = T;
};
template <>
struct Unsigned<std::int8_t> {
    using Type = std::uint8_t;
};
template <>
struct Unsigned<std::int16_t> {
    using Type = std::uint16_t;
};
template <>
struct Unsigned<std::int32_t> {
    using Type = std::uint32_t;
};
template <>
struct Unsigned<std::int64_t> {
    using Type = std::uint64_t;
};

template <class T>
struct Complex {
    T re, im;
};
template <class T>
struct Pair {
    T value;
    std::int32_t place;
};

/// The loop over pairs. It leaves the padding after `place` unchanged.
template <class T, class Operation>
void each_pair(void* into, const void* left, const void* right, std::size_t count) {
    auto* const result = static_cast<Pair<T>*>(into);
    const auto* const a = static_cast<const Pair<T>*>(left);
    const auto* const b = static_cast<const Pair<T>*>(right);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < count; ++i) {
        const Pair<T> pair = Operation::of(a[i], b[i]);
        result[i].value = pair.value;
        result[i].place = pair.place;
    }
}

struct Sum {
    template <class T>
    static T of(T a, T b) {
        using U = typename Unsigned<T>::Type;
        return T(U(a) + U(b));
    }
    template <class T>
    static Complex<T> of(Complex<T> a, Complex<T> b) {
        return {a.re + b.re, a.im + b.im};
    }
};
struct Prod {
    template <class T>
    static T of(T a, T b) {
        using U = typename Unsigned<T>::Type;
        return T(U(a) * U(b));
    }
    static std::int16_t of(std::int16_t a, std::int16_t b) {
        return std::int16_t(std::uint32_t(a) * std::uint32_t(b));
    }
    static std::uint16_t of(std::uint16_t a, std::uint16_t b) {
        return std::uint16_t(std::uint32_t(a) * std::uint32_t(b));
    }
};
struct Min {
    template <class T>
    static T of(T a, T b) {
        return b < a ? b : a;
    }
};
struct Max {
    template <class T>
    static T of(T a, T b) {
        return a < b ? b : a;
    }
};
struct LogicalAnd {
    template <class T>
    static T of(T a, T b) {
        return T(a != 0 && b != 0);
    }
};
struct LogicalOr {
    template <class T>
    static T of(T a, T b) {
        return T(a != 0 || b != 0);
    }
};
struct LogicalXor {
    template <class T>
    static T of(T a, T b) {
        return T((a != 0) != (b != 0));
    }
};
struct BitAnd {
    template <class T>
    static T of(T a, T b) {
        return T(a & b);
    }
};
struct BitOr {
    template <class T>
    static T of(T a, T b) {
        return T(a | b);
    }
};
struct BitXor {
    template <class T>
    static T of(T a, T b) {
        return T(a ^ b);
    }
};
/// If the values are equal the right one, at the lower place; the choice is visible for 0 and -0.
template <class T>
Pair<T> chosen(Pair<T> left, Pair<T> right, bool takes_left) {
    const std::int32_t lower = left.place < right.place ? left.place : right.place;
    return {takes_left ? left.value : right.value, left.value == right.value ? lower
                                                   : takes_left              ? left.place
                                                                             : right.place};
}
struct MinPlace {
    template <class T>
    static Pair<T> of(Pair<T> left, Pair<T> right) {
        return chosen(left, right, left.value < right.value);
    }
};
struct MaxPlace {
    template <class T>
    static Pair<T> of(Pair<T> left, Pair<T> right) {
        return chosen(left, right, right.value < left.value);
    }
};

template <class T>
Kernel of_integers(Combine combine) {
    switch (combine) {
        case Combine::sum:
            return each<T, Sum>;
        case Combine::prod:
            return each<T, Prod>;
        case Combine::min:
            return each<T, Min>;
        case Combine::max:
            return each<T, Max>;
        case Combine::land:
            return each<T, LogicalAnd>;
        case Combine::lor:
            return each<T, LogicalOr>;
        case Combine::lxor:
            return each<T, LogicalXor>;
        case Combine::band:
            return each<T, BitAnd>;
        case Combine::bor:
            return each<T, BitOr>;
        case Combine::bxor:
            return each<T, BitXor>;
        default:
            return nullptr;
    }
}

template <class T>
Kernel of_floats(Combine combine) {
    switch (combine) {
        case Combine::sum:
            return each<T, Sum>;
        case Combine::prod:
            return each<T, Prod>;
        case Combine::min:
            return each<T, Min>;
        case Combine::max:
            return each<T, Max>;
        default:
            return nullptr;
    }
}

template <class T>
Kernel of_complex(Combine combine) {
    // Products that overflow differ between compilers.
    return combine == Combine::sum ? each<Complex<T>, Sum> : nullptr;
}

template <class T>
Kernel of_pairs(Combine combine) {
    return combine == Combine::minloc   ? each_pair<T, MinPlace>
           : combine == Combine::maxloc ? each_pair<T, MaxPlace>
                                        : nullptr;
}

Kernel kernel(Combine combine, Scalar scalar) {
    switch (scalar) {
        case Scalar::none:
            return nullptr;
        case Scalar::i8:
            return of_integers<std::int8_t>(combine);
        case Scalar::i16:
            return of_integers<std::int16_t>(combine);
        case Scalar::i32:
            return of_integers<std::int32_t>(combine);
        case Scalar::i64:
            return of_integers<std::int64_t>(combine);
        case Scalar::u8:
            return of_integers<std::uint8_t>(combine);
        case Scalar::u16:
            return of_integers<std::uint16_t>(combine);
        case Scalar::u32:
            return of_integers<std::uint32_t>(combine);
        case Scalar::u64:
            return of_integers<std::uint64_t>(combine);
        case Scalar::f32:
            return of_floats<float>(combine);
        case Scalar::f64:
            return of_floats<double>(combine);
        case Scalar::c32:
            return of_complex<float>(combine);
        case Scalar::c64:
            return of_complex<double>(combine);
        case Scalar::pair_i32:
            return of_pairs<std::int32_t>(combine);
        case Scalar::pair_i64:
            return of_pairs<std::int64_t>(combine);
        case Scalar::pair_f32:
            return of_pairs<float>(combine);
        case Scalar::pair_f64:
            return of_pairs<double>(combine);
    }
    return nullptr;
}

}  // namespace
}  // namespace echelon
