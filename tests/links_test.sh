#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every relative link of every document leads to a file, and every source file named in the map and its guides
# exists.
set -u
cd "$TEST_SOURCE" || exit 1
failures=0 links=0
while IFS=: read -r document link; do
    links=$((links + 1))
    target=${link#*](}
    target=${target%%[)#]*}
    case $target in
        *://* | "") continue ;;
    esac
    [ -e "$(dirname "$document")/$target" ] || { echo "FAILED: $document links to $target, which is not there"; failures=1; }
done < <(git ls-files -z '*.md' | xargs -0 grep -oE '\]\([^) ]+\)' /dev/null)
[ "$links" -gt 0 ] || { echo "FAILED: no link was found"; failures=1; }
named=0
while IFS=: read -r document file; do
    named=$((named + 1))
    file=${file//\`/}
    [ -e "$file" ] || [ -e "src/$file" ] || { echo "FAILED: $document names $file, which is not there"; failures=1; }
done < <(grep -oE '`[a-z_]+/[a-z_/]+\.[ch]pp`' docs/design.md docs/extending.md)
[ "$named" -gt 20 ] || { echo "FAILED: the map names only $named files"; failures=1; }
exit "$failures"
