#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The formatter had made nonsense of a table in a comment (that of Recipe). It leaves comments as they were written.
set -euo pipefail
command -v clang-format >/dev/null || { echo "skipped: there is no clang-format"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$TEST_SOURCE/.clang-format" "$folder/"
cat >"$folder/table.hpp" <<'HPP'
/// What runs.
///
///   binomial+chain                                two halves of one collective apart, or the two inner phases of a shape
///   leaders(sqrt, chain(seg=32K), binomial)       reduce inside, operate between the leaders, broadcast inside
///   lanes(node, ring, ring, seg=1M)               reduce-scatter inside, operate on slices across, allgather inside
struct   Recipe;
HPP
cd "$folder"
clang-format table.hpp >formatted.hpp
diff <(grep '^///' table.hpp) <(grep '^///' formatted.hpp) || { echo "FAILED: a table in a comment is reflowed; see .clang-format"; exit 1; }
grep -qx 'struct Recipe;' formatted.hpp || { echo "FAILED: nothing is formatted"; exit 1; }
echo passed
