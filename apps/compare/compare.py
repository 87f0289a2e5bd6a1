#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`echelon compare`: Echelon beside the collectives of other MPI libraries, with the rules that SimGrid SMPI
has of them."""
import argparse
import collections
import json
import math
import pathlib
import shutil
import statistics
import sys
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "python"))

import bounds
import clusters
import page
import program
import simulations
import whole_file
from program import FAILED, WRONG_USE

PEERS = ("mpich", "openmpi", "mvapich2", "impi")
# Collectives that hang or fail in SimGrid 3.32. (Intel's bcast of 32 KB blocks fails only on several
# communicators of two ranks at once, which only calibration has.)
BROKEN = {("impi", "allreduce")}
SERVED = clusters.ALWAYS + clusters.OTHERS + clusters.NAMED


class Cell(NamedTuple):
    cluster: clusters.Cluster
    collective: str
    bytes: int
    bound: float


class Run(NamedTuple):
    """Mean seconds of a call of the library (infinite: wrong result) and of Echelon above it; an empty recipe
    means that Echelon did not run. Early: speedup in the first page.EARLY calls; late: in the last tenth of
    them."""
    native: float
    seconds: float
    recipe: str
    source: str
    early: float = math.nan
    late: float = math.nan


def run_of(native, own):
    """The Run of two rows of echelon-bench with the same calls."""
    library, ours = native["samples_s"], own["samples_s"]
    gain = lambda part: sum(library[part]) / sum(ours[part])
    return Run(statistics.mean(library) if native["correct"] else math.inf, statistics.mean(ours), own["recipe"], own["source"],
               gain(slice(page.EARLY)), gain(slice(-max(1, len(ours) // 10), None)))


class Comparison:
    def __init__(self, given, runs, networks, gamma):
        self.given, self.runs, self.networks, self.gamma = given, runs, networks, gamma
        self.calibrated, self.plain = collections.defaultdict(dict), collections.defaultdict(dict)  # cell -> library -> Run
        self.best = {}  # cell -> (seconds, recipe): the fastest of all recipes
        self.left_out, self.clusters = [], 0

    def add(self, drawn):
        """Adds a cluster, whole or not at all."""
        before = len(self.left_out)
        try:
            found = {peer: self._above(peer, drawn) for peer in self.given.against}
            best = self._best(drawn) if self.given.best else {}
        except simulations.NotRun:
            del self.left_out[before:]
            return
        self.clusters += 1
        self.best |= best
        for peer, (calibrated, plain, alone) in found.items():
            for cell, run in plain.items():
                self.plain[cell][peer] = run
            # A library above which Echelon could not be calibrated still counts as a peer.
            for cell, run in (plain | alone).items():
                self.calibrated[cell][peer] = Run(run.native, math.inf, "", "")
            for cell, run in calibrated.items():
                self.calibrated[cell][peer] = run

    def _above(self, peer, drawn):
        """Runs by cell: calibrated, with nothing set, and the library alone for cells that have neither."""
        cluster, names, sizes = drawn
        served = [name for name in names if (peer, name) not in BROKEN]
        self.left_out += [(peer, "does not end in SimGrid", cluster, name) for name in names if name not in served]
        calibrated, plain, alone = {}, {}, {}
        profile, why = self.runs.run("profile", cluster, peer, "echelon-calibrate", "--quiet", "--seconds", 0, "--collectives", ",".join(served),
                                     "--bytes", self.given.calibrated, "-o") if peer in self.given.above else (None, "")
        if why:
            self.left_out.append((peer, f"calibration: {why}", cluster, "every collective"))
        for name in served:
            if profile:
                calibrated |= self._bench("calibrated", "auto", cluster, name, sizes, peer, 1, ECHELON_PROFILE=profile.name, ECHELON_TRIALS="0")
            if peer in self.given.nothing_set:
                plain |= self._bench("nothing set", "auto", cluster, name, sizes, peer, self.given.calls, ECHELON_PROFILE="none")
            elif not profile:
                alone |= self._bench("alone", "native", cluster, name, sizes, peer, 1, ECHELON_PROFILE="none")
        return calibrated, plain, alone

    def _best(self, drawn):
        """The fastest recipe of each cell, of all that echelon-bench knows, native ones among them."""
        peer, best = self.given.above[0], {}
        for name in drawn.collectives:
            for cell, rows in self._rows("best", "all", drawn.cluster, name, drawn.sizes, peer, 1, ECHELON_PROFILE="none").items():
                if right := [(row["samples_s"][0], row["recipe"]) for row in rows if row["correct"]]:
                    best[cell] = min(right)
        return best

    def _rows(self, way, recipes, cluster, collective, sizes, peer, calls, **environment):
        """Rows of echelon-bench by cell."""
        file, why = self.runs.run(f"{way.replace(' ', '_')}-{collective}", cluster, peer, "echelon-bench", "--collectives", collective, "--bytes", ",".join(sizes),
                                  "--recipes", recipes, "--repetitions", calls, "--warm-up", 0, "--json", **environment)
        report = json.loads(file.read_text()) if file else {"finished": False, "results": []}
        if not report["finished"] and len(sizes) > 1:
            # The simulator's MVAPICH2 and Intel MPI keep their choice in variables that all ranks share: if
            # one rank goes on to another size, others may block.
            return {cell: rows for size in sizes for cell, rows in self._rows(way, recipes, cluster, collective, (size,), peer, calls, **environment).items()}
        if not report["finished"]:
            self.left_out.append((peer, f"{way}: {why or 'deadlock in the simulator'}", cluster, f"{collective} {sizes[0]}"))
        bound = lambda size: bounds.lower_bound(collective, size, bounds.ranks_of_nodes(*cluster[1:]), self.networks[cluster.platform], self.gamma)
        return {Cell(cluster, collective, size, bound(size)): [row for row in report["results"] if row["bytes"] == size]
                for size in sorted({row["bytes"] for row in report["results"]})}

    def _bench(self, way, recipes, cluster, collective, sizes, peer, calls, **environment):
        """The Run of each cell that has both the library and Echelon."""
        found = {}
        for cell, rows in self._rows(way, recipes, cluster, collective, sizes, peer, calls, **environment).items():
            native = next((row for row in rows if row["source"] == "library"), None)
            own = native if recipes == "native" else next((row for row in rows if row["source"] != "library"), None)
            if native and own and own is not native and not own["correct"]:
                self.left_out.append((peer, f"{way}: **wrong result** of `{own['recipe']}`", cluster, f"{collective} {page.size_text(cell.bytes)}"))
            elif native and own:
                found[cell] = run_of(native, own)
        return found


def say(code, sentence):
    program.say("echelon compare", code, sentence)


def seconds(text):
    number, unit = text.rstrip("nums"), text[len(text.rstrip("nums")):]
    return float(number) * bounds.UNITS[unit]


def options():
    parser = program.Parser(prog="echelon compare", usage="echelon compare [options]", formatter_class=argparse.RawDescriptionHelpFormatter, description="""Compares Echelon with the collectives of other MPI libraries, in simulation: SimGrid knows by which rules they choose their algorithms.

