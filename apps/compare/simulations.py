# SPDX-License-Identifier: Apache-2.0
"""Runs of the simulator, each made once and kept in a folder."""
import hashlib
import json
import os
import signal
import subprocess
import time

import whole_file
from checkout import commit_of


class NotRun(Exception):
    """The time is over, or only kept runs count."""


class Wrong(Exception):
    """Wrong use: a sentence."""


class Simulations:
    """Runs of one build. `programs`: the folder of echelon-bench and echelon-calibrate, built for SimGrid;
    None: only kept runs count. A folder of kept runs belongs to one build."""

    def __init__(self, tool, programs, folder, minutes, limit, gamma, costs):
        self.tool, self.programs, self.folder, self.limit, self.gamma, self.costs = tool, programs, folder, limit, gamma, costs
        self.began, self.ends = time.monotonic(), time.monotonic() + 60 * minutes
        self.of = folder / "build.json"
        if programs:
            marks = {name: hashlib.sha1((programs / name).read_bytes()).hexdigest() for name in ("echelon-bench", "echelon-calibrate")}
            if not self.of.exists():
                folder.mkdir(parents=True, exist_ok=True)
                whole_file.write(self.of, json.dumps({"programs": marks, "build": commit_of(programs)}, indent=2) + "\n")
            elif self.built()["programs"] != marks:
                raise Wrong(f"{folder} holds runs of another build ({self.built()['build'] or 'no commit'}): give another --keep, or --kept for a page of these")
        elif not self.of.exists():
            raise Wrong(f"{folder} holds no runs")

    def built(self):
        return json.loads(self.of.read_text())

    def file_of(self, name, cluster, peer, words, environment):
        mark = hashlib.sha1("\n".join([self.gamma, self.costs, *words, *(f"{key}={value}" for key, value in sorted(environment.items()))]).encode()).hexdigest()[:8]
        return self.folder / f"{cluster.platform}-{cluster.ranks}x{cluster.each}-{cluster.order}-{peer}-{name}-{mark}.json"

    def run(self, name, cluster, peer, program, *words, **environment):
        """The file that the program wrote, or None and the reason. A profile is named by its file. Throws
        NotRun."""
        words = [program, *map(str, words)]
        file = self.file_of(name, cluster, peer, words, environment)
        failure = file.with_suffix(".failed")
        if not file.exists() and not failure.exists():
            if not self.programs or time.monotonic() > self.ends:
                raise NotRun
            print(f"{(time.monotonic() - self.began) / 60:.1f} min: {file.stem}", flush=True)
            self._simulate(file, failure, cluster, peer, words, environment)
        return (file, "") if file.exists() else (None, failure.read_text())

    def _simulate(self, file, failure, cluster, peer, words, environment):
        part = file.with_suffix(".part")
        part.unlink(missing_ok=True)
        command = [self.tool, "simulate", "--platform", cluster.platform, "--each", cluster.each, "-n", cluster.ranks, "--map", cluster.order,
                   "--gamma", self.gamma, "--costs", self.costs, "--native", peer, "--", self.programs / words[0], *words[1:], part]
        given = {key: value for key, value in os.environ.items() if not key.startswith("ECHELON_")} | environment
        if "ECHELON_PROFILE" in environment and environment["ECHELON_PROFILE"] != "none":
            given["ECHELON_PROFILE"] = str(self.folder.resolve() / environment["ECHELON_PROFILE"])
        child = subprocess.Popen(list(map(str, command)), env=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            said, _ = child.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            whole_file.write(failure, f"not done in {self.limit:.0f} s")
            return
        finally:  # the simulator is a grandchild
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        if child.returncode == 2:
            raise Wrong(said.strip().splitlines()[-1] if said.strip() else "a program was used wrongly")
        # Results, even wrong ones, tell if they are complete; a profile does not, and the simulator's exit
        # code is no evidence.
        if part.exists() and ("Deadlock" not in said or "finished" in json.loads(part.read_text())):
            part.rename(file)
        else:
            whole_file.write(failure, "deadlock in the simulator" if "Deadlock" in said else next((line for line in reversed(said.splitlines()) if ("CRITICAL" in line or "echelon" in line) and "--cfg=" not in line), "it ended without a word"))
