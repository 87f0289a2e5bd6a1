#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every quirk of an MPI library names the versions that it holds for, and no other file distinguishes the
# libraries.
set -u
cd "$TEST_SOURCE" || exit 1
quirks=$(sed -n '/^\/\/ Each entry names/,/^}  \/\/ namespace/p' src/mpi/quirks.hpp |
    awk '/^\/\/\//    { said = said $0 "\n"; next }
         /^inline|^enum/ { count++; if (said != "" && said !~ /\/\/\/ Holds for: [A-Z]/) print "FAILED: no versions: " $0 }
                      { said = "" }
         END          { if (count < 12) print "FAILED: only " count " quirks were found" }')
[ -z "$quirks" ] || { echo "$quirks"; exit 1; }
elsewhere=$(git grep -nE '^ *# *(el)?if.*(MPI_VERSION|OPEN_MPI|MPICH|SMPI)' -- src cache groups hier estimators apps bench ':!src/mpi/quirks.hpp' || true)
[ -z "$elsewhere" ] || { echo "FAILED: asks by itself which MPI library this is, instead of mpi/quirks.hpp: $elsewhere"; exit 1; }
