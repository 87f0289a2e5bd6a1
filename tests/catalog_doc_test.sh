#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/algorithms.md shows the catalog as it is, and the commands of docs/recipes.md work.
set -euo pipefail
document=$TEST_SOURCE/docs/algorithms.md
diff <(sed '1,/<!-- catalog -->/d' "$document") <("$TEST_BUILD/bin/echelon" catalog) ||
    { echo "FAILED: docs/algorithms.md is not what 'echelon catalog' prints; replace all behind its marker by that"; exit 1; }
[ "$("$TEST_BUILD/bin/echelon" catalog | grep -c '^| `')" -gt 30 ] || { echo "FAILED: the catalog is short"; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
grep -h '^    build/release/bin/' "$TEST_SOURCE/docs/recipes.md" | sed "s,^ *build/release,$TEST_BUILD," >commands
[ "$(wc -l <commands)" -ge 2 ] || { echo "FAILED: docs/recipes.md shows no commands"; exit 1; }
while read -r command; do
    eval "$command" >output || { echo "FAILED: $command"; exit 1; }
done <commands
[ -s ring.svg ] || { echo "FAILED: no drawing"; exit 1; }
echo "passed"
