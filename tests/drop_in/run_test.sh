#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `echelon run` from the user's point of view: it finds the library, its settings reach the ranks and no other
# process, and an impossible command is refused with a sentence.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"
export LD_PRELOAD=
[ "$TEST_MPI" = mpich ] && export LD_PRELOAD=$TEST_YIELD
tool=$TEST_BUILD/bin/echelon
read -ra launch <<<"$tool run"
read -ra mpiexec <<<"$TEST_MPIEXEC"
other=$([ "$TEST_MPI" = mpich ] && echo openmpi || echo mpich)
other_mpiexec=("mpiexec.$other")
[ "$other" = openmpi ] && other_mpiexec+=(--allow-run-as-root --oversubscribe)

cd "$folder" || exit 1
expect() { [[ "$2" == *"$3"* ]] || fail "$1: expected '$3' in: $2"; }
refused() {  # what is expected in the sentence, arguments
    local sentence code=0
    sentence=$("$tool" run "${@:2}" 2>&1 >/dev/null) || code=$?
    [ $code -eq 2 ] || fail "echelon run ${*:2}: exit code $code, not 2: $sentence"
    expect "echelon run ${*:2}" "$sentence" "$1"
    [ "$(wc -l <<<"$sentence")" -eq 1 ] || fail "echelon run ${*:2}: more than a sentence: $sentence"
}

"mpicc.$TEST_MPI" "$here/sum.c" -o app || exit 1
"mpicc.$other" "$here/sum.c" -o other_app || exit 1
gcc -x c -o plain - <<<'int main(void) { return 0; }' || exit 1
gcc -static -x c -o static - <<<'int main(void) { return 0; }' || exit 1

# It runs with the settings of options and of the environment, and its exit code is the launcher's.
text=$(ECHELON_GROUPS=G=2 "${launch[@]}" --allreduce 'leaders(G=2, binomial, ring)' --summary=json:s.json -- "${mpiexec[@]}" 3 ./app 5) || fail "it does not run: $text"
[ "$text" = "sum 3, ECHELON_GROUPS=G=2, argument 5" ] || fail "the program prints: $text"
[ "$(count s.json allreduce 'leaders(G=2, binomial, ring)')" -eq 1 ] || fail "not the recipe that was asked for: $(cat s.json)"
code=0
"${launch[@]}" -- "${mpiexec[@]}" 2 ./app 5 7 >output 2>&1 || code=$?
[ $code -eq 7 ] || fail "exit code $code of a program that ends with 7: $(cat output)"
text=$("${launch[@]}" --mode off -- ./app 1) || fail "one rank without mpiexec: $text"
expect "one rank" "$text" "sum 1,"
# Without --, if the command begins with no option; a launcher that only this site knows; ranks that yield.
text=$("${launch[@]}" --summary=json:s.json --allreduce ring "${mpiexec[@]}" 2 ./app 5) || fail "without -- it does not run: $text"
[ "$(count s.json allreduce ring)" -eq 1 ] || fail "without --: not the recipe that was asked for"
expect "flux" "$("$tool" run --dry-run --reduce ring flux run -n 2 ./app)" "flux run -n 2 sh -c "
printf '#!/bin/sh\nexec "$@"\n' >begin && chmod +x begin
expect "a named launcher" "$("$tool" run --dry-run --launcher start --launcher begin ./begin ./app 5)" "./begin sh -c "
expect "settings in parts" "$("$tool" run --dry-run --trace t.json,bytes=4K- --place=site=a -- ./app)" " ECHELON_PLACE=site=a ECHELON_TRACE=t.json,bytes=4K- ./app"
yielding=$([ "$TEST_MPI" = mpich ] && echo "$library:$TEST_BUILD/lib/libyield.so" || echo OMPI_MCA_mpi_yield_when_idle=1)
expect "yielding" "$("$tool" run --dry-run --yield -- "${mpiexec[@]}" 8 ./app)" "$yielding"
# Parts of one command, and a program that starts another.
text=$("${launch[@]}" --summary=json:s.json --allreduce ring -- "${mpiexec[@]}" 1 ./app 5 : -n 2 env A=1 ./app 5) || fail "two parts do not run: $text"
expect "two parts" "$text" "sum 3,"
[ "$(count s.json allreduce ring)" -eq 1 ] || fail "two parts: not the recipe that was asked for"
# The ranks are preloaded and the launcher is not; the user's own preloads come behind.
text=$(LD_PRELOAD=libm.so.6 "$tool" run --dry-run --reduce ring -- mpiexec."$TEST_MPI" -n 2 ./app)
expect "dry run" "$text" " $library env LD_PRELOAD=$library:libm.so.6 ECHELON_REDUCE=ring ./app"
expect "dry run" "$text" "starts   mpiexec.$TEST_MPI -n 2 sh -c "
expect "dry run" "$text" "library  $library"
# Ranks on a host without the library ran without it, and the others' start-up messages met their calls. The
# launcher plays the part of this host.
printf '#!/bin/bash\nwords=("${@//libechelon-pmpi.so/elsewhere.so}")\nexec "${words[@]:2}"\n' >mpiexec
chmod +x mpiexec
code=0
text=$("${launch[@]}" -- ./mpiexec -n 2 ./app 5 2>&1) || code=$?
[ $code -eq 2 ] || fail "a host without the library: exit code $code: $text"
expect "a host without the library" "$text" "echelon run: $(uname -n) has no $(dirname "$library")/elsewhere.so, which all ranks need; install it there too"
# A program that is linked with the library needs no preload.
"mpicc.$TEST_MPI" "$here/sum.c" -Wl,--no-as-needed "$library" -Wl,-rpath,"$(dirname "$library")" -o linked || exit 1
expect "linked" "$("$tool" run --dry-run -- ./linked)" "library  linked already"

