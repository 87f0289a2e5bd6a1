// SPDX-License-Identifier: Apache-2.0
#include "measure/thought_ahead.hpp"

#include "mpi/clock.hpp"
#include "mpi/comm.hpp"
#include "mpi/gather_text.hpp"

#include <limits>
#include <sstream>
#include <string>

namespace echelon {

void ThoughtAhead::find(const std::vector<PlannedCell>& cells,
                        const std::function<std::vector<Proposed>(const PlannedCell&)>& propose,
                        double deadline, MPI_Comm comm) {
    const auto ranks = std::size_t(size_of(comm));
    std::ostringstream own;
    own.precision(std::numeric_limits<Seconds>::max_digits10);
    for (auto i = std::size_t(rank_of(comm)); i < cells.size(); i += ranks) {
        if (deadline > 0 && now() > deadline) break;
        for (const Proposed& one : propose(cells[i]))
            own << i << ' ' << one.replayed << ' ' << to_string(one.recipe) << '\n';
    }
    for (const std::string& text : gather(own.str(), comm)) {
        std::istringstream lines(text);
        std::size_t i = 0;
        Seconds replayed = 0;
        for (std::string recipe; lines >> i >> replayed && std::getline(lines >> std::ws, recipe);)
            found_[{cells[i].collective, cells[i].bytes}].push_back({Recipe::parse(recipe), replayed});
    }
}

}  // namespace echelon
