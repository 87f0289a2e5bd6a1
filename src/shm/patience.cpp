// SPDX-License-Identifier: Apache-2.0
#include "shm/patience.hpp"

namespace echelon {

template struct PatienceOn<Machinery>;  // once: long, and seldom on the way

}  // namespace echelon