# The MPI of a Python is that of its mpi4py.
if [ -n "$(python_with_mpi)" ]; then
    python=$(python_with_mpi)
    printf '#!%s\nfrom mpi4py import MPI\nprint(MPI.COMM_WORLD.allreduce(1))\n' "$python" >script.py
    chmod +x script.py
    for command in "$python script.py" ./script.py; do
        # shellcheck disable=SC2086
        text=$("${launch[@]}" --summary=json:s.json --allreduce ring -- "${mpiexec[@]}" 2 $command) || fail "$command does not run"
        [ "${text//[^0-9]/}" = 22 ] || fail "$command prints $text"
    done
    expect "python" "$("$tool" run --dry-run -- "$python" script.py)" "the module mpi4py of $python"
fi
# Wheels of mpi4py have a module for each MPI and choose at load time; two modules were taken for one program
# with two MPIs.
mkdir -p wheel/mpi4py
for mpi in mpich openmpi; do
    "mpicc.$mpi" -shared -fPIC -x c -o "wheel/mpi4py/MPI.$mpi.so" - <<<'#include <mpi.h>
int started(void) { int flag; return MPI_Initialized(&flag), flag; }' || exit 1
done
cat >wheel/mpi4py/__init__.py <<'PYTHON'
import importlib.util, os, sys
class Finder:
    @staticmethod
    def find_spec(name, path, target=None):
        if name != "mpi4py.MPI": return None
        mpi = os.environ.get("MPI4PY_MPIABI") or os.environ["LOADED"]
        if mpi == "nothing": raise RuntimeError("cannot load\nan MPI library")
        return importlib.util.spec_from_file_location(name, f"{path[0]}/MPI.{mpi}.so") if mpi in ("mpich", "openmpi") else None
