# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by tests of the example applications. Runs a program natively, with the drop-in library in front, or
# with the API.
# shellcheck disable=SC2034,SC2154  # the sourcing script reads failures and sets ranks
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
fail() { echo "FAILED: $*"; failures=1; }

# way NAME SETTINGS PROGRAM...: runs PROGRAM on $ranks ranks and keeps its report as $folder/NAME.json.
# SETTINGS: NAME=VALUE words for the drop-in library, separated by blanks; - runs without the library.
way() {
    local name=$1 preload=$TEST_YIELD program=bin/$3 setting
    if [ "$2" != - ]; then
        if [ "$TEST_MPI" = smpi ]; then program=${program}_drop_in; else preload=$PWD/lib/libechelon-pmpi.so${TEST_YIELD:+:$TEST_YIELD}; fi
        for setting in $2; do local -x "${setting?}"; done
    fi
    shift 3
    local words=()
    [ -z "$preload" ] || words=(env "LD_PRELOAD=$preload")
    # shellcheck disable=SC2086  # the launcher is several words
    $TEST_MPIEXEC "$ranks" ${words[@]+"${words[@]}"} "$program" "$@" --json "$folder/$name.json" >"$folder/out" 2>&1 </dev/null ||
        { fail "$name ends with an error"; tail -5 "$folder/out"; }
}

# wrong_use PROGRAM OPTIONS...: must end with exit code 2 and one sentence about an option.
wrong_use() {
    local code=0 program=bin/$1
    # shellcheck disable=SC2086
    $TEST_MPIEXEC 2 "$program" "${@:2}" >"$folder/out" 2>"$folder/err" </dev/null || code=$?
    [ "$code" = 2 ] || fail "$* ends with $code"
    [ "$(grep -c "^$1: .*--" "$folder/err")" = 1 ] || { fail "$* says"; cat "$folder/err"; }
}
