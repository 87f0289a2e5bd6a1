#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Output that cannot be written ends every program with 1 and a sentence: `echelon bench --help >/dev/full`
# and others ended with 0. Files of the programs in Python are whole or unchanged, and tried first.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tool=$TEST_BUILD/bin/echelon
failures=0
fail() { echo "FAILED: $1"; failures=1; }

full() { # a command that prints
    local said code=0
    said=$("$@" 2>&1 >/dev/full) || code=$?
    [ $code -eq 1 ] || fail "$*: exit code $code, not 1: $said"
    [[ $said == *"standard output cannot be written: No space left on device"* && $(wc -l <<<"$said") -eq 1 ]] || fail "$*: it says: $said"
    said=$("$@" 2>&1 >&-) && fail "$*: with standard output closed all is well"
    [[ $said == *"standard output cannot be written"* ]] || fail "$*: closed, it says: $said"
}
cat >"$folder/rule.json" <<<'{"echelon_profile": 1, "rules": [{"collective": "allreduce", "recipe": "ring"}]}'
printf 'collective,algorithm,p,bytes,seconds\nallreduce,ring,4,8,1e-5\n' >"$folder/times.csv"
full "$tool" --help
full "$tool" --version
full "$tool" catalog
full "$tool" catalog --shapes
full "$tool" settings
full "$tool" profiles
full "$tool" explain --profile "$folder/rule.json" -p 4
full "$tool" explain --profile "$folder/rule.json" -p 4 --json
full "$tool" map --profile "$folder/rule.json" -p 2..4
full "$tool" lint "$folder/rule.json"
full "$tool" lint --json "$folder/rule.json"
full "$tool" simulate -p 4 ring
full "$tool" simulate -p 64 ring
full "$tool" simulate -p 4 --csv ring
full "$tool" compare --dry-run
full env -u PYTHONUNBUFFERED "$tool" compare --dry-run
full env PYTHONUNBUFFERED=1 "$tool" compare --help
for subcommand in bench calibrate catalog cluster compare explain fit lint map plot profiles report run settings simulate; do
    full "$tool" "$subcommand" --help
done
for program in echelon-bench echelon-calibrate; do
    for word in --help --version; do full "$TEST_BUILD/bin/$program" "$word"; done
done
# Measuring programs do too. The launcher in between may print more.
LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC 2 sh -c 'exec "$@" >/dev/full' - "$TEST_BUILD/bin/echelon-bench" --collectives allreduce --bytes 8 --recipes ring --repetitions 3 \
    >"$folder/said" 2>&1 && fail "echelon-bench: a full disk behind its output is well"
grep -q MPI_Abort "$folder/said" && fail "echelon-bench aborts: $(cat "$folder/said")"
grep -q "standard output cannot be written: No space left" "$folder/said" || fail "echelon-bench says: $(cat "$folder/said")"

cd "$folder" || exit 1
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TEST_SOURCE/apps/python python3 - <<'PYTHON' || fail "files of the programs in Python"
import os, pathlib, stat
import whole_file
file = pathlib.Path("page.md")
whole_file.write(file, "first")
assert file.read_text() == "first" and stat.S_IMODE(file.stat().st_mode) & 0o400
file.chmod(0o640)
os.symlink("page.md", "link")
whole_file.write("link", b"second")
assert file.read_text() == "second" and os.path.islink("link") and stat.S_IMODE(file.stat().st_mode) == 0o640
whole_file.write("/dev/null", "gone")

# After a failure the old file stays, alone.
def refused(call, *arguments):
    try:
        call(*arguments)
    except OSError as error:
        return whole_file.sentence(error)
    raise AssertionError(arguments)
before = sorted(os.listdir())
for broken in ("write", "fsync", "rename"):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")
    real, _ = getattr(os, broken), setattr(os, broken, fail)
    try:
        assert refused(whole_file.write, "page.md", "third") == "page.md cannot be written: No space left on device", broken
    finally:
        setattr(os, broken, real)
    assert file.read_text() == "second" and sorted(os.listdir()) == before, broken
assert refused(whole_file.write, "/dev/full", "x") == "/dev/full cannot be written: No space left on device"
assert refused(whole_file.check_writable, "/proc/none/page.md").startswith("/proc/none/page.md cannot be written: ")
whole_file.check_writable("page.md")
whole_file.check_writable("folder/new.md")
assert file.read_text() == "second" and os.listdir("folder") == []
# A pipe without a reader is not waited for. Another user's link in a shared folder is not followed.
os.mkfifo("pipe")
for call, *more in ((whole_file.write, "x"), (whole_file.check_writable,)):
    assert refused(call, "pipe", *more) == "pipe cannot be written: No such device or address"
reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
whole_file.write("pipe", "read")
assert os.read(reader, 9) == b"read"
os.mkdir("shared")
os.chmod("shared", 0o1777)
os.symlink("../page.md", "shared/link")
whole_file.write("shared/link", "own")
assert file.read_text() == "own" and os.path.islink("shared/link")
if os.geteuid() == 0:
    os.lchown("shared/link", 65534, 65534)
    for call, *more in ((whole_file.write, "x"), (whole_file.check_writable,)):
        assert refused(call, "shared/link", *more).endswith("of another user, in a folder that all can write")
    assert file.read_text() == "own" and os.listdir("shared") == ["link"]
PYTHON

# Found before the work: here before the simulator is searched.
said=$("$tool" compare --clusters 1 -o /proc/none/page.md --keep "$folder/none" 2>&1) && fail "compare writes to /proc"
[[ $said == "echelon compare: /proc/none/page.md cannot be written: "* ]] || fail "compare says: $said"
# Exit code 1, from every program.
said=$("$tool" fit "$folder/times.csv" -o /proc/none/fitted.json 2>&1)
[[ $? -eq 1 && $said == "echelon: /proc/none/fitted.json cannot be written: "* ]] || fail "fit says: $said"
said=$($TEST_MPIEXEC 2 "$TEST_BUILD/bin/echelon-calibrate" -o /proc/none/profile.json 2>&1)
[[ $? -eq 1 && $said == *"echelon-calibrate: --output: /proc/none/profile.json cannot be written: No such file or directory"* ]] || fail "calibrate says: $said"
near() { # what is expected in the one sentence, words
    said=$("$tool" "${@:2}" 2>&1)
    [[ $? -eq 2 && $said == *"$1"* && $(wc -l <<<"$said") -eq 1 ]] || fail "echelon ${*:2} says: $said"
}
near "did you mean --clusters?" compare --clustrs 1
near "did you mean gige?" compare --platforms gigee
near "did you mean bcast?" compare --collectives bcst
near "did you mean mpich?" compare --against mpch
near "unexpected word 'word'" compare word
near "did you mean --output?" plot --outptu x
near "did you mean --title?" report --tilte x
exit $failures
