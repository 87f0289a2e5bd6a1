#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/studies/studies: measured studies run alone and first, studies of one script in turn, drawings from
# other pages last. One that fails stops no other, and none begins when the time is over. The pages alone do
# not make their commit dirty.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p build/studies
printf '#!/bin/sh\necho "$1 begins" >>order; echo "$1 says"; sleep 0.2; echo "$1 ends" >>order; [ "$1" != bad ]\n' >one
cp one other
cp one another
chmod +x one other another
PYTHONDONTWRITEBYTECODE=1 python3 - "$TEST_SOURCE/bench/studies/studies" <<'PYTHON'
import importlib.machinery, importlib.util, pathlib, sys
loader = importlib.machinery.SourceFileLoader("studies", sys.argv[1])
studies = importlib.util.module_from_spec(importlib.util.spec_from_loader("studies", loader))
sys.modules["studies"] = studies
loader.exec_module(studies)
studies.ROOT = pathlib.Path.cwd()
page = lambda command, **what: studies.Study("page.md", command, **what)
studies.STUDIES = {"picture": page("./one picture", drawn=True), "bad": page("./one bad"), "first": page("./other first"), "second": page("./other second"),
                   "watch": page("./one watch", measured=True), "clock": page("./another clock", measured=True)}
commands = {name: study.command for name, study in studies.STUDIES.items()}
ended = studies.make_all(commands, studies.Clock(60))
assert ended.keys() == commands.keys() and ended.pop("bad").startswith("ended with 1, as build/studies/bad.log says"), ended
assert all(how.startswith("made") for how in ended.values()), ended
assert pathlib.Path("build/studies/first.log").read_text() == "first says\n"
lines = pathlib.Path("order").read_text().splitlines()
assert lines[:4] == ["watch begins", "watch ends", "clock begins", "clock ends"] and lines[-2:] == ["picture begins", "picture ends"], lines
assert lines.index("first ends") < lines.index("second begins"), lines
assert set(studies.make_all(commands, studies.Clock(-1)).values()) == {"left out: the time is over"}
assert pathlib.Path("order").read_text().splitlines() == lines
PYTHON

mkdir -p checkout/docs
cd checkout
git init -q .
touch program docs/page.md README.md
git add .
git -c user.name=Test -c user.email=test@example.org commit -qm first
commit() { python3 -B "$TEST_SOURCE/apps/python/checkout.py"; }
clean=$(commit)
[[ $clean =~ ^[0-9a-f]{7,}$ ]] || { echo "FAILED: the commit is '$clean'"; exit 1; }
echo more >>docs/page.md
[ "$(commit)" = "$clean" ] || { echo "FAILED: pages make it dirty: $(commit)"; exit 1; }
echo more >>program
[ "$(cd docs && commit)" = "$clean-dirty" ] || { echo "FAILED: a changed program does not make it dirty: $(commit)"; exit 1; }
[ -z "$(cd / && commit)" ] || { echo "FAILED: where there is no checkout the commit is '$(cd / && commit)'"; exit 1; }
echo passed