Clusters are drawn by a seed: a platform, ranks a node, in blocks or in turns; with each allreduce, reduce, bcast, one
other collective, and a short, a middle and a long size. More clusters of the same seed go on with those. On each, above each library,
Echelon runs twice: calibrated, trials off; and with nothing set, trials included. What is wrong, ends badly or takes too long is left out, and
said. The page holds the worst cells beside the time that no algorithm can undercut there, the table of its name (.csv) in the folder of --keep all times. Every
run is kept, and none made twice: stop it and start it as you like.""",
                                     epilog="exit codes: 0 done, 1 it failed, 2 wrong use")
    words = lambda text: tuple(text.split(","))
    add = parser.add_argument
    add("--against", type=words, default=PEERS, metavar="LIBRARIES", help=f"of {','.join(PEERS)} (all)")
    add("--above", type=words, default=(), metavar="LIBRARIES", help="calibrate above these of them alone (all): takes most of the time")
    add("--nothing-set", type=words, default=(), metavar="LIBRARIES", help="with nothing set above these of them alone (all)")
    add("--best", action="store_true", help="time all recipes of each cell, too: some hundred calls")
    add("--seed", type=int, default=1, help="what is drawn (1)")
    add("--clusters", type=int, default=6, metavar="N", help="how many of the drawn clusters (6)")
    add("--all", action="store_true", help="all of them")
    add("--ranks", type=words, default=("48", "64", "96"), metavar="LIST", help="numbers of ranks to draw from (48,64,96)")
    add("--platforms", type=words, default=tuple(clusters.PLATFORMS), metavar="LIST", help=f"platforms to draw from ({','.join(clusters.PLATFORMS)})")
    add("--collectives", type=words, default=(), metavar="LIST", help="these, in place of drawn ones")
    add("--bytes", type=words, default=(), metavar="LIST", help="these sizes, in place of drawn ones: 8,64K,1M")
    add("--calibrated", default="8,2K,32K,512K", metavar="LIST", help="sizes at which each cluster is calibrated (8,2K,32K,512K)")
    add("--calls", type=int, default=100, metavar="N", help="with nothing set: calls of each size (100)")
    add("--gamma", default="0.3ns", metavar="TIME", help="to combine a byte (0.3ns)")
    add("--costs", choices=("measured", "none"), default="measured", help="processor time of messages: as the platform says, or none (measured)")
    add("--minutes", type=float, default=60, help="no run begins after them (60)")
    add("--limit", type=float, default=900, metavar="SECONDS", help="of one run (900)")
    add("--keep", type=pathlib.Path, default=pathlib.Path("compared"), metavar="FOLDER", help="where runs are kept (compared)")
    add("--kept", action="store_true", help="make a page of what is kept, and run nothing")
    add("--programs", type=pathlib.Path, metavar="FOLDER", help="echelon-bench and echelon-calibrate, built for SimGrid (build/smpi/bin of this checkout)")
    add("--dry-run", action="store_true", help="say what is drawn")
    add("-o", "--output", type=pathlib.Path, default=pathlib.Path("peers.md"), metavar="FILE", help="the page (peers.md); words above its mark stay")
    return parser


def checked(parser, arguments):
    given = parser.parse_args(arguments)
    def each_of(option, some, all_of_them):
        for one in some:
            if one not in all_of_them:
                parser.error(f"--{option}: '{one}' is none of {', '.join(all_of_them)}{program.did_you_mean(one, all_of_them)}")
    known_as = lambda some: tuple(dict.fromkeys("openmpi" if one == "ompi" else one for one in some))
    given.against = known_as(given.against)
    each_of("against", given.against, PEERS)
    for option in ("above", "nothing_set"):
        setattr(given, option, known_as(getattr(given, option)) or given.against)
        each_of(option.replace("_", "-"), getattr(given, option), given.against)
    each_of("platforms", given.platforms, tuple(clusters.PLATFORMS))
    each_of("collectives", given.collectives, SERVED)
    for one in given.ranks:
        if not one.isdigit() or int(one) < 2:
            parser.error(f"--ranks: '{one}' is no number of 2 or more")
    for option, least in (("clusters", 1), ("calls", 1), ("minutes", 0), ("limit", 1)):
        if getattr(given, option) < least:
            parser.error(f"--{option}: it must be {least} or more")
    try:
        given.seconds = seconds(given.gamma)
    except (ValueError, KeyError):
        parser.error(f"--gamma: '{given.gamma}' is no time such as 0.3ns")
    return given


def needed(programs, tool):
    """The folder of programs that run in SimGrid; ends with a sentence if there is none."""
    if not shutil.which("smpirun"):
        say(WRONG_USE, "needs SimGrid, whose smpirun is not here (Debian: libsimgrid-dev); --kept makes a page of runs that are kept")
    place = programs or tool.parent.parent.parent / "smpi/bin"
    for name in ("echelon-bench", "echelon-calibrate"):
        if not (place / name).exists():
            say(WRONG_USE, f"there is no {name} in {programs}" if programs else
                f"needs {name} built for SimGrid: scripts/build smpi echelon-bench echelon-calibrate, in a checkout, whose build/smpi/bin --programs may name")
    return place.resolve()


def main():
    # `echelon` calls: compare.py TOOL ARGUMENTS...
    tool = pathlib.Path(sys.argv[1])
    given = checked(options(), sys.argv[2:])
    places = (tool.parent.parent / "share/echelon/platforms", tool.parent.parent.parent.parent / "bench/platforms")
    platforms = next((place for place in places if place.is_dir()), None)
    if not platforms:
        say(WRONG_USE, "the platforms are not here; build or install Echelon whole")
    networks = {name: bounds.read_network((platforms / f"{name}.xml").read_text()) for name in given.platforms}
    drawn = clusters.draw(given.seed, [int(one) for one in given.ranks], networks, given.collectives, given.bytes)
    if not drawn:
        say(WRONG_USE, f"no cluster of {', '.join(given.platforms)} has {' or '.join(given.ranks)} ranks on more nodes than one")
    wanted = drawn if given.all else drawn[:given.clusters]
    if given.dry_run:
        for one in wanted:
            print(f"{one.cluster.words()}: {', '.join(one.collectives)} of {', '.join(one.sizes)}")
        return
    try:
        for file in (given.output, page.table_of(given)):
            whole_file.check_writable(file)
        programs = None if given.kept else needed(given.programs, tool)
        runs = simulations.Simulations(tool, programs, given.keep, given.minutes, given.limit, given.gamma, given.costs)
        found = Comparison(given, runs, networks, given.seconds)
        for one in wanted:
            found.add(one)
        if not page.cells_of(found) and not found.plain:
            say(FAILED, "there is no cell that ran" + (f" on {len(wanted)} clusters within {given.minutes:g} minutes" if programs else f" in {given.keep}"))
        page.write(given, found, len(drawn), runs.built()["build"], sys.argv[2:])
        print(given.output)
    except simulations.Wrong as error:
        say(WRONG_USE, str(error))
    except OSError as error:
        if error.filename is None:
            raise  # standard output failed
        say(FAILED, whole_file.sentence(error))


if __name__ == "__main__":
    program.run("echelon compare", main)
