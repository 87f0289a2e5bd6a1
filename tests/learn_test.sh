#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ECHELON_LEARN: a program begins with the results of the preceding one.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export ECHELON_LEARN=$folder/learned.json
fail() { echo "FAILED: $1"; cat "$folder/out"; exit 1; }
run() {
    EXPECTED_SOURCE=$1 $TEST_MPIEXEC 16 "$TEST_BUILD/bin/test_trials" --gtest_filter=Trials.are_not_repeated_by_the_next_program >"$folder/out" 2>&1 ||
        fail "a program that should begin with '$1'"
}
run built_in
python3 - "$ECHELON_LEARN" <<'PYTHON' || fail "what is in the file"
import json, sys
found = json.load(open(sys.argv[1]))["decisions"]
assert len(found) == 1 and found[0]["collective"] == "allreduce" and found[0]["layout"] == "16x1", found
assert found[0]["recipe"] != "native" and found[0]["seconds"] < 0.7 * found[0]["native_seconds"], found
PYTHON
run profile_decision
ECHELON_LEARN=$folder/none/learned.json run built_in
grep -q "is not written into .*none/learned.json (ECHELON_LEARN): .*No such file" "$folder/out" || fail "a folder that is not there"
echo "passed"
