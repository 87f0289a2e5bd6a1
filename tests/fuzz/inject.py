# SPDX-License-Identifier: Apache-2.0
"""Deliberate errors in the library, one of each class, to see that the tester finds them, and how soon."""
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Class: (description, file, original line, line with the error). The line appears once in the file.
ERRORS = {
    "dense_map": ("a type without gaps travels in the order of memory", "src/mpi/element.cpp",
                  "element.plain = run_of(type).has_value();", "element.plain = true;"),
    "local_decision": ("one rank decides by itself whether ranks agree now", "src/tuner/plan_for.cpp",
                       "const bool together = asked.synchronises(tuner.size()) || tuner.may_wait();",
                       "const bool together = (asked.synchronises(tuner.size()) && tuner.rank() != 1) || tuner.may_wait();"),
    "element_order": ("operands that do not commute are combined in the wrong order", "src/mpi/memory.cpp",
                      "if (combination_.commutative || side == Side::before) {",
                      "if (combination_.commutative || side != Side::before) {"),
    "lost_message": ("some messages are not sent", "src/mpi/mpi_link.cpp",
                     "call(memory_.readable(what), counted.count(), counted.type(), route_.in_comm(to),",
                     "call(memory_.readable(what), counted.count(), counted.type(), what.count % 8 == 5 ? MPI_PROC_NULL : route_.in_comm(to),"),
    "off_by_one": ("the last element of a block is not copied", "src/mpi/memory.cpp",
                   "std::memcpy(into, from, items * Bytes(extent));", "std::memcpy(into, from, (items - 1) * Bytes(extent));"),
    "guard": ("a copy writes one byte behind its end", "src/mpi/memory.cpp",
              "std::memcpy(into, from, items * Bytes(extent));", "std::memcpy(into, from, items * Bytes(extent) + 1);"),
    "synchronisation": ("a broadcast waits for all ranks", "src/front/front_door.cpp",
                        "const PlanKey key = bytes_key(call.collective, items.bytes(), call.root);",
                        "PMPI_Barrier(call.comm);\n    const PlanKey key = bytes_key(call.collective, items.bytes(), call.root);"),
}


def check():
    """Names of errors whose line is missing."""
    return [name for name, (_, file, line, _) in ERRORS.items() if (ROOT / file).read_text().count(line) != 1]


def build(tree, log):
    for command in (["cmake", "--preset", "release"], ["cmake", "--build", "--preset", "release", "--target", "fuzz", "echelon_pmpi", "echelon_yield", "-j", "2"]):
        subprocess.run(command, cwd=tree, check=True, stdout=log, stderr=log)


def main(options):
    if stale := check():
        print("These lines are no longer in the sources: " + ", ".join(stale))
        return 1
    if options.inject == "list":
        print("\n".join(f"{name:16} {ERRORS[name][0]}" for name in ERRORS))
        return 0
    names = list(ERRORS) if options.inject == "all" else [options.inject]
    if not set(names) <= set(ERRORS):
        print(f"There is no error '{options.inject}'; known are {', '.join(ERRORS)}")
        return 2
    tree = ROOT / "build" / "injected"
    shutil.copytree(ROOT, tree, dirs_exist_ok=True, ignore=lambda folder, _: ("build", ".git") if folder == str(ROOT) else ())
    missed = 0
    with open(tree.parent / "injected.log", "w") as log:
        build(tree, log)
        for name in names:
            _, file, line, wrong = ERRORS[name]
            text = (ROOT / file).read_text()
            (tree / file).write_text(text.replace(line, wrong))
            build(tree, log)
            command = [ROOT / "scripts" / "fuzz", "--build", tree / "build" / "release", "--minutes", "1", "--no-shrink", "--patience", "10"]
            command += ["--ranks", str(options.ranks)] if options.ranks else []
            begin = time.monotonic()
            ran = subprocess.run(command, text=True, stdout=subprocess.PIPE)
            found = [text for text in ran.stdout.splitlines() if "FOUND" in text or "DIFFERS" in text][:2]
            print(f"{name}: {f'found after {time.monotonic() - begin:.0f} s' if ran.returncode == 1 else 'NOT FOUND'}; " +
                  ran.stdout.strip().splitlines()[-1].split(",")[0] + "; " + " | ".join(found), flush=True)
            missed += ran.returncode != 1
            shutil.copy(ROOT / file, tree / file)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(0 if not check() else 1)
