#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calls through Echelon and the MPI library's own in turns within one job, on 4 nodes of 4 ranks with nothing set.
# Native calls send the same bytes as without Echelon, trials and their results send no multiple of it, and no
# recipe is kept that a trial saw to be slower. Bytes do not depend on the machine's speed or load. Times are
# in bench/studies/study-cluster.
set -u
. "$TEST_SOURCE/tests/cluster/cluster.sh"
"$tool" cluster up --name "$name" --latency 5ms --rate 20M 4 >/dev/null || { echo "FAILED: no cluster comes up"; exit 1; }
"mpicc.$TEST_MPI" -I"$TEST_SOURCE" "$TEST_SOURCE/tests/cluster/sent.c" -o sent || exit 1

# Arguments: ranks in blocks or in turn, a program and its arguments. Files with the placement's name get its
# table and the summary.
run() {
    ECHELON_PROFILE=none ECHELON_SUMMARY=json:$folder/$1.json "$tool" cluster run --name "$name" --quiet -n 16 --map "$1" --echelon -- "${@:2}" >"$1.csv"
}
judged() { python3 "$TEST_SOURCE/tests/cluster/in_turns.py" "$@"; }
for map in block rr; do
    run $map ./sent 24 allreduce:8 allreduce:65536 reduce:65536 bcast:65536 || fail "$map: wrong results"
    judged sent $map.csv $map.json || fail "$map: more is sent than without Echelon"
    # 5 ms and 2.5 MB/s, with margins for a busy machine; unshaped it is 5 us and 2 GB/s.
    python3 -c "import json; link = json.load(open('$map.json'))['link']; assert 5e-3 <= link['latency_seconds'] < 0.5 and 2.5e4 < link['bytes_per_second'] < 1e8, link" ||
        fail "$map: MPI_Init saw another network"
done

# The judge notices an agreement in each call, as long as MPI_Init's, and a recipe that is kept although it is
# slower.
awk -F, -v OFS=, 'NR > 1 { $4 += 3000 } 1' block.csv >chatty.csv
judged sent chatty.csv block.json >output && fail "words in each call are not noticed"
python3 - <<'PYTHON'
import json
summary = json.load(open("block.json"))
row = next(row for row in summary["communicators"][0]["calls"] if row["recipe"] == "native")
row |= {"recipe": "ring", "source": "trial", "saved_seconds": -1.0, "refusal": "native took 10 ms, this 20 ms"}
json.dump(summary, open("kept.json", "w"))
PYTHON
judged sent block.csv kept.json >output && fail "a recipe that is kept though it is slower is not noticed"

# The bounds of times leave room for all but a defect, like one more step in each call; a class beyond it is
# measured twice more.
for attempt in 1 2 3; do
    run block "$TEST_BUILD/bin/turns" 10 60 allreduce:8 allreduce:65536 reduce:65536 bcast:65536 || { fail "wrong results"; break; }
    judged times block.csv && break
    [ $attempt -lt 3 ] || fail "slower than native, three times"
done
[ "$failures" -eq 0 ] && echo passed
exit "$failures"
