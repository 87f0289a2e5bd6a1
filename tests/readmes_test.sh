#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README of a room names each of its files once, and none that is not there; that of the results has the pages' own figures.
set -u
cd "$TEST_SOURCE" || exit 1
fail() { echo "FAILED: $1"; failures=1; }
failures=0 rooms=0

# The names in the first column of the tables of files.
named() { sed -n '/^| file |/,/^$/p' "$1" | grep '^| `' | cut -d'|' -f2 | tr -s ' ,`' '\n' | grep .; }
# The files of a folder by their names, header and body together.
files() { git ls-files -- "$1/*.cpp" "$1/*.hpp" "$1/*.c" | grep -E "^$1/[^/]+$" | sed -E 's#.*/##; s#\.[a-z]+$##' | sort -u; }

check() {  # README FOLDER: also says how many files there are
    local name names count=0
    names=$(named "$1")
    for name in $(files "$2"); do
        count=$((count + 1))
        # flat has a pattern for the files of each collective.
        [[ $2 = src/flat && $name =~ $of_a_collective ]] && continue
        case $(grep -cx "$name" <<<"$names") in
            0) fail "$1 does not name $name, which is in $2" ;;
            1) ;;
            *) fail "$1 names $name more than once" ;;
        esac
    done
    for name in $names; do
        [[ $name =~ [\<./] ]] || [ -n "$(git ls-files -- "$2/$name.*")" ] || fail "$1 names $name, which is not in $2"
    done
    [ "$count" -gt 0 ] || fail "$2 has no files"
}

collectives=$(sed -n '/^enum class Collective/,/^}/p' src/core/collective.hpp | grep -oE '^ +[a-z_]+' | tr -d ' ' | paste -sd'|')
of_a_collective="^($collectives)(_.*)?\$"
for readme in $(git ls-files 'src/*/README.md' bench/README.md cache/README.md groups/README.md hier/README.md 'estimators/*/README.md'); do
    rooms=$((rooms + 1))
    check "$readme" "$(dirname "$readme")"
done
[ "$rooms" -ge 16 ] || fail "only $rooms rooms have a README"
for room in src/*/ estimators/*/; do
    [ -e "$room/README.md" ] || fail "$room has no README.md"
done

figures=0
while IFS='|' read -r _ question short pages _; do
    for figure in $(grep -oE '\*\*[^*]+\*\*' <<<"$short" | tr -d '*' | tr ' ' '_'); do
        figures=$((figures + 1))
        (cd docs/results && grep -oE '[a-z_]+\.md' <<<"$pages" | sort -u | xargs grep -qE "(^|[^0-9.])${figure//[_.]/.}([^0-9]|$)") || fail "docs/results/README.md,$question: no page says ${figure//_/ }"
    done
done < <(sed -n '/^| question /,/^$/p' docs/results/README.md)
[ "$figures" -ge 20 ] || fail "docs/results/README.md says only $figures figures"
exit "$failures"
