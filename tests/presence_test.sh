#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An allreduce that the MPI library serves cost 311 instructions more with Echelon in front; it must cost few,
# counted or not. One rank, because ranks that wait for each other spin a varying number of instructions. Two
# ranks if a plan gives the call to the library, which asked for its datatype and plan each time.
set -eu
"$TEST_SOURCE/scripts/presence" --mpi "$TEST_MPI" --build "$TEST_BUILD" --instructions-only --ranks 1 --cases automatic,native,off,counted --most 60,400
"$TEST_SOURCE/scripts/presence" --mpi "$TEST_MPI" --build "$TEST_BUILD" --instructions-only --ranks 2 --cases setting,profile --most 60
