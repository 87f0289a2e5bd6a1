// SPDX-License-Identifier: Apache-2.0
#include "mpi/processors.hpp"

#include "mpi/comm.hpp"
#include "mpi/patient_calls.hpp"
#include "mpi/quirks.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>
#include <cstddef>
#include <vector>

namespace echelon {

ProcessorSet own_processors() {
    // The kernel refuses sets that are smaller than its number of processors.
    constexpr std::size_t most_words = 1024;
    for (ProcessorSet made(16); made.size() <= most_words; made.assign(2 * made.size(), 0))
        if (sched_getaffinity(0, made.size() * sizeof made[0], reinterpret_cast<cpu_set_t*>(made.data())) ==
            0)
            return made;
    return {~std::uint64_t(0)};  // unknown: assume that all processors are free
}

bool has_fewer_processors(int ranks) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < ranks;
}

bool is_crowded(MPI_Comm node) {
    ProcessorSet own = own_processors();
    int words = int(own.size());
    allreduce_patiently(&words, 1, MPI_INT, MPI_MAX, node);
    own.resize(std::size_t(words));
    ProcessorSet all(std::size_t(size_of(node)) * own.size());
    allgather_patiently(own.data(), all.data(), words * int(sizeof own[0]), node);
    std::vector<ProcessorSet> sets;
    for (auto word = all.begin(); word != all.end(); word += words) sets.emplace_back(word, word + words);
    return is_crowded(sets);
}

bool was_made_to_give_processors_away() {
    return dlsym(RTLD_DEFAULT, "echelon_gives_processors_away") != nullptr;
}

bool waits_spinning() { return quirks::spins_while_it_waits && !was_made_to_give_processors_away(); }

}  // namespace echelon
