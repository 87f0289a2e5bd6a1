#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every way into MPI and out of it: with Echelon in front a program's output and exit code are unchanged.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/doors.c" -o "$folder/doors" || exit 1
"mpicc.$TEST_MPI" -Wall -Wextra -DEARLY -fPIC -shared "$here/doors.c" -o "$folder/libearly.so" || exit 1
"mpicc.$TEST_MPI" "$here/doors.c" -o "$folder/early" -Wl,--no-as-needed -L"$folder" -learly -Wl,-rpath,"$folder" || exit 1
ways=("doors thread alive" "doors null orders" "doors init reuse" "doors init in_finalize" "doors init abort" "doors init never"
    "doors init quick" "doors init late" "early early finalize")
[ "$TEST_MPI" = mpich ] && ways+=("doors session" "doors session_beside alive")

export ECHELON_SUMMARY=json:$folder/summary.json
export ECHELON_REDUCE="leaders(G=2, binomial, binomial)" ECHELON_BCAST="leaders(G=2, binomial, binomial)"
export ECHELON_ALLREDUCE="leaders(G=2, native, recursive_doubling)" ECHELON_BARRIER=dissemination
# shellcheck disable=SC2086  # a way is several words
for way in "${ways[@]}"; do
    rm -f "$folder/summary.json"
    alike "$way" 3 "$folder/"$way
    case $way in
        *abort | *quick | *session) continue ;;  # no summary is guaranteed
    esac
    [ -s "$folder/summary.json" ] || { fail "$way wrote no summary"; continue; }
    [ "$(count "$folder/summary.json" allreduce leaders)" -gt 0 ] || fail "$way: no allreduce was ours"
    finalized=$(python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['finalized'])" "$folder/summary.json")
    [ "$finalized" = "$([[ $way == *never ]] && echo False || echo True)" ] || fail "$way: the summary says finalized: $finalized"
done
echo "${#ways[@]} ways"
exit "$failures"
