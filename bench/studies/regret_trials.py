# SPDX-License-Identifier: Apache-2.0
"""The view of programs on a calibrated cluster, including trials: the first 20 and 200 calls of a class
through Echelon over native, and the recipe of the 21st over the best recipe that study-regret measured. For
study-regret."""
import csv
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "apps/python"))
import whole_file  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_CALLS = 200


class Trials:
    """Trials on one cluster that bench/studies/regret measured; their runs lie beside its results. Decision
    time of a rank is charged `thinking` times; the program has run `after` seconds when it makes its
    communicators; with `at_once`, all communicators of a partition call at the same time."""

    def __init__(self, keep, cluster, build=ROOT / "build/smpi", thinking=1, after=0, at_once=False):
        self.build, self.thinking, self.after, self.at_once = build, thinking, after, at_once
        self.name, self.platform = cluster.replace(":", "-"), cluster.split(":")[0]
        self.keep, self.folder = keep, keep / f"{self.name}-trials"
        self.found = json.loads((keep / f"{self.name}.json").read_text())
        self.columns = next((cell["ranks"] for cell in self.found["regret"]["cells"] if cell["part"] == "row"), 1)

    def series(self, part, cells, calls, may_run):
        """(collective, bytes, calls) -> seconds through Echelon and natively; None: not run, because
        `may_run` forbids it. Each class is a program of its own."""
        file = self.folder / f"{part}-{calls}{f'-after-{self.after:g}' if self.after else ''}{'-at-once' if self.at_once else ''}.csv"
        if not file.exists():
            if not may_run():
                return None
            self.folder.mkdir(exist_ok=True)
            profile, hosts = self.folder / "profile.json", self.keep / f"{self.name}.hosts"
            if not profile.exists():
                whole_file.write(profile, json.dumps(self.found["profile"]))
            xml = self.keep / f"{self.name}.xml" if self.platform == "random" else ROOT / f"bench/platforms/{self.platform}.xml"
            stride = {"strided": 4, "column": self.columns}.get(part, 1)
            print(f"study-regret: {self.name}, {part}, {calls} calls of each class, after {self.after:g} s", flush=True)
            written = ""
            for cell in cells:
                command = [ROOT / "scripts/smpirun", "-n", self.found["machine"]["ranks"], "-platform", xml, "-hostfile", hosts, "--costs", "measured", self.build / "bin/series",
                           "--after", self.after, "--part", f"{cells[0]['ranks']}x{stride}", *["--all-parts"] * self.at_once, calls, 0, f"{cell['collective']}:{cell['bytes']}"]
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                                      env=os.environ | {"LD_PRELOAD": str(self.build / "lib/libechelon-gamma.so"), "SIMULATED_THINKING": str(self.thinking), "ECHELON_PROFILE": str(profile)})
                if done.returncode != 0:
                    sys.exit(f"study-regret: {' '.join(map(str, command))}\n{done.stderr}")
                written += done.stdout if not written else done.stdout.partition("\n")[2]
            whole_file.write(file, written)
        return {(row["collective"], int(row["bytes"]), row["calls"]): (float(row["in_front_s"]), float(row["plain_s"]))
                for row in csv.DictReader(io.StringIO(file.read_text()))}

    def cells(self, may_run):
        """For each cell that was run: `lost` in the 21st call, `late` over native after 20 and 200 calls, as
        shares; and study-regret's results for it."""
        every = self.found["regret"]["cells"]
        for part in dict.fromkeys(cell["part"] for cell in every):
            here = [cell for cell in every if cell["part"] == part]
            few, many = (self.series(part, here, calls, may_run) for calls in (20, MOST_CALLS))
            for cell in here if few and many else []:
                def over_native(calls):
                    in_front, plain = many[cell["collective"], cell["bytes"], str(calls)]
                    return in_front / plain - 1
                lost = few[cell["collective"], cell["bytes"], "next"][0] / cell["best_seconds"] - 1
                yield cell | {"lost": lost, "late": [over_native(20), over_native(MOST_CALLS)]}


def line(words, cells, alone):
    figures = [f"{len(cells)}"]
    if alone:
        lost = [100 * cell["lost"] for cell in cells]
        figures += [f"{100 * statistics.mean(cell['regret'] for cell in cells):.1f}", f"{statistics.mean(lost):.1f}", f"{max(lost):.0f}"]
    for place in range(2):
        late = [cell["late"][place] for cell in cells]
        figures += [f"{statistics.geometric_mean(1 + one for one in late):.3f}", f"{100 * max(late):+.1f}", f"{sum(one > 0.02 for one in late)}"]
    return f"| {words} | " + " | ".join(figures) + " |"


def heads(first, alone=True):
    """The first two lines of a table."""
    names = ("cells | " + "mean regret % of the first choice | and in the 21st call | worst | " * alone + "20 calls over native | worst % | cells over 2 % | "
             f"{MOST_CALLS} calls over native | worst % | cells over 2 % |")
    return [f"| {first} | {names}", "|---|" + "---:|" * names.count("|")]


def together(words, measured):
    """A row of all cells, below heads() of cells that do not call alone."""
    return line(words, [cell for cells in measured.values() for cell in cells], alone=False)


def lost(measured):
    """A sentence about the 21st call of communicators that call alone."""
    percent = [100 * cell["lost"] for cells in measured.values() for cell in cells]
    return f"The 21st call of communicators that call alone loses {statistics.mean(percent):.1f} % in the mean, {max(percent):.0f} % at worst."


def tables(measured, size_text, alone=True):
    """`measured`: the cells of each cluster; `alone`: the best recipe was measured in single calls."""
    every = [cell for cells in measured.values() for cell in cells]
    parts = list(dict.fromkeys(cell["part"] for cell in every))
    lines = [*heads("communicator", alone), *(line(part, [cell for cell in every if cell["part"] == part], alone) for part in parts), line("together", every, alone), "",
             *heads("cluster", alone), *(line(name, cells, alone) for name, cells in measured.items()), "",
             f"Cells that are more than 2 % slower than native, after 20 or {MOST_CALLS} calls{', or lose most in the 21st' * alone}:", "",
             f"| cluster | communicator | call | 20 calls over native | {MOST_CALLS} calls over native |{' lost in the 21st % |' * alone} first choice | best alone |",
             "|---|---|---|---:|---:|" + "---:|" * alone + "---|---|"]
    for name, cells in measured.items():
        worst = sorted(cells, key=lambda cell: -cell["lost"])[:3] if alone else []
        for cell in cells:
            if max(cell["late"]) > 0.02 or (cell in worst and cell["lost"] > 0.02):
                lost = f" {100 * cell['lost']:.0f} |" * alone
                lines.append(f"| {name} | {cell['part']}, {cell['ranks']} ranks | {cell['collective']} {size_text(cell['bytes'])} | {1 + cell['late'][0]:.3f} | "
                             f"{1 + cell['late'][1]:.3f} |{lost} `{cell['chosen']}` | `{cell['best']}` |")
    return lines
