// SPDX-License-Identifier: Apache-2.0
#include "measure/thought_ahead.hpp"

#include "core/wire.hpp"
#include "mpi/clock.hpp"
#include "mpi/comm.hpp"
#include "mpi/gather_text.hpp"

#include <string>
#include <string_view>

namespace echelon {

void ThoughtAhead::find(const std::vector<PlannedCell>& cells,
                        const std::function<std::vector<Proposed>(const PlannedCell&)>& propose,
                        double deadline, MPI_Comm comm) {
    const auto ranks = std::size_t(size_of(comm));
    std::string own;
    for (auto i = std::size_t(rank_of(comm)); i < cells.size(); i += ranks) {
        if (deadline > 0 && now() > deadline) break;
        for (const Proposed& one : propose(cells[i])) {
            put_number(own, i);
            put_double(own, one.replayed);
            put_word(own, to_string(one.recipe));
        }
    }
    for (const std::string& text : gather(own, comm))
        for (std::string_view rest = text; !rest.empty();) {
            const PlannedCell& cell = cells[take_number(rest)];
            const Seconds replayed = take_double(rest);
            found_[{cell.collective, cell.bytes}].push_back({Recipe::parse(take_word(rest)), replayed});
        }
}

}  // namespace echelon
