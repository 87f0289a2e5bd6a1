# shellcheck shell=bash disable=SC2034  # used by the sourcing tests
# SPDX-License-Identifier: Apache-2.0
# Common to the tests of the drop-in library.
set -u
here=$TEST_SOURCE/tests/drop_in
library=$TEST_BUILD/lib/libechelon-pmpi.so
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_MCA_btl_base_warn_component_unused=0
export TOLD=$folder/told  # output of programs (tell.h)
failures=0
fail() {
    echo "FAILED: $1"
    failures=1
}
# started LIBRARIES RANKS COMMAND...: with these libraries in front, in the ranks alone.
started() {
    local libraries=$1 ranks=$2 launch
    shift 2
    if [ "$TEST_MPI" = mpich ]; then
        launch=(mpiexec.mpich -genv LD_PRELOAD "$TEST_YIELD${libraries:+:$libraries}" -n "$ranks")
    else
        launch=(mpiexec.openmpi --allow-run-as-root --oversubscribe ${libraries:+-x "LD_PRELOAD=$libraries"} -n "$ranks")
    fi
    "${launch[@]}" "$@"
}
native() { started "" "$@"; }
ours() { started "$library" "$@"; }
# alike WHAT RANKS COMMAND...: with Echelon in front its output and its exit code are unchanged.
alike() {
    local what=$1 kind code codes=()
    shift
    for kind in native ours; do
        code=0
        rm -f "$TOLD"
        $kind "$@" >"$folder/output" 2>"$folder/errors" || code=$?
        mv "$TOLD" "$folder/$kind" || fail "$what, $kind: nothing is told: $(cat "$folder/output" "$folder/errors")"
        codes+=("$code")
    done
    # The code that MPICH gives to a job whose ranks leave without MPI_Finalize depends on the first rank to
    # leave.
    [[ ${codes[0]} -eq ${codes[1]} || $what == *never || $what == *quick ]] || fail "$what ends with ${codes[1]}, natively with ${codes[0]}: $(cat "$folder/errors")"
    diff "$folder/native" "$folder/ours" >"$folder/difference" || fail "$what tells something else: $(cat "$folder/difference" "$folder/errors")"
}
# count SUMMARY COLLECTIVE RECIPE: calls of that collective with recipes that begin with RECIPE.
count() {
    python3 - "$@" <<'PYTHON'
import json, sys
summary = json.load(open(sys.argv[1]))
print(sum(row["calls"] for one in summary["communicators"] for row in one["calls"]
          if row["collective"] == sys.argv[2] and row["recipe"].startswith(sys.argv[3])))
PYTHON
}
# python_with_mpi: a Python whose mpi4py has this MPI, Debian's or the user's; prints nothing if there is
# none.
python_with_mpi() {
    local python folder
    for python in /usr/bin/python3 python3; do
        folder=$("$python" -c "import importlib.util as u; print(u.find_spec('mpi4py').submodule_search_locations[0])" 2>/dev/null) || continue
        grep -q "$([ "$TEST_MPI" = mpich ] && echo libmpich.so || echo libmpi.so)" <<<"$(ldd "$folder"/MPI*.so)" || continue
        echo "$python"
        return
    done
}

# killed MOMENT [RECIPE]: a rank is killed at that moment (killed.c). The job ends like it does natively, and
# no process stays behind.
killed() {
    local kind code codes=() what="${2:+$2, }killed $1"
    for kind in native ours; do
        code=0
        rm -f "$TOLD"
        $kind 4 "$folder/killed" "$1" >"$folder/output" 2>"$folder/errors" || code=$?
        codes+=("$code")
        [ "$(cat "$TOLD")" = begun ] || fail "$kind, $what: $(cat "$TOLD" "$folder/output" "$folder/errors")"
        for _ in {1..18000}; do pgrep -f "^$folder/killed" >/dev/null || break; sleep 0.1; done
        ! pgrep -af "^$folder/killed" >"$folder/left" || fail "$kind, $what: $(cat "$folder/left") stays behind"
    done
    # The launcher reports either the killed rank, or one that it ended then (SIGTERM), or one whose library
    # gave up (SIGABRT).
    [[ ${codes[0]} -ne 0 && ( ${codes[0]} -eq ${codes[1]} || "${codes[*]}" =~ ^(6|9|15)\ (6|9|15)$ ) ]] || fail "$what: the job ends with ${codes[1]}, natively with ${codes[0]}"
    echo "$what: exit code ${codes[1]}"
}
