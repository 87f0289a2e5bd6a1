#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/first_gain.md word for word: its program and commands on a cluster of namespaces end with a summary
# that reports a gain. Times are compared within this run only.
set -u
page=$TEST_SOURCE/docs/first_gain.md
. "$TEST_SOURCE/tests/cluster/cluster.sh"
mkdir build && ln -s "$TEST_BUILD" build/release
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >gradient.c
# The commands run on a cluster of this test's own.
mapfile -t commands < <(grep -E '^    (mpicc|(ECHELON_[^ ]* )?build/[^ ]*echelon cluster )' "$page" |
    sed "s/\(cluster [a-z]*\)/\1 --name $name/")
[ ${#commands[@]} -eq 5 ] || { echo "FAILED: the page has ${#commands[@]} commands"; exit 1; }
for command in "${commands[@]}"; do
    echo "$command"
    bash -c "$command" >>output 2>&1 </dev/null || { echo "FAILED:"; tail -20 output; exit 1; }
done
python3 - <<'PYTHON'
import re, sys
text = open("output").read()
alone, with_echelon = (float(found) for found in re.findall(r"^([0-9.]+) ms a step, sum", text, re.M))
if alone > 300:
    print("not compared: a step takes", alone, "ms by itself, this machine is too slow for its network")
    sys.exit(77)
unit = {"s": 1, "ms": 1e-3, "us": 1e-6}
found = re.search(r"^  saved +([0-9.]+) (\w+) of ([0-9.]+) (\w+) against the native collectives \(trials: [0-9.]+", text, re.M)
if not found:
    sys.exit("FAILED: no gain is told of: " + text)
saved, whole = float(found[1]) * unit[found[2]], float(found[3]) * unit[found[4]]
print(f"saved {saved:.3g} s of {whole:.3g} s; {alone} ms a step by itself, {with_echelon} with Echelon")
sys.exit(saved < 0.05 * whole)
PYTHON