sys.meta_path.append(Finder)
PYTHON
run_by_wheel() { PYTHONPATH=$folder/wheel "$tool" run --dry-run -- "${@:-python3}" script.py; }
expect "a wheel, by its variable" "$(MPI4PY_MPIABI=$TEST_MPI LOADED=$other run_by_wheel)" "library  $library"
expect "a wheel, by the launcher" "$(LOADED=$other run_by_wheel "mpiexec.$TEST_MPI" -n 2 python3)" "library  $library"
expect "a wheel, by what it loads" "$(LOADED=$TEST_MPI run_by_wheel)" "library  $library"
expect "a wheel without an MPI" "$(LOADED=nothing run_by_wheel 2>&1)" "python3 cannot be loaded: cannot load an MPI library"
expect "a wheel for another MPI" "$(MPI4PY_MPIABI=lam run_by_wheel 2>&1)" "it has none for this MPI"
expect "a wheel of the other launcher's" "$(MPI4PY_MPIABI=$other run_by_wheel "mpiexec.$TEST_MPI" -n 2 python3 2>&1)" "is the launcher of"
# A shell script does not show its MPI, but --mpi names it.
printf '#!/bin/sh\nexec ./app 5\n' >script.sh
chmod +x script.sh
refused "script.sh is a script of /bin/sh, which does not tell whose MPI" -- "${mpiexec[@]}" 2 ./script.sh
# A script that starts the words behind it, like Debian's valgrind, is looked through.
printf '#!/bin/sh\nexec "$@"\n' >bind && chmod +x bind
text=$("${launch[@]}" --summary=json:s.json --allreduce ring -- "${mpiexec[@]}" 2 ./bind ./app 5) || fail "behind a script it does not run: $text"
[ "$(count s.json allreduce ring)" -eq 1 ] || fail "behind a script: not the recipe that was asked for"
text=$("${launch[@]}" --mpi "$TEST_MPI" --summary=json:s.json --allreduce ring -- "${mpiexec[@]}" 2 ./script.sh) || fail "a script does not run"
[ "$(count s.json allreduce ring)" -eq 1 ] || fail "a script: not the recipe that was asked for"

# Impossible commands.
cp "$tool" lonely  # a tool without libraries beside it
code=0
sentence=$(./lonely run -- "${mpiexec[@]}" 2 ./app 2>&1) || code=$?
[ $code -eq 2 ] || fail "without libraries: exit code $code"
expect "without libraries" "$sentence" "library is here for no MPI"
mkdir -p one/bin one/lib && cp "$tool" one/bin && cp "$library" one/lib
code=0
sentence=$(one/bin/echelon run -- "${other_mpiexec[@]}" -n 2 ./other_app 2>&1) || code=$?
[ $code -eq 2 ] || fail "the other MPI's program: exit code $code: $sentence"
expect "the other MPI's program" "$sentence" "./other_app runs on $([ "$other" = mpich ] && echo 'MPICH (libmpich.so' || echo 'Open MPI (libmpi.so')"
expect "the other MPI's program" "$sentence" "is here for $([ "$other" = mpich ] && echo 'Open MPI' || echo MPICH)"
# An MPICH whose library has the name of Open MPI's was taken for Open MPI.
mkdir theirs
gcc -shared -fPIC -Wl,-soname,libmpi.so.12 -x c -o theirs/libmpi.so.12 - <<<'const char MPII_Version_CC[] = "cc"; int PMPI_Init(void) { return 0; } int MPI_Init(void) { return PMPI_Init(); }' &&
    gcc -x c -o their_app - -x none theirs/libmpi.so.12 -Wl,-rpath,"$folder/theirs" <<<'int MPI_Init(void); int main(void) { return MPI_Init(); }' || exit 1
