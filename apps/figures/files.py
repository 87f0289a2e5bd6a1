# SPDX-License-Identifier: Apache-2.0
"""Reads the files of Echelon's programs: results and regret of echelon-bench, maps of `echelon map`, tables
of `echelon compare`, profiles, summaries, traces."""
import contextlib
import csv
import json
import pathlib


def mpi_text(mpi):
    """Name and version."""
    return mpi.strip().split("\n")[0].split(" Copyright")[0].split(", package")[0].replace("Version: ", "").rstrip(".")[:40]


class Wrong(Exception):
    """Wrong use: a sentence."""


class Results:
    """Results of echelon-bench: dictionaries with collective, bytes, ranks, recipe, source, median_s, low_s,
    high_s, speedup."""
    def __init__(self, name, rows, machine):
        self.name, self.rows, self.machine = name, rows, machine
        self.kind = "simulated" if machine.get("simulated") else "measured"

    def where(self):
        machine = self.machine
        parts = [f"{machine['ranks']} ranks on {machine['nodes']} node{'s' * (machine['nodes'] != 1)}" if "nodes" in machine else "",
                 machine.get("processor", ""), mpi_text(machine.get("mpi", "")), machine.get("date", ""),
                 "more ranks than processors" if machine.get("crowded") else ""]
        return ", ".join(part for part in parts if part)


class Regret(Results):
    """Cells with part, ranks, collective, bytes, chosen, best, regret, against_native."""


class Map:
    """Rows of `echelon map`."""
    def __init__(self, name, rows):
        self.name, self.rows, self.kind = name, rows, "predicted"


class Comparison:
    """Table of `echelon compare`; wrong or missing times are infinite: setting, platform, ranks, each, order,
    collective, bytes, bound_s, library, native_s, echelon_s."""
    def __init__(self, name, rows):
        self.name, self.rows, self.kind = name, rows, "simulated"


class Profile:
    def __init__(self, name, data):
        self.name, self.data = name, data
        mpi = data.get("fingerprint", {}).get("mpi", "")
        self.kind = "simulated" if "smpi" in mpi.lower() else "measured"

    def where(self):
        mark = self.data.get("fingerprint", {})
        return ", ".join(part for part in (mark.get("processor", ""), mpi_text(mark.get("mpi", "")), f"profile {pathlib.Path(self.name).name}") if part)


class Summary:
    def __init__(self, name, data):
        self.name, self.data = name, data
        self.kind = "simulated" if "smpi" in data["mpi"].lower() else "measured"

    def where(self):
        data = self.data
        nodes = f" on {data['nodes']} node{'s' * (data['nodes'] != 1)}" if data["nodes"] else ""
        return f"{data['ranks']} ranks{nodes}, {data['host']}, {mpi_text(data['mpi'])}, {data['began']}"


class Trace:
    """Bars of ECHELON_TRACE or echelon simulate --trace: rank, row, name, begin and end in seconds, and
    further values."""
    def __init__(self, name, data):
        self.name, self.title = name, data.get("otherData", {}).get("title", "")
        self.kind = "measured" if "measured" in self.title else "simulated"
        self.bars = [(one["pid"], one["tid"], one["name"], one["ts"] / 1e6, (one["ts"] + one["dur"]) / 1e6, one.get("args", {}))
                     for one in data["traceEvents"] if one["ph"] == "X"]


def _check_numbers(file, rows):
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise Wrong(f"{file}, line {line}: {'more' if None in row else 'fewer'} fields than names in line 1")
        for name, value in row.items():
            if name and (name.endswith("_s") and name != "samples_s" or name in ("bytes", "ranks", "p", "groups", "each")):
                try:
                    float(value or 0)
                except ValueError:
                    raise Wrong(f"{file}, line {line}, {name}: '{value}' is no number") from None


def _numbers(row, names):
    return row | {name: float(row[name]) for name in names if row.get(name)}


def _from_csv(file, text):
    rows = list(csv.DictReader(text.splitlines()))
    columns = set(rows[0]) if rows else set()
    _check_numbers(file, rows)
    if {"chosen", "expected_s", "native_s", "p"} <= columns:
        return Map(str(file), [row | {name: float(row[name] or 0) for name in ("expected_s", "native_s", "fastest_s")} | {"p": int(row["p"]), "bytes": int(row["bytes"]), "groups": int(row["groups"])}
                               for row in rows])
    if {"bound_s", "library", "native_s", "echelon_s"} <= columns:
        return Comparison(str(file), [row | {name: float(row[name] or "inf") for name in ("bound_s", "native_s", "echelon_s")} | {name: int(row[name]) for name in ("ranks", "each", "bytes")} for row in rows])
    if {"simulated_s", "recipe", "collective"} <= columns:
        rows = [row | {"bytes": int(row["bytes"]), "ranks": int(row["ranks"]), "source": "hint"} |
                {name: float(row["simulated_s"]) for name in ("median_s", "low_s", "high_s")} for row in rows]
        return Results(str(file), rows, {"mpi": f"model {rows[0]['model']}", "simulated": True})
    if {"median_s", "recipe", "collective"} <= columns:
        rows = [_numbers(row, [name for name in row if name.endswith("_s") and name != "samples_s"] + ["speedup", "speedup_low", "speedup_high"]) |
                {"bytes": int(row["bytes"]), "ranks": int(row["ranks"])} for row in rows]
        return Results(str(file), rows, {"ranks": rows[0]["ranks"], "simulated": rows[0].get("simulated") == "true"})
    raise Wrong(f"{file} is a table of something else: expected one of echelon-bench --csv, echelon simulate --csv, echelon map or echelon compare")


def read(file):
    try:
        text = pathlib.Path(file).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    if not text.strip():
        raise Wrong(f"{file} is empty")
    if not text.lstrip().startswith("{"):
        return _from_csv(file, text)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise Wrong(f"{file} is no JSON: {error}") from None
    with whole(file):
        return _from_json(file, data)


@contextlib.contextmanager
def whole(file):
    """Reads or draws a file. Wrong: it lacks something that Echelon's programs write, or holds other values."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else "a value is of another kind"
        raise Wrong(f"{file} is damaged, or of another version of Echelon: {why}") from error


def _from_json(file, data):
    if "summary" in data and "totals" in data:
        return Summary(str(file), data)
    if "traceEvents" in data:
        return Trace(str(file), data)
    if "echelon_profile" in data:
        return Profile(str(file), data)
    if "regret" in data:
        return Regret(str(file), data["regret"]["cells"], data["machine"])
    if "results" in data and "machine" in data:
        if not data["results"]:
            raise Wrong(f"{file} has no results yet")
        return Results(str(file), data["results"], data["machine"])
    raise Wrong(f"{file} is none of: results of echelon-bench, a map, a profile, a summary (ECHELON_SUMMARY=json), a trace")
