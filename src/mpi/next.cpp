// SPDX-License-Identifier: Apache-2.0
#include "mpi/next.hpp"

namespace echelon {

constinit Next next;

}  // namespace echelon
