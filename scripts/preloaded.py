# SPDX-License-Identifier: Apache-2.0
"""Starts programs with the drop-in library in front and every collective forced to one recipe. For
mpich-suite and applications."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESET = {"mpich": "release", "openmpi": "openmpi"}
COLLECTIVES = ("allreduce", "reduce", "bcast", "barrier", "allgather", "reduce_scatter", "gather", "scatter", "alltoall", "scan", "exscan")
# FLAT is a plain algorithm of the collective, INSIDE the one inside a leader's group, SHARED its counterpart
# in shared memory. `native` inside a shape is the MPI library's own collective on our communicators.
RECIPES = {
    "leaders": "leaders(sqrt, INSIDE, FLAT)",
    "lanes": "lanes(size=2, ring, FLAT)",
    "positions": "positions(sqrt, FLAT, FLAT)",
    "three": "leaders(size=2, native, leaders(size=2, INSIDE, native))",
    "pipelined": "leaders(sqrt, INSIDE, FLAT, seg=64)",
    "shm": "shm",
    "shm_inside": "leaders(size=2, SHARED, shm)",
}
FLAT = {"allreduce": "recursive_doubling", "reduce": "binomial", "bcast": "binomial", "barrier": "dissemination", "allgather": "ring",
        "reduce_scatter": "ring", "gather": "binomial", "scatter": "binomial", "alltoall": "pairwise", "scan": "recursive_doubling",
        "exscan": "recursive_doubling"}


def served():
    """The collectives that each of RECIPES serves, from the table of shapes in docs/recipes.md; the others
    run their flat algorithm."""
    table = (ROOT / "docs" / "recipes.md").read_text().split("<!-- shapes -->")[1].split("<!-- end of shapes -->")[0]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in table.strip().splitlines()[2:]]
    by_shape = {shape: tuple(row[1] for row in rows if row[0] == shape) for shape in {row[0] for row in rows}}
    leaders = by_shape["leaders"]
    return by_shape | {"shm": COLLECTIVES, "three": leaders, "shm_inside": leaders, "pipelined": tuple(row[1] for row in rows if row[0] == "leaders" and row[3] == "yes")}


SERVED = served()


def libraries(mpi, build=None):
    """The drop-in library of an MPI, and the library that makes waiting ranks yield (MPICH's spin); built if
    missing."""
    folder = pathlib.Path(build) if build else ROOT / "build" / PRESET[mpi]
    found = {name: folder / "lib" / f"lib{name}.so" for name in ("echelon-pmpi", "yield")}
    if not all(path.exists() for path in found.values()):
        if build:
            raise SystemExit(f"{found['echelon-pmpi']} and {found['yield']} are needed; build the targets echelon_pmpi and echelon_yield")
        subprocess.run([ROOT / "scripts" / "build", PRESET[mpi], "echelon_pmpi", "echelon_yield"], check=True)
    return found["echelon-pmpi"], found["yield"] if mpi == "mpich" else None


def forced(recipe):
    """Environment variables that force a recipe of RECIPES."""
    def spelled(name):
        inside, shared = ("recursive_doubling+binomial", "shm+shm") if name in ("scan", "exscan") else ("binomial", "shm")
        return RECIPES[recipe].replace("INSIDE", inside).replace("SHARED", shared).replace("FLAT", FLAT[name])
    return {f"ECHELON_{name.upper()}": spelled(name) if name in SERVED[recipe] else FLAT[name] for name in COLLECTIVES}


class Ran:
    """Result of a program: exit code (None: stopped after its time), output, and summary."""

    def __init__(self, code, output, summary):
        self.code, self.output, self.summary = code, output, summary

    def calls(self, recipe_begins=("leaders(", "lanes(", "positions(", "shm"), collective=None):
        """Calls of rank 0 with recipes that begin with one of these words."""
        return sum(row["calls"] for one in self.summary["communicators"] for row in one["calls"]
                   if row["recipe"].startswith(recipe_begins) and collective in (None, row["collective"]))


def launch(mpi, ranks, command, preload=(), settings=None, folder=".", timeout=120, options=(), errors=True):
    """Runs a program on `ranks` ranks. `preload` is for the ranks only, `options` are the launcher's. With
    `errors`, standard error is part of the output."""
    start = ["mpiexec.mpich"] if mpi == "mpich" else ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"]
    if preload:
        libraries = ":".join(map(str, preload))
        start += ["-genv", "LD_PRELOAD", libraries] if mpi == "mpich" else ["-x", f"LD_PRELOAD={libraries}"]
    with tempfile.TemporaryDirectory() as scratch:
        summary = pathlib.Path(scratch) / "summary.json"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ECHELON_")}
        environment |= {"OMPI_MCA_btl_base_warn_component_unused": "0", "ECHELON_SUMMARY": f"json:{summary}"} | (settings or {})
        process = subprocess.Popen([*start, *options, "-n", str(ranks), *map(str, command)], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True,
                                   stderr=subprocess.STDOUT if errors else subprocess.DEVNULL)
        try:
            output, _ = process.communicate(timeout=timeout)
            code = process.returncode
        except subprocess.TimeoutExpired:
            output, code = stop(process), None
        try:
            told = json.loads(summary.read_text())
        except (OSError, ValueError):  # ended without MPI_Finalize
            told = {"communicators": []}
    return Ran(code, output.decode(errors="replace"), told)


def stop(process):
    """Ends a launcher and its ranks; a polite request comes first, because the launcher cleans up on other
    nodes."""
    process.terminate()
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]
