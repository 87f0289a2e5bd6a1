// SPDX-License-Identifier: Apache-2.0
#include "mpi/presence_check.hpp"

#include "flat/trees.hpp"
#include "mpi/comm.hpp"
#include "mpi/launcher_word.hpp"
#include "mpi/patient_calls.hpp"

#include <algorithm>
#include <vector>

namespace echelon {
namespace {

constexpr int absence_tag = 0;

void tell(int rank, int absent) {
    check(PMPI_Send(&absent, 1, MPI_INT, rank, absence_tag, MPI_COMM_WORLD), "MPI_Send");
}

int hear(int rank) {
    int absent = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Irecv(&absent, 1, MPI_INT, rank, absence_tag, MPI_COMM_WORLD, &request), "MPI_Irecv");
    wait_patiently(request);
    return absent;
}

}  // namespace

std::optional<Absence> find_absence() {
    const LauncherWord::Read is_here = LauncherWord::read();
    const int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
    if (LauncherWord::missed()) return Absence{me, me == 0};
    if (is_here == nullptr || !is_here(me)) return std::nullopt;
    const KnomialTree tree(p, 2);
    int absent = p;  // the lowest absent rank found; p: none
    std::vector<int> below;
    for (int i = 0; i < tree.children(me); ++i) {
        const int child = tree.child(me, i).rank;
        if (is_here(child))
            below.push_back(child);
        else
            absent = std::min(absent, child);
    }
    for (const int child : below) absent = std::min(absent, hear(child));
    const bool top = me == tree.root() || !is_here(tree.parent(me));
    if (!top) {
        tell(tree.parent(me), absent);
        absent = hear(tree.parent(me));
    } else if (me != tree.root()) {
        absent = std::min(absent, tree.parent(me));
    }
    for (const int child : below) tell(child, absent);
    if (absent == p) return std::nullopt;
    // The lowest present rank speaks. It is the top of its part of the tree.
    int first = top ? 0 : me + 1;
    while (first < me && !is_here(first)) ++first;
    return Absence{absent, first == me};
}

}  // namespace echelon
