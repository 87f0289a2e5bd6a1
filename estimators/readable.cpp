// SPDX-License-Identifier: Apache-2.0
#include "estimators/readable.hpp"

#include "core/format.hpp"

#include <utility>

namespace echelon {

std::string readable(Seconds time) {
    if (time == 0) return "0";
    for (const auto& [unit, name] : {std::pair{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}})
        if (time >= unit * 0.9999) return format("%.4g %s", time / unit, name);
    return format("%.4g ns", time / 1e-9);
}

}  // namespace echelon
