#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of bench/studies/study-applications repeats the runs' figures; no page is made if an application
# printed something else.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
fail() { echo "FAILED: $1"; failures=1; }
study() { python3 "$TEST_SOURCE/bench/studies/study-applications" --kept --keep "$folder" --output "$folder/page.md" "$@" >"$folder/output" 2>&1; }
expect() { grep -qF -- "$2" "$folder/${3:-whole/page.md}" || fail "$1: no '$2'"; }

study --only abc && fail "a program that is not there"
grep -q "abc is none of summa, cg" "$folder/output" || fail "which programs there are: $(cat "$folder/output")"
study && fail "a page of no run"
python3 - "$folder" <<'PYTHON'
import json, sys
def kept(program, way, number, wall, recipe, output=()):
    rows = [{"collective": "allreduce", "from_bytes": 8, "to_bytes": 15, "calls": 50, "seconds": wall / 2, "recipe": recipe, "ranks": 32}]
    json.dump({"commit": "abc", "beside": "echelon cluster: 1 s; late by 40 us in the mean", "command_seconds": wall + 1, "output": output}
              | ({} if way == "alone" else {"wall": wall, "inside": wall / 2, "rows": rows}), open(f"{sys.argv[1]}/{program}-{way.replace(' ', '-')}-{number}.json", "w"))
for number, more in enumerate((0, 1, 0.5)):
    kept("cg", "native", number, 8 + more, "native")
    kept("cg", "by hand", number, 4 + more, "leaders(node, shm, ring)")
    kept("lammps", "native", number, 8 + more, "native", [["Temp", "1.5000001"]])
    kept("lammps", "nothing set", number, 10 + more, "native", [["Temp", "1.5000002"]])
kept("cg", "alone", 0, 8, "")
PYTHON
study || fail "no page: $(cat "$folder/output")"
expect "commit" "Figures of commit abc, " page.md
expect "gains" "| cg | 8.50 |  |  | 1.89 |  |" page.md
expect "a loss" "| lammps | 8.50 | 0.81 |  |  |  |" page.md
expect "native" "| native | 3 | 8.50 (8.00 - 9.00) | 4.25 (4.00 - 4.50) | 1.00 | native |"
expect "a gain" "| 3 | 4.50 (4.00 - 5.00) | 2.25 (2.00 - 2.50) | 1.89 | allreduce \`leaders(node, shm, ring)\` 50 times |"
expect "what is slower" "| nothing set | 3 | 10.50 (10.00 - 11.00) | 5.25 (5.00 - 5.50) | 0.81 |"
expect "the program by itself" "took 9.00 s; with it and all calls native 9.50 (9.00 - 10.00) s."
[ "$(grep -c '^## ' "$folder/whole/page.md")" -eq 2 ] || fail "programs that were not run have sections"
[ "$(wc -l <"$folder/whole/page.csv")" -eq 14 ] || fail "$(wc -l <"$folder/whole/page.csv") lines of times"
sed -i 's/1.5000002/1.6/' "$folder/lammps-nothing-set-1.json"
study && fail "other numbers are not noticed"
grep -q "lammps, nothing set, prints something else: 'Temp 1.6' instead of 'Temp 1.5000001'" "$folder/output" || fail "what differs: $(cat "$folder/output")"
[ "$failures" -eq 0 ] && echo passed
exit "$failures"
