#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each page of results names the commit of its figures, and the rooms that have changed since then; a page that
# does not is noticed, and corrected by a command.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
fail() { echo "FAILED: $*"; failures=1; }
git -C "$TEST_SOURCE" rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: this is no checkout"; exit 77; }
code=0
"$TEST_SOURCE/bench/studies/ages" --check || code=$?
[ $code -ne 77 ] || exit 77
[ $code -eq 0 ] || fail "a page has no line of its commit"

cd "$folder" || exit 1
mkdir -p bench/studies apps docs/results src/tuner hier
cp "$TEST_SOURCE/bench/studies/ages" bench/studies/
cp -r "$TEST_SOURCE/apps/python" apps/
echo one >src/tuner/file.cpp
echo one >hier/README.md
page=docs/results/page.md
commit() { git add . && git -c user.name=Test -c user.email=test@example.org commit -qm "$1"; }
says() { [ "$(tail -1 $page)" = "$1" ] || fail "the page says: $(tail -1 $page), not: $1"; }
git init -q .
commit first
first=$(git rev-parse --short HEAD)
line="Figures of commit $first, 2026-11-29"
printf 'Words.\n\n%s.\n' "$line" >$page
commit page
[ -z "$(bench/studies/ages --check)" ] || fail "a page without changes is wrong"
echo two >hier/README.md
[ -z "$(bench/studies/ages --check)" ] || fail "a README changes figures"
echo two >src/tuner/file.cpp
said=$(bench/studies/ages --check) || fail "a change of code is an error"
[[ $said = "warning: page.md does not name the code"* ]] || fail "of a change it says: $said"
says "$line."
bench/studies/ages || fail "the page is not corrected"
says "$line; src/tuner changed since then."
echo three >src/tuner/file.cpp
commit changed
[ -z "$(bench/studies/ages --check)" ] || fail "a second change of a room is a warning"
git -c advice.detachedHead=false checkout -q "$first" -- src && bench/studies/ages
says "$line."
sed -i '$d' $page
said=$(bench/studies/ages --check 2>&1) && fail "a page without a commit is not noticed"
[[ $said = *"no line"* ]] || fail "of a page without a commit it says: $said"
echo "Figures of commit 0123456, 2026-11-29." >>$page
bench/studies/ages --check 2>/dev/null && fail "an unknown commit is not noticed"
echo "$line." >$page
commit again
git clone -q --depth 1 "file://$folder" shallow
code=0
said=$(shallow/bench/studies/ages --check) || code=$?
[[ $code -eq 77 && $said = "skipped: "* ]] || fail "a shallow clone ends with $code and says: $said"
[ $failures -eq 0 ] && echo passed
exit $failures
