#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No script has a warning of shellcheck, nor a pipe into a reader that leaves early: under pipefail this fails
# at times, because the writer has not finished (`grep -q PATTERN <<<"$(command)"` reads to the end). Each of
# scripts/ and bench/studies/ has a help text, from any folder.
set -euo pipefail
cd "$TEST_SOURCE"
mapfile -t scripts < <(git grep -lE '^#!/usr/bin/env bash')
[ ${#scripts[@]} -gt 20 ] || { echo "FAILED: only ${#scripts[@]} scripts were found"; exit 1; }
leaves_early='(^|[^|])\| *(grep -[a-zA-Z]*q|head) '
grep -qE "$leaves_early" <<<"command | grep -q pattern" || { echo "FAILED: the pattern finds nothing"; exit 1; }
if grep -nE "$leaves_early" "${scripts[@]}" | grep -v 'scripts_test.sh'; then
    echo "FAILED: a pipe into a reader that leaves early"
    exit 1
fi
# Each prints its purpose, called from anywhere, and starts nothing if it gets an unknown option.
for script in scripts/* bench/studies/*; do
    [ -f "$script" ] && [ -x "$script" ] || continue
    [ -n "$(cd docs && "../$script" --help)" ] || { echo "FAILED: $script --help"; exit 1; }
    code=0
    said=$("$script" --no-such-option 2>&1) || code=$?
    [[ $code -eq 2 && $said != *Traceback* ]] || { echo "FAILED: $script --no-such-option: exit code $code, $said"; exit 1; }
done
# bench/studies/studies knows a command for each page of results, except for pages that tests check on each
# commit, or that name their own command.
listed=$(bench/studies/studies --list --whole)
for page in docs/results/*.md; do
    page=${page##*/}
    case $page in README.md|formulas.md|library_defects.md|timelines.md|local_reduction.md|order_free_sums.md|programs.md|visits.md) continue ;; esac
    grep -qw "$page" <<<"$listed" || { echo "FAILED: bench/studies/studies makes no $page"; exit 1; }
done
while read -r _ page command _; do
    [ -e "$command" ] || [[ $command == build/* ]] || { echo "FAILED: bench/studies/studies: $command, for $page, is not there"; exit 1; }
done <<<"$listed"
command -v shellcheck >/dev/null || { echo "skipped: there is no shellcheck"; exit 77; }
shellcheck -x -S warning "${scripts[@]}"
echo passed
