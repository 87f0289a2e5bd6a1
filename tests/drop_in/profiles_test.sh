#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Profiles in folders: all ranks load the first profile that fits MPI, processor, network and ranks a node,
# even if only some can see it. Profiles that do not fit are skipped in silence, broken ones are reported
# once, and `echelon profiles` agrees.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/sum.c" -o "$folder/sum" || exit 1
# All ranks but the first lack a home directory.
cat >"$folder/homeless" <<'SH'
#!/bin/sh
[ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 0 ] || { unset HOME; export XDG_CONFIG_HOME=/nowhere; }
exec "$@"
SH
chmod +x "$folder/homeless"
# Disables findings of trials.
export ECHELON_TRIALS=0 XDG_CONFIG_HOME=$folder/config HOME=/dev/null
own=$XDG_CONFIG_HOME/echelon/profile.d
listed() { bin/echelon profiles --mpi "$TEST_MPI" --json "$@"; }
profile() { # FILE RANKS_PER_NODE RECIPE [PYTHON]: a profile of this machine, changed by PYTHON
    mkdir -p "$(dirname "$1")"
    python3 - "$@" 3< <(listed) <<'PYTHON'
import json, sys
here = json.load(open(3))
p = {"echelon_profile": 1, "rules": [{"collective": "allreduce", "recipe": sys.argv[3]}],
     "fingerprint": {"mpi": here["mpis"][0], "processor": here["processor"], "networks": here["networks"], "ranks_per_node": int(sys.argv[2])}}
if len(sys.argv) > 4: exec(sys.argv[4], {"print": p["fingerprint"]})
json.dump(p, open(sys.argv[1], "w"))
PYTHON
}
# goes_by RANKS RECIPE WHAT: this number of ranks runs the recipe by the profile, or native; in the drop-in
# library and in a program of Echelon's.
goes_by() {
    local found source
    ECHELON_SUMMARY=json:$folder/summary.json ours "$1" "$folder/homeless" "$folder/sum" >"$folder/out" 2>"$folder/err" || fail "$3: it ends with an error: $(cat "$folder/err")"
    grep -q "^sum $1," "$folder/out" || fail "$3: a wrong result"
    [ "$(count "$folder/summary.json" allreduce "$2")" -eq 1 ] || fail "$3: drop-in: not $2: $(cat "$folder/summary.json" "$folder/err")"
    started "" "$1" "$folder/homeless" bin/echelon-bench --collectives allreduce --bytes 1K --recipes auto --repetitions 4 --warm-up 0 --json "$folder/b.json" >"$folder/out" 2>"$folder/linked_err" ||
        fail "$3: echelon-bench fails: $(cat "$folder/linked_err")"
    found=$(python3 -c "import json; print(*[r['recipe'] for r in json.load(open('$folder/b.json'))['results'] if r['source'] == 'profile_rule'])")
    [ "$2" = native ] || source=$2
    [ "$found" = "${source:-}" ] || fail "$3: linked: $found, not ${source:-native}"
}
said() { # NUMBER WORDS: in both runs this number of sentences, with these words
    for file in err linked_err; do
        [ "$(grep -c '^echelon: ' "$folder/$file")" -eq "$1" ] || fail "not $1 sentences: $(cat "$folder/$file")"
        [ "$1" -eq 0 ] || grep -q "$2" "$folder/$file" || fail "nothing of '$2': $(cat "$folder/$file")"
    done
}
verdict() { # FILE EXPRESSION [OPTIONS]: checks the entry of `echelon profiles --json` for a file
    listed "${@:3}" | python3 -c "
import json, sys
one = [p for p in json.load(sys.stdin)['profiles'] if p['file'].endswith('/$1')][0]
assert $2, one" || fail "the list says something else of $1"
}

listed | python3 -c "
import json, sys
all = json.load(sys.stdin)
assert len(all['mpis']) == 1 and '\0' not in all['mpis'][0] and all['profiles'] == [], all" || fail "this machine"
goes_by 2 native "no folder"; said 0

