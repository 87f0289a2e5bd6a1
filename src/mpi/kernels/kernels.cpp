// SPDX-License-Identifier: Apache-2.0
#include "mpi/kernels/kernels.hpp"

namespace echelon {

Kernel kernel_plain(Combine combine, Scalar scalar);
#ifdef __x86_64__
Kernel kernel_avx2(Combine combine, Scalar scalar);
Kernel kernel_avx512(Combine combine, Scalar scalar);
#endif

Processor processor_here() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return Processor::avx512;
    if (__builtin_cpu_supports("avx2")) return Processor::avx2;
#endif
    return Processor::plain;
}

Kernel kernel_for(Combine combine, Scalar scalar, Processor processor) {
    switch (processor) {
#ifdef __x86_64__
        case Processor::avx512:
            return kernel_avx512(combine, scalar);
        case Processor::avx2:
            return kernel_avx2(combine, scalar);
#endif
        default:
            return kernel_plain(combine, scalar);
    }
}

}  // namespace echelon
