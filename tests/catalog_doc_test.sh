#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/algorithms.md shows the catalog, docs/recipes.md the shapes, docs/papers.md the source of each row.
set -euo pipefail
document=$TEST_SOURCE/docs/algorithms.md
diff <(sed '1,/<!-- catalog -->/d' "$document") <("$TEST_BUILD/bin/echelon" catalog) ||
    { echo "FAILED: docs/algorithms.md is not what 'echelon catalog' prints; replace all behind its marker by that"; exit 1; }
[ "$("$TEST_BUILD/bin/echelon" catalog | grep -c '^| `')" -gt 30 ] || { echo "FAILED: the catalog is short"; exit 1; }

recipes=$TEST_SOURCE/docs/recipes.md
diff <(sed '1,/<!-- shapes -->/d; /<!-- end of shapes -->/,$d' "$recipes") <("$TEST_BUILD/bin/echelon" catalog --shapes) ||
    { echo "FAILED: docs/recipes.md is not what 'echelon catalog --shapes' prints; replace what stands between its markers by that"; exit 1; }
[ "$("$TEST_BUILD/bin/echelon" catalog --shapes | grep -c '^| `')" -gt 20 ] || { echo "FAILED: the shapes are few"; exit 1; }

# docs/papers.md links to the file of every row.
while read -r row; do
    grep -qF "(../src/flat/$row.cpp)" "$TEST_SOURCE/docs/papers.md" || { echo "FAILED: docs/papers.md does not link to src/flat/$row.cpp"; exit 1; }
done < <("$TEST_BUILD/bin/echelon" catalog | awk '/^### / { collective = $2 } /^\| `/ { gsub("`", "", $2); print collective "_" $2 }')
echo "passed"
