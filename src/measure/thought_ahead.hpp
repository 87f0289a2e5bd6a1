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

/// Proposals of the model for some sizes, computed by all ranks in parallel before any size is measured. On
/// many ranks, rank 0 alone would compute about as long as all of them measure.
class ThoughtAhead {
public:
    /// `propose` runs on each rank for some of the cells, until `deadline` (0: for all). Collective; requires
    /// equal knowledge on all ranks.
    void find(const std::vector<PlannedCell>& cells,
              const std::function<std::vector<Proposed>(const PlannedCell&)>& propose, double deadline,
              MPI_Comm comm);
    /// Proposals for a cell, on rank 0; nullptr if there was no time for it.
    const std::vector<Proposed>* of(const PlannedCell& cell) const {
        const auto found = found_.find({cell.collective, cell.bytes});
        return found == found_.end() ? nullptr : &found->second;
    }

private:
    std::map<std::pair<Collective, Bytes>, std::vector<Proposed>> found_;
};

}  // namespace echelon
