#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Standing in front of an allreduce that the MPI library does cost 311 instructions; it costs few, counted or not.
# One rank, for ranks that wait for each other spin some instructions more or less; two where a plan gives the call to the library, which
# asked for its datatype and plan each time.
set -eu
"$TEST_SOURCE/scripts/presence" --mpi "$TEST_MPI" --build "$TEST_BUILD" --instructions-only --ranks 1 --cases automatic,native,off,counted --most 60,400
"$TEST_SOURCE/scripts/presence" --mpi "$TEST_MPI" --build "$TEST_BUILD" --instructions-only --ranks 2 --cases setting,profile --most 60
