#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/settings.md equals the library's table of settings; the help does too.
set -euo pipefail
tool=$TEST_BUILD/bin/echelon
fail() { echo "FAILED: $1"; exit 1; }

diff "$TEST_SOURCE/docs/settings.md" <("$tool" settings --page) ||
    fail "docs/settings.md is not what 'echelon settings --page' prints; write that into it"
names=$("$tool" settings | grep -oE '^  ECHELON_[A-Z_]+')
[ "$(wc -l <<<"$names")" -ge 10 ] || fail "the help is short: $names"
for name in $names; do grep -q "^| \`$name\` | " "$TEST_SOURCE/docs/settings.md" || fail "$name is not on the page"; done
# Every variable in the documents is one of them.
for name in $(git -C "$TEST_SOURCE" grep -ohE '\bECHELON_[A-Z]+\b' -- README.md 'docs/*.md' 'cache/*.md' 'src/*.md' 'apps/*.md' | sort -u); do
    [ "$name" = ECHELON_API ] || [[ $name =~ ^ECHELON_(SMPI|WERROR)$ ]] || grep -q "^  $name\b" <<<"$names" || fail "a document speaks of $name, which does not exist"
done
code=0
"$tool" settings --pages 2>/dev/null || code=$?
[ $code -eq 2 ] || fail "a wrong option ends with $code, not 2"
ldd "$tool" | grep -iE 'mpi|mpich' && fail "the tool itself loads an MPI library"
echo "passed"
