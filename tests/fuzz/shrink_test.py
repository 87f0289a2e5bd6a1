#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that breaks the tester itself was not made shorter: "It does not happen again"."""
import importlib.machinery
import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import launch  # noqa: E402

loader = importlib.machinery.SourceFileLoader("fuzz", str(here.parents[1] / "scripts" / "fuzz"))
fuzz = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz", loader))
loader.exec_module(fuzz)


class Launcher:
    """Starts nothing: `ends` gives the end of a program with these steps."""
    program, longest = "true", 0

    def __init__(self, ends):
        self.ends = ends

    def run(self, _ranks, made):
        kept = made[made.index("--keep") + 1].split(",") if "--keep" in made else []
        return launch.Ended(self.ends(kept), "", [(0, 3, 0, 1)])


def kept_of(ends, first):
    sys.argv = ["fuzz", "--programs", "1", "--steps", "5"]
    short = fuzz.shortened(Launcher(ends), fuzz.parse(), 1, 2, launch.Ended(first, "", [(0, 3, 0, 1)]))
    return short and short[0][short[0].index("--keep") + 1]


def check(is_, right):
    if is_ != right:
        sys.exit(f"FAILED: the steps that are left are {is_}, not {right}")


check(kept_of(lambda steps: "broken" if "0.3" in steps else "fine", "broken"), "0.3")
check(kept_of(lambda steps: "hangs" if {"0.1", "0.3"} <= set(steps) else "fine", "crashes"), "0.1,0.3")
# A difference is not shortened to a broken tester.
check(kept_of(lambda steps: "differs" if {"0.1", "0.3"} <= set(steps) else "broken", "differs"), "0.1,0.3")