profile "$own/b.json" 2 ring
profile "$own/c.json" 4 chain
profile "$own/d.json" 2 binomial
profile "$own/a.json" 2 rabenseifner 'print["processor"] = "an abacus"'
profile "$own/a_other_mpi.json" 0 rabenseifner 'print["mpi"] = "MPI of the moon"'
profile "$own/a_other_network.json" 0 rabenseifner 'print["networks"] = ["semaphore"]'
profile "$own/.hidden.json" 0 rabenseifner
profile "$own/not_yet.json.part" 0 rabenseifner
mkfifo "$own/a_pipe.json"
mkdir "$own/a_folder.json"
goes_by 2 ring "two ranks a node"; said 0
goes_by 4 chain "four ranks a node"; said 0
goes_by 3 chain "three ranks a node: four are nearer than two"; said 0
verdict a.json "'an abacus' in one['difference'] and not one['fits']"
verdict a_other_mpi.json "'MPI of the moon' in one['difference']"
verdict a_other_network.json "'semaphore' in one['difference']"
verdict b.json "one['fits'] and len(one['taken_by']) == 1"
verdict c.json "len(one['taken_by']) == 1"
verdict d.json "one['fits'] and one['taken_by'] == []"
# Profiles that explain and map load.
explained() { { bin/echelon "$@" >"$folder/explained"; } 2>&1; }
[ "$(explained explain --layout 1x2)" = "profile $own/b.json" ] && grep -q ring "$folder/explained" || fail "explain goes by another: $(cat "$folder/explained")"
[ "$(explained explain -p 8 --ranks-per-node 4)" = "profile $own/c.json" ] || fail "explain goes by another for four ranks a node"
[ "$(explained map --ranks-per-node 4 -p 2..4 -b 8)" = "profile $own/c.json" ] || fail "map goes by another"
grep -q 'ring' <<<"$(bin/echelon explain --profile "$own/b.json" -p 8 --ranks-per-node 4 2>"$folder/err")" && [ ! -s "$folder/err" ] || fail "explain does not take the one that is named: $(cat "$folder/err")"
[ "$(explained explain -p 3 --ranks-per-node 3)" = "profile $own/c.json" ] || fail "explain goes by another for three ranks a node"
[ "$(explained explain --profile "$own" --layout 1x2)" = "profile $own/b.json" ] && grep -q ring "$folder/explained" || fail "explain does not look in the folder that is named"
mkdir "$folder/foreign"
profile "$folder/foreign/a.json" 2 ring 'print["processor"] = "an abacus"'
code=0
ECHELON_PROFILE=$folder/foreign bin/echelon explain -p 3 2>"$folder/err" || code=$?
[ $code -eq 2 ] && grep -q "of 1 that was found none fits" "$folder/err" || fail "explain without a profile that fits: $code, $(cat "$folder/err")"
verdict b.json "'for 2 ranks a node, not 4' in one['difference']" --ranks-per-node 4
verdict c.json "len(one['taken_by']) == 1" --ranks-per-node 3
verdict b.json "one['taken_by'] == []" --ranks-per-node 3
verdict c.json "len(one['taken_by']) == 1" --ranks-per-node 4
[ "$(listed | grep -c '"file"')" -eq 6 ] || fail "it lists what is no profile: $(listed)"
# Lines that UCX printed in MPI_Init were taken for the name of the MPI library.
[ "$(UCX_LOG_LEVEL=info listed)" = "$(listed)" ] || fail "what an MPI library prints is taken for its name: $(UCX_LOG_LEVEL=info listed)"
bin/echelon profiles --mpi "$TEST_MPI" >"$folder/out" || fail "the list"
grep -q "^  b.json: taken by programs of .* with 2 ranks a node$" "$folder/out" && grep -q "^  d.json: fits, but others" "$folder/out" || fail "the list reads: $(cat "$folder/out")"

# Broken files; one of another machine is not even read to its end.
echo '{"echelon_profile": 1, "fingerprint": {"processor": "an abacus"}, "rules": [' >"$own/a_foreign_and_cut.json"
head -c 50 "$own/b.json" >"$own/a_cut.json"
ln -s /nowhere "$own/a_link.json"
goes_by 2 ring "behind broken files"; said 2 "a_cut.json is not used: not JSON at line [0-9]*, column"; said 2 "a_link.json is not used: .*cannot be read: No such file"
verdict a_cut.json "'not JSON' in one['problem']"
verdict a_foreign_and_cut.json "'not JSON' in one['problem']"
rm "$own/a_cut.json" "$own/a_link.json" "$own/a_foreign_and_cut.json"

