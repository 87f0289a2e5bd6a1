#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture of README.md equals the committed tables, and a deviating table is noticed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$TEST_SOURCE/bench/studies/draw-gains" --check
mkdir -p "$folder/docs" "$folder/bench"
cp -r "$TEST_SOURCE/apps" "$TEST_SOURCE/README.md" "$folder/"
cp -r "$TEST_SOURCE/bench/studies" "$folder/bench/"
cp -r "$TEST_SOURCE/docs/results" "$folder/docs/"
sed -i 's/^\(| cg, .*\) 1\.[0-9]* |/\1 9.99 |/; s/^\(| sgd, [^|]*|[^|]*|\) 1\.[0-9]* |/\1 9.99 |/' "$folder/docs/results/scaling.md"
said=$("$folder/bench/studies/draw-gains" --check 2>&1) && { echo "FAILED: other tables, the same picture"; exit 1; }
[[ $said = *"gains.svg is not what the tables say"* ]] || { echo "FAILED: of other tables it says: $said"; exit 1; }
echo "passed"
