# SPDX-License-Identifier: Apache-2.0
"""Common to studies: runs of the preset smpi in virtual time, kept and never repeated; pages of results."""
import csv
import datetime
import hashlib
import io
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "apps/python"))
import whole_file  # noqa: E402
from checkout import commit_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The MPI library chooses like Open MPI: SMPI's own default sends p^2 messages, and takes hours on hundreds of
# ranks.
OPEN_MPI_RULES = "--cfg=smpi/coll-selector:ompi"
NATIVE = (OPEN_MPI_RULES, "--cfg=smpi/allreduce:ompi")
# Messages take the processor time that the platform says.
COSTS = ("--costs", "measured")


def size_text(size):
    for unit, letter in ((1 << 20, "M"), (1 << 10, "K")):
        if size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)


def power_of_two_divisors(number):
    """All but one and the number itself."""
    return [2 ** i for i in range(1, number.bit_length()) if number % 2 ** i == 0 and 2 ** i < number]


def commit():
    return f"commit {commit_of(ROOT)}, {datetime.date.today()}"


RESULTS = ROOT / "docs/results"


def tables_of(page):
    """The file of all tables of a page, in build/results, or in `whole` beside a page that is elsewhere."""
    folder = ROOT / "build/results" if page.parent.resolve() == RESULTS else page.parent / "whole"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / page.name


def write_page(page, script, made, figures, tables=()):
    """Writes the figures of a page of results below its mark; the words above it are written by hand, and
    stay. `made`: the commit, and the date. `tables`: lines of tables that are too long for a page."""
    mark = f"<!-- below: bench/studies/{script} -->"
    words = page.read_text().split(mark)[0] if page.exists() else f"# {page.stem}\n\n"
    whole_file.write(page, f"{words}{mark}\nFigures of {made}.\n\n" + "\n".join(figures).strip("\n") + "\n")
    if tables:
        whole_file.write(tables_of(page), f"Figures of {made}.\n\n" + "\n".join(tables).strip("\n") + "\n")


def write_csv(page, rows):
    """Writes a table beside the page's other tables."""
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\n").writerows(rows)
    whole_file.write(tables_of(page).with_suffix(".csv"), sheet.getvalue())


class Cluster:
    """Ranks in blocks of `each` a node of a platform; the folder `keep` holds results of their runs."""

    def __init__(self, keep, platform, ranks, each=1, gamma=0.0, settings=(*COSTS, *NATIVE)):
        self.keep, self.platform, self.ranks, self.each, self.gamma, self.settings = keep, platform, ranks, each, gamma, settings
        keep.mkdir(parents=True, exist_ok=True)

    def run(self, name, program, *arguments, output=None, environment=None):
        """The file with a program's output: of the option `output`, which names its file, or of standard
        output."""
        variables = [f"{variable}={value}" for variable, value in (environment or {}).items()]
        words = [str(word) for word in (*self.settings, f"{self.gamma:g}", *variables, program, *arguments)]
        mark = hashlib.sha1(" ".join(words).encode()).hexdigest()[:8]
        file = self.keep / f"{self.platform}-{self.ranks}x{self.each}-{name}-{mark}"
        if file.exists():
            return file
        hosts, part = self.keep / f"{self.ranks}x{self.each}.hosts", file.with_suffix(".part")
        whole_file.write(hosts, "".join(f"node-{rank // self.each}\n" for rank in range(self.ranks)))
        charged = [f"SIMULATED_GAMMA={self.gamma:g}", f"LD_PRELOAD={ROOT / 'build/smpi/lib/libechelon-gamma.so'}"] if self.gamma else []
        command = ["env", *charged, *variables, ROOT / "scripts/smpirun", "-n", self.ranks, "-platform", ROOT / f"bench/platforms/{self.platform}.xml", "-hostfile", hosts,
                   *self.settings]
        command += [ROOT / "build/smpi/bin" / program, *arguments, *([output, part] if output else [])]
        print(f"{self.platform}, {self.ranks} ranks: {name}", flush=True)
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"{name} on {self.ranks} ranks: {program} failed: {done.stderr.strip()[-500:] or done.returncode}")
        if not output:
            whole_file.write(part, done.stdout)
        part.rename(file)
        return file

    def times(self, collective, sizes, recipes):
        """(bytes, recipe) -> seconds, for each recipe that can serve, and for `native`."""
        file = self.run(f"{collective}-{'-'.join(map(size_text, sizes))}", "echelon-bench", "--collectives", collective, "--bytes", ",".join(map(str, sizes)),
                        "--recipes", ";".join(recipes).replace(" ", ""), "--type", "double", "--no-check", "--repetitions", 1, "--warm-up", 0, output="--json")
        return {(row["bytes"], row["recipe"]): row["median_s"] for row in json.loads(file.read_text())["results"]}

    def parameters(self):
        """echelon-calibrate's parameters of messages; beside them only a barrier is measured."""
        file = self.run("parameters", "echelon-calibrate", "--collectives", "barrier", "--bytes", 8, output="--output")
        return json.loads(file.read_text())["parameters"]


def short_send(network):
    """Latency, time per byte and processor time of a short message in a profile's parameters."""
    return network["pieces"][0]["alpha"], network["pieces"][0]["beta"], network["send_overhead"][0][1] if network["send_overhead"] else 0.0


def replayed(model, collective, ranks, size, recipes, each=1, inside=None, gamma=0.0, element=8):
    """recipe -> seconds, by replaying the recorded schedules under a model."""
    said = subprocess.run([ROOT / "build/release/bin/echelon", "simulate", "-c", collective, "-p", str(ranks), "-b", str(size), "--element", str(element), "--csv", "-m", model,
                           "--ranks-per-node", str(each), *(["--inside", inside] if inside else []), "--gamma", f"{gamma * 1e9:g}ns", ";".join(recipes)],
                          check=True, capture_output=True, text=True).stdout
    return {row["recipe"]: float(row["simulated_s"]) for row in csv.DictReader(io.StringIO(said))}