refused "./their_app runs on MPICH (libmpi.so.12), but Echelon's library is here for" -- ./their_app
refused "is the launcher of" -- mpiexec."$other" -n 2 ./app
refused "plain is no MPI program" -- "${mpiexec[@]}" 2 ./plain
refused "static is linked statically" -- "${mpiexec[@]}" 2 ./static
refused "./nothing is not there, or cannot be started" -- "${mpiexec[@]}" 2 ./nothing
refused "there is no program './nothing'" -- ./nothing
refused "there is no program 'json:run.json'; as a value of --summary write --summary=json:run.json" --summary json:run.json -- ./app
refused "put 'timeout' and its options in front of echelon" -- timeout 5 "${mpiexec[@]}" 2 ./app
refused "sets LD_PRELOAD itself" -- "${mpiexec[@]}" 2 env LD_PRELOAD=libm.so.6 ./app
refused "give a command to run" --summary
# Wrong files were reported when the program ran, which ended with 0.
printf 'nonsense' >wrong.json
mkfifo fifo
refused "--profile: nofile cannot be read: No such file or directory" --profile nofile -- ./app
refused "--profile: wrong.json: not JSON" --profile wrong.json -- ./app
refused "--profile: fifo cannot be read: it is a pipe or a device" --profile fifo -- ./app
refused "--config: nofile cannot be read: No such file or directory" --config nofile -- ./app
refused "--learn: fifo is no regular file" --learn fifo -- ./app
for option in --summary=json:/nonexistent/x '--summary=json:/nonexistent/%r' --trace=/nonexistent/x,bytes=4K- --learn=/nonexistent/x; do
    code=0
    sentence=$("$tool" run "$option" -- ./app 2>&1 >/dev/null) || code=$?
    [ $code -eq 1 ] || fail "$option: exit code $code, not 1: $sentence"
    [[ $sentence == "echelon: ${option%%=*}: /nonexistent/"*" cannot be written: No such file or directory" ]] || fail "$option: $sentence"
done
for option in '--summary=json:%j/x' '--trace=t%r.json' --learn=new.json --profile=none --profile=.; do
    "$tool" run --dry-run "$option" -- ./app >/dev/null || fail "$option is refused"
done
refused "--bcast: in '0-4K ring' the colon behind the sizes is missing; the form is '0-4K: ring'" --bcast '0-4K ring' -- ./app
refused "--bcast: in '4K- leaders(sqrt, ring, ring)' the colon behind the sizes is missing; the form is '4K-: leaders(sqrt, ring, ring)'" --bcast '0-4K: ring; 4K- leaders(sqrt, ring, ring)' -- ./app
refused "--bcast: in '4K-' the colon behind the sizes is missing; the form is '4K-: ring'" --bcast 4K- -- ./app
refused "give a command to run" --
refused "--allreduce: " --allreduce rings -- "${mpiexec[@]}" 2 ./app
refused "--summary: 'xml' is none of text, json" --summary=xml -- "${mpiexec[@]}" 2 ./app
refused "--trace: 'byte=4K-' is unknown; the form is FILE[,bytes=4K-64K][,calls=100-200]" --trace t.json,byte=4K- -- "${mpiexec[@]}" 2 ./app
refused "--trace-bytes is unknown; write ECHELON_TRACE=FILE,bytes=4K-64K" --trace-bytes 4K- -- "${mpiexec[@]}" 2 ./app
refused "unrecognised option '--allreduces'; did you mean --allreduce?" --allreduces ring -- "${mpiexec[@]}" 2 ./app
refused "neither mpich nor openmpi" --mpi lam -- "${mpiexec[@]}" 2 ./app
if [ "$TEST_MPI" = mpich ]; then
    folder_of_mpi=$(dirname "$(ldd app | sed -n 's/.*=> \(.*libmpich.so.*\) (.*/\1/p')")
    mpicc.mpich -c "$here/sum.c" -o sum.o
    gcc sum.o "$folder_of_mpi/libmpich.a" -lucp -lucs -lhwloc -lm -lpthread -o inside || fail "no program with MPICH inside can be made"
    refused "has its MPI library linked statically" -- mpiexec.mpich -n 2 ./inside
fi

# From an installation that was moved.
for part in src/pmpi apps/echelon; do cmake -DCMAKE_INSTALL_PREFIX="$folder/first" -P "$TEST_BUILD/$part/cmake_install.cmake" >/dev/null; done
mv first installed
there=$(find "$folder/installed/lib" -path "*/echelon/$TEST_MPI/libechelon-pmpi.so")
[ -n "$there" ] || fail "the library is not installed"
expect "installed" "$(installed/bin/echelon run --dry-run -- ./app)" "library  $there"
[ "$failures" -eq 0 ] && echo passed
exit "$failures"
