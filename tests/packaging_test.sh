#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The files for packagers match the installation: each installed file belongs to one Debian package, and each
# line of their lists to some file; the Spack recipe is a class that Python reads, and sets existing options;
# the container's RUN lines call existing programs. scripts/package builds the packages and tries them in a
# clean root.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$TEST_BUILD" --prefix "$folder/usr" >"$folder/log" || { cat "$folder/log"; exit 1; }
python3 - "$TEST_SOURCE" "$folder" "$TEST_MPI" <<'PYTHON'
import ast, pathlib, re, sys

source, installed, mpi = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
packaging = source / "scripts" / "packaging"
wrong = []

lists = {file.stem: file.read_text().split() for file in (packaging / "debian").glob("*.install")}
described = re.findall(r"^Package: (\S+)", (packaging / "debian" / "control").read_text(), re.M)
if sorted(lists) != sorted(described) or not all(f"{name}-{mpi}{end}" in lists for name, end in [("echelon", ""), ("libechelon", "0.1"), ("libechelon", "-dev")]):
    wrong.append(f"packages {described}, but lists of files for {sorted(lists)}")
used = set()
files = [f for f in installed.rglob("*") if not f.is_dir() and f.name != "log"]
for file in files:
    # Debian's libraries are in a folder of their architecture.
    path = pathlib.PurePath(str(file.relative_to(installed)).replace("usr/lib/", "usr/lib/any/"))
    owners = [(name, line) for name, lines in lists.items() for line in lines if any(p.match(line) for p in [path, *path.parents])]
    used.update(owners)
    if len(owners) != 1:
        wrong.append(f"{path} belongs to {owners or 'no package'}")
for name, lines in lists.items():
    if mpi in name or not re.search("mpich|openmpi", name):
        wrong += [f"{name}: nothing is installed as {line}" for line in lines if (name, line) not in used]
if len(files) < 50:
    wrong.append(f"only {len(files)} files are installed")

options = set(re.findall(r"^option\((\w+)", (source / "CMakeLists.txt").read_text(), re.M)) | {"MPI_CXX_COMPILER"}
recipe = ast.parse((packaging / "spack/packages/echelon/package.py").read_text())
(package,) = [node for node in recipe.body if isinstance(node, ast.ClassDef)]
calls = [node for node in ast.walk(package) if isinstance(node, ast.Call)]
called = lambda name: [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", None)) == name]
variants = {call.args[0].value for call in called("variant")}
for call in called("define_from_variant"):
    if call.args[0].value not in options or call.args[1].value not in variants:
        wrong.append(f"Spack: {ast.unparse(call)}: no such option or variant")
for call in called("define"):
    if call.args[0].value not in options:
        wrong.append(f"Spack: {ast.unparse(call)}: no such option")
if package.name != "Echelon" or len(called("define_from_variant")) < 2 or not called("depends_on"):
    wrong.append("Spack: the recipe is none")

container = re.sub(r"\\\n", " ", (packaging / "Containerfile").read_text())
steps = [line.split(None, 1) for line in container.splitlines() if line and not line.startswith("#")]
for word, rest in steps:
    if word not in ("ARG", "FROM", "RUN", "COPY", "ENV", "ENTRYPOINT"):
        wrong.append(f"Containerfile: what is {word}?")
ours = re.findall(r"/echelon/(scripts/\S+)", container)
wrong += [f"Containerfile: there is no {script}" for script in ours if not (source / script).is_file()]
if not ours or "/opt/echelon" not in container:
    wrong.append("Containerfile: it does not install")
# There is one list of build requirements.
debian = set(re.search(r"Build-Depends: (.*?)\n\n", (packaging / "debian" / "control").read_text(), re.S)[1].replace("\n", " ").split(", "))
setup = (source / "scripts" / "setup").read_text().split()
tested = {one.split()[0] for one in debian if "<!nocheck>" in one}
for name in {re.sub(r" ?[(<].*", "", one).strip() for one in debian} - {"debhelper-compat"}:
    if name not in container and name not in tested:
        wrong.append(f"Containerfile: it does not install {name}, which packages are built with")
    if name not in setup + ["mpich", "openmpi-bin"]:
        wrong.append(f"scripts/setup does not know {name}, which packages are built with")
print("\n".join("FAILED: " + one for one in wrong) or f"{len(files)} files in their packages")
sys.exit(bool(wrong))
PYTHON