# Precedence: a file for any number of ranks comes first; a user's file of another machine does not.
profile "$own/a_any.json" 0 recursive_doubling
goes_by 3 recursive_doubling "any number"
goes_by 2 recursive_doubling "in front"
profile "$XDG_CONFIG_HOME/echelon/profile.json" 7 binomial
goes_by 2 binomial "the user's one file"; said 0
profile "$XDG_CONFIG_HOME/echelon/profile.json" 2 binomial 'print["processor"] = "an abacus"'
goes_by 2 recursive_doubling "behind a foreign file"; said 0
mv "$own" "$folder/other"
goes_by 2 native "a foreign file alone"; said 1 "is of another machine"

# Named.
for named in "$folder/other" "$folder/other/"; do
    export ECHELON_PROFILE=$named
    goes_by 4 recursive_doubling "a folder is named"; said 0
done
rm "$folder/other/a_any.json"
goes_by 3 chain "the nearest in the folder that is named"; said 0
ECHELON_PROFILE=$folder/foreign goes_by 3 native "nothing fits in the folder that is named"; said 0
[ "$(listed | grep -c '"file"')" -eq 6 ] || fail "not the folder that is named: $(listed)"
ECHELON_PROFILE=none goes_by 2 native none
grep -q "no profile is used" <<<"$(ECHELON_PROFILE=none bin/echelon profiles --mpi "$TEST_MPI")" || fail "none is listed"
ECHELON_PROFILE=$folder/nowhere goes_by 2 native "what is named is not there"; said 1 "cannot be read"
unset ECHELON_PROFILE

# A calibration into the user's folder is found by programs with as many ranks a node.
rm -r "$XDG_CONFIG_HOME"
calibrate() { started "" 2 bin/echelon-calibrate --crowded --quiet --seconds 3 --bytes 1K --collectives allreduce "$@" >"$folder/out" 2>"$folder/err"; }
calibrate --install || fail "--install: $(cat "$folder/err")"
files=("$own"/*.json)
[[ ${#files[@]} -eq 1 && ${files[0]} == */$([ "$TEST_MPI" = mpich ] && echo mpich || echo open-mpi)*-2-a-node-*.json ]] || fail "--install writes ${files[*]}"
verdict "$(basename "${files[0]}")" "len(one['taken_by']) == 1" --ranks-per-node 2
grep -q "; of 2 ranks a node, the nearest number$" <<<"$(bin/echelon profiles --mpi "$TEST_MPI" --ranks-per-node 3)" || fail "a calibration is not taken for another number of ranks a node"
calibrate -o "$folder/site/profile.d" || fail "-o a folder: $(cat "$folder/err")"
[ -s "$folder/site/profile.d/$(basename "${files[0]}")" ] || fail "-o a folder: $(find "$folder/site")"
code=0
calibrate --install -o "$folder/x.json" || code=$?
[ $code -eq 2 ] && grep -q "give one of them" "$folder/err" || fail "--install and -o: $code, $(cat "$folder/err")"
(unset XDG_CONFIG_HOME HOME; calibrate --install) && fail "--install without a home succeeds"
grep -q "neither HOME nor XDG_CONFIG_HOME" "$folder/err" || fail "--install without a home: $(cat "$folder/err")"
# A home that cannot be written to: one sentence before the work.
code=0
(unset XDG_CONFIG_HOME; HOME=/proc/none calibrate --install) || code=$?
[ $code -eq 1 ] && grep -qx "echelon-calibrate: the folder /proc/none/.config/echelon/profile.d cannot be made: No such file or directory" "$folder/err" ||
    fail "--install to a home that cannot be written to: $code, $(cat "$folder/err")"

for wrong in "--ranks-per-node -1" "--mpi lam" "--jsn"; do
    code=0
    # shellcheck disable=SC2086  # two words
    bin/echelon profiles $wrong >"$folder/out" 2>"$folder/err" || code=$?
    [ $code -eq 2 ] && [ "$(wc -l <"$folder/err")" -eq 1 ] || fail "$wrong: $code, $(cat "$folder/err")"
done
exit "$failures"
