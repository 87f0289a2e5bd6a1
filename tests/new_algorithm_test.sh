#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The example of docs/new_algorithm.md was built beside the catalog, where no check of prices and documents
# saw it. With its row in the catalog it is priced and drawn. The documents are complete after the page's
# steps, and not earlier.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/tests"
cp "$TEST_BUILD/bin/new_row_tool" "$folder/bin/echelon"
cp -r "$TEST_SOURCE/docs" "$folder/"
tool=$folder/bin/echelon
fail() {
    echo "FAILED: $1"
    exit 1
}

grep -q '^| `two_chains` |' <<<"$("$tool" catalog)" || fail "the catalog does not show the row"
grep -q ': proved' <<<"$("$tool" simulate --collective bcast -p 5 --bytes 64 --check --quiet two_chains)" || fail "it is not proved"
grep -q ': proved' <<<"$("$tool" simulate --collective bcast -p 13 --bytes 64 --check --quiet 'leaders(sqrt, two_chains, two_chains)')" ||
    fail "a shape does not take it"
page=$TEST_SOURCE/docs/new_algorithm.md
for file in $(grep -oE '`(src|docs|tests)/[a-z_/]+\.(cpp|hpp|md)`' "$page" | tr -d '`'); do
    [ -e "$TEST_SOURCE/$file" ] || [[ $file == *two_chains* ]] || fail "the page names $file, which is not there"
done

# shellcheck disable=SC2097,SC2098  # the script is the original, its input the folder
complete() { TEST_SOURCE=$folder TEST_BUILD=$folder bash "$TEST_SOURCE/tests/catalog_doc_test.sh" >/dev/null; }
complete && fail "the documents are complete without the row"
{ sed '/<!-- catalog -->/q' "$TEST_SOURCE/docs/algorithms.md"; "$tool" catalog; } >"$folder/docs/algorithms.md"
complete && fail "the documents are complete without the paper"
echo '| the page | [`bcast two_chains`](../src/flat/bcast_two_chains.cpp) | |' >>"$folder/docs/papers.md"
complete || fail "the documents are not complete when all is done that the page says"
grep -q '^| bcast | two_chains |' <<<"$("$TEST_BUILD/bin/new_row_accuracy" --gtest_filter='*two_chains*' || true)" ||
    fail "nobody says which line docs/results/formulas.md needs"
echo passed
