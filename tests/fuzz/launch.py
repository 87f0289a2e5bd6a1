# SPDX-License-Identifier: Apache-2.0
"""One watched start of bin/fuzz on some ranks: its end, and the place of each rank."""
import dataclasses
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import threading
import time

DOING = ("", "in the call through Echelon", "in the library's own call", "at its end")


@dataclasses.dataclass
class Ended:
    """kind: fine, differs, crashes, hangs, or broken (the tester itself)."""
    kind: str
    output: str
    ranks: list  # (program, step, repetition, activity) of each rank

    def where(self):
        """The steps at which ranks are, the first one first."""
        return sorted({(program, step) for program, step, _, doing in self.ranks if doing != 3})

    def places(self):
        return [f"rank {rank} is at step {program}.{step}, repetition {repetition} {DOING[doing]}"
                for rank, (program, step, repetition, doing) in enumerate(self.ranks)]


@dataclasses.dataclass
class Launcher:
    """Common to all starts."""
    mpi: str
    program: pathlib.Path
    preload: list
    patience: float = 60  # seconds without a step of any rank; grows with the longest step seen
    environment: dict = dataclasses.field(default_factory=dict)
    longest: float = 0

    def command(self, ranks, arguments, progress=None):
        start = ["mpiexec.mpich"] if self.mpi == "mpich" else [
            "mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
        if self.preload:
            libraries = ":".join(map(str, self.preload))
            start += ["-genv", "LD_PRELOAD", libraries] if self.mpi == "mpich" else ["-x", f"LD_PRELOAD={libraries}"]
        for name, value in self.environment.items():
            start += ["-genv", name, value] if self.mpi == "mpich" else ["-x", f"{name}={value}"]
        watched = ["--progress", str(progress)] if progress else []
        return [*start, "-n", str(ranks), str(self.program), *map(str, arguments), *watched]

    def run(self, ranks, arguments):
        with tempfile.NamedTemporaryFile(prefix="fuzz-") as progress:
            progress.write(bytes(4096))
            progress.flush()
            environment = {name: value for name, value in os.environ.items() if not name.startswith("ECHELON_")}
            environment["OMPI_MCA_btl_base_warn_component_unused"] = "0"
            process = subprocess.Popen(self.command(ranks, arguments, progress.name), env=environment, start_new_session=True,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            pieces = []
            reader = threading.Thread(target=lambda: pieces.append(process.stdout.read()), daemon=True)
            reader.start()
            try:
                hangs = not self.watch(process, progress.name, ranks)
            finally:  # even if this program is ended: ranks that wait for each other would stay
                if process.poll() is None:
                    stop(process)
            process.wait()
            reader.join(10)
            records = read(progress.name, ranks)
        output = b"".join(pieces).decode(errors="replace")
        if "DIFFERS" in output:
            kind = "differs"
        elif hangs:
            kind = "hangs"
        elif process.returncode == 0:
            kind = "fine"
        else:
            kind = "broken" if "fuzz: " in output else "crashes"
        return Ended(kind, output, [record[1:5] for record in records])

    def watch(self, process, file, ranks):
        """Returns True when the process has ended, False if nothing has moved for too long."""
        beats, since = 0, time.monotonic()
        while True:
            try:
                process.wait(0.02)
                return True
            except subprocess.TimeoutExpired:
                pass
            now, before = time.monotonic(), beats
            beats = sum(record[0] for record in read(file, ranks))
            if beats != before:
                if before > 0:
                    self.longest = max(self.longest, now - since)
                since = now
            elif now - since > max(self.patience, 10 * self.longest):
                return False


def read(file, ranks):
    data = pathlib.Path(file).read_bytes()
    return [struct.unpack_from("8q", data, 64 * rank) for rank in range(ranks)]


def stop(process):
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
