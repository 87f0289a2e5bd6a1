// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/planned_cells.hpp"
#include "measure/proposals.hpp"

#include <mpi.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace echelon {

/// What the model would have measured at some sizes, found by all ranks side by side before any is measured: on a thousand ranks rank 0
/// alone would think about as long as all of them measure.
class ThoughtAhead {
public:
    /// `propose` runs on each rank for some of these cells, until `deadline` (0: for all). Collective, on ranks that know the same.
    void find(const std::vector<PlannedCell>& cells,
              const std::function<std::vector<Proposed>(const PlannedCell&)>& propose, double deadline,
              MPI_Comm comm);
    /// On rank 0; nullptr: nobody came to that.
    const std::vector<Proposed>* of(const PlannedCell& cell) const {
        const auto found = found_.find({cell.collective, cell.bytes});
        return found == found_.end() ? nullptr : &found->second;
    }

private:
    std::map<std::pair<Collective, Bytes>, std::vector<Proposed>> found_;
};

}  // namespace echelon
