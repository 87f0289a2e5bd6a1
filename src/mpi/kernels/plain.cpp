// SPDX-License-Identifier: Apache-2.0
#include "mpi/kernels/body.hpp"

namespace echelon {

Kernel kernel_plain(Combine combine, Scalar scalar);
Kernel kernel_plain(Combine combine, Scalar scalar) { return kernel(combine, scalar); }

}  // namespace echelon
