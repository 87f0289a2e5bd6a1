// SPDX-License-Identifier: Apache-2.0
#include "shm/patience.hpp"

namespace echelon {

template struct PatienceOn<Machinery>;  // one instance: the code is long and off the fast path

}  // namespace echelon
