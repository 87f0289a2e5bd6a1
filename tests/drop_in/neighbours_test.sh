#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A profiling tool behind Echelon sees the messages of Echelon's algorithms, or the call itself if it stays
# with the library. In front of Echelon it sees the program's calls and hides them from Echelon.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra -fPIC -shared "$here/tool.c" -o "$folder/libtool.so" || exit 1
"mpicc.$TEST_MPI" "$here/doors.c" -o "$folder/plain" || exit 1
"mpicc.$TEST_MPI" "$here/doors.c" -o "$folder/linked" -Wl,--no-as-needed -L"$folder" -ltool -Wl,-rpath,"$folder" || exit 1
sees() {  # what, the tool's line, libraries, program
    local line
    line=$(started "$3" 2 "$folder/$4" 2>"$folder/errors" | grep '^tool:') || fail "$1: the tool does not run: $(cat "$folder/errors")"
    [[ $line =~ $2 ]] || fail "$1: expected '$2', but $line"
    echo "$1: $line"
}
# doors: on 2 ranks one allreduce and one barrier of the world, and of MPI_COMM_SELF.
sees "alone" "2 allreduces, 2 barriers, 0 sends" "$folder/libtool.so" plain
# The start-up benchmark in MPI_Init replaces some of the program's calls.
sees "behind, nothing set" "[0-2] allreduces, [0-2] barriers, 0 sends" "$library:$folder/libtool.so" plain
export ECHELON_MODE=native
sees "behind, all native" "2 allreduces, 2 barriers, 0 sends" "$library:$folder/libtool.so" plain
unset ECHELON_MODE
export ECHELON_ALLREDUCE=recursive_doubling
sees "behind, preloaded" "1 allreduces, 2 barriers, 1 sends" "$library:$folder/libtool.so" plain
sees "behind, linked" "1 allreduces, 2 barriers, 1 sends" "$library" linked
sees "in front" "2 allreduces, 2 barriers, 0 sends" "$folder/libtool.so:$library" plain
exit "$failures"
