#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A part of MPICH's own test suite passes with hierarchical recipes forced like it passes natively. It is
# skipped, with a message, if the source is missing; `scripts/mpich-suite` runs all of it.
set -u
programs=(allred allred2 op_coll bcasttest bcastzerotype longuser opmaxloc scatter2 red_scat_block exscan iallred nonblocking p_allred p_redscat p_order)
tests=$(printf ',coll/%s' "${programs[@]}")
"$TEST_SOURCE/scripts/mpich-suite" --mpi "$TEST_MPI" --build "$TEST_BUILD" --timeout 1800 --ranks 4 --recipes leaders --tests "${tests#,}"
