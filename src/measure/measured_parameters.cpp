// SPDX-License-Identifier: Apache-2.0
#include "measure/measured_parameters.hpp"

#include "core/error.hpp"
#include "mpi/agree.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/comm.hpp"

#include <string>

namespace echelon {

Parameters measured_parameters(MPI_Comm comm, const Placement& placement, CommonStart& start, double seconds,
                               Look look) {
    const MachineSamples samples = measure_machine(comm, placement, start, seconds, look);
    Profile alone;
    std::string failure;
    if (rank_of(comm) == 0) {
        try {
            alone.parameters = fit_machine(samples);
        } catch (const Error& error) {
            failure = error.what();
        }
    }
    const bool fitted = as_rank_0_says(failure.empty(), comm);
    const std::string told = broadcast(fitted ? to_json(alone) : failure, comm);
    if (!fitted) throw Error(told);
    return *Profile::parse(told).parameters;
}

}  // namespace echelon
