#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From calibration to choice: echelon-calibrate writes a profile that lints well and explains itself. Programs
# find it, report the source of their choice, and run without it if it is damaged, newer or another machine's.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME="$folder/config"
failures=0
expect() {  # description, condition as a command
    if ! "${@:2}"; then
        echo "FAILED: $1"
        tail -n 8 "$folder/out" "$folder/err"
        failures=1
    fi
}
ranks() {  # number, program and arguments
    LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC "$@" >"$folder/out" 2>"$folder/err" </dev/null
}
# A program of 4 ranks that calls allreduce 4 times; chosen_by prints the sources of its choices.
program() {
    ranks 4 bin/echelon-bench --collectives allreduce --bytes 1K --recipes auto --repetitions 4 --warm-up 0 \
        --json "$folder/b.json"
}
chosen_by() {
    python3 -c "import json, sys; print(*[r['source'] for r in json.load(open('$folder/b.json'))['results'] if r['source'] != 'library'])"
}

profile=$folder/profile.json
ranks 4 bin/echelon-calibrate -o "$profile" --samples "$folder/samples.csv" --crowded --seconds 15 --bytes 1K,4K --collectives allreduce
expect "calibrating succeeds" test $? -eq 0
time="(0|[0-9.]+ [mun]?s)"
expect "it reports parameters with residuals" grep -qE "messages inside a node +$time, ([0-9.]+ [MG]B/s|bytes cost nothing); a send takes the processor $time, a receive $time; senders wait from .*residual" "$folder/out"
expect "it reports what goes through shared memory" grep -qE "shared memory +[0-9].* a hand-over, [0-9].* a byte$" "$folder/out"
expect "samples are written" grep -q '^allreduce,4,.*,1024,native,' "$folder/samples.csv"
python3 - "$profile" "$TEST_SOURCE/docs/profile.schema.json" <<'PYTHON' || failures=1
import json, sys
profile, schema = (json.load(open(f)) for f in sys.argv[1:])
assert profile["echelon_profile"] == 1
assert set(profile) <= set(schema["properties"]), "keys beyond the schema"
for key in ("samples", "corrections", "rules", "decisions", "foreseen"):
    allowed = schema["properties"][key]["items"]
    for one in profile.get(key, []):  # a slow machine may precompute nothing
        assert set(allowed["required"]) <= set(one) <= set(allowed["properties"]), one
try:
    import jsonschema
    jsonschema.validate(profile, schema)
except ImportError:
    pass
window, copy = profile["parameters"]["window"], profile["parameters"]["copy"]
# On a busy machine the time of a byte drowns in noise.
assert window["hand_over"] > 0 and window["copy"] >= copy >= 0, (window, copy)
at_work = profile["parameters"]["at_work"]
assert [one["ranks"] for one in at_work] in ([1, 2, 4], [1, 4]), at_work  # a slow machine has time for no more
assert all(0 < fewer[what] <= more[what] for fewer, more in zip(at_work, at_work[1:]) for what in ("copy", "combine")), at_work
measured = [s for s in profile["samples"] if s["bytes"] == 1024]
assert any(s["p"] == 2 and s["recipe"] == "native" for s in measured), "nothing of a part of the ranks"
measured = [s for s in measured if s["p"] == 4]
assert len(measured) >= 3 and any(s["recipe"] == "native" for s in measured), measured
PYTHON

bin/echelon lint "$profile" >"$folder/out" 2>"$folder/err"
expect "the profile lints well" test $? -eq 0
expect "but of one node it says that there was no other" test "$(grep -c 'warning: parameters.between: messages between nodes were not measured' "$folder/out") $(grep -vcE 'parameters.residual: one in five algorithms|not_reached: ' "$folder/out")" = "1 1"
bin/echelon explain --profile "$profile" --layout 2x2 -c allreduce -b 1K >"$folder/out" 2>"$folder/err"
expect "no more than that is known of two nodes" grep -q "between nodes: not measured" "$folder/out"
expect "nothing is promised there" grep -q "(2x2): native" "$folder/out"
# Two ranks bound to one processor are oversubscribed on a machine with a hundred.
first=$(grep -oP '^Cpus_allowed_list:\s*\K[0-9]+' /proc/self/status)
ranks 2 taskset -c "$first" bin/echelon-calibrate -o "$folder/bound.json" --bytes 1K --seconds 1
expect "ranks on one processor are refused" test "$? $(grep -c '2 ranks share the processors of a node' "$folder/err")" = "1 1"
# One of two sizes is reached: lint reports it until the calibration is continued.
short=(--crowded --quiet --bytes "1K,4K" --collectives allreduce -o "$folder/short.json")
ranks 4 bin/echelon-calibrate "${short[@]}" --seconds 0.01
bin/echelon lint "$folder/short.json" >"$folder/out" 2>"$folder/err"
expect "what was not reached is warned of" test "$? $(grep -cE "warning: not_reached: allreduce of (1|4)K on 1x4: asked for" "$folder/out")" = "0 1"
for _ in 1 2 3 4 5 6; do  # more than once only on a busy machine
    ranks 4 bin/echelon-calibrate "${short[@]}" --seconds 10 --continue
    bin/echelon lint "$folder/short.json" >"$folder/out" 2>"$folder/err"
    grep -q not_reached "$folder/out" || break
done
bin/echelon lint "$folder/short.json" >"$folder/out" 2>"$folder/err"
expect "what was reached later is not" test "$? $(grep -c not_reached "$folder/out")" = "0 0"

# When the time is over, one collective is measured at one size, which makes a profile, and nothing on parts
# of the ranks.
ranks 4 bin/echelon-calibrate --crowded --bytes 1K,4K --collectives allreduce,bcast -o "$folder/over.json" --seconds 0.01 --progress lines
expect "nothing is begun when the time is over" test "$? $(grep -cE '^echelon-calibrate: allreduce 1K: [0-9]+ recipes?, [0-9]+ s, 0 s left$' "$folder/err") $(wc -l <"$folder/err")" = "0 1 1"
ranks 2 bin/echelon-calibrate --crowded --bytes 8 --collectives bcast -o "$folder/bar.json" --seconds 1 --progress bar
expect "a bar is written over" grep -q $'\r\\[[#.]* *' "$folder/err"
layout=$(python3 -c "import json; print(json.load(open('$profile'))['samples'][0]['layout'])")
bin/echelon explain --profile "$profile" --layout "$layout" -c allreduce -b 1K >"$folder/out" 2>"$folder/err"
expect "explain works" test $? -eq 0
expect "explain tells what was measured" grep -q "measured" "$folder/out"
bin/echelon explain --profile "$profile" --layout "$layout" -b 1K --json | python3 -m json.tool >"$folder/out" 2>"$folder/err"
expect "explain --json is JSON" test $? -eq 0
bin/echelon map --profile "$profile" -p 2..16 -b 8..64 >"$folder/out" 2>"$folder/err"
expect "the map has a line for each p and size" test "$(wc -l <"$folder/out")" -eq 17

ECHELON_PROFILE=$profile program
expect "with a profile the model chooses" test "$(chosen_by)" = model
mkdir -p "$XDG_CONFIG_HOME/echelon" && cp "$profile" "$XDG_CONFIG_HOME/echelon/profile.json"
program
expect "the user's folder is looked into" test "$(chosen_by)" = model
ECHELON_PROFILE=none program
expect "none is none" test "$(chosen_by)" = built_in
ECHELON_MODE=native ECHELON_PROFILE=$profile program
expect "a setting wins" test "$(chosen_by)" = setting
rm -r "$XDG_CONFIG_HOME/echelon"

refused() {  # description, words
    ECHELON_PROFILE=$folder/wrong.json program
    expect "$1: the program runs" test $? -eq 0
    expect "$1: nothing is known" test "$(chosen_by)" = built_in
    expect "$1: one sentence" test "$(grep -c '^echelon: ' "$folder/err")" -eq 1
    expect "$1: it says why" grep -q "$2" "$folder/err"
}
head -c 500 "$profile" >"$folder/wrong.json" && refused "damaged" "not JSON at line [0-9]*, column [0-9]"
sed 's/"echelon_profile": 1/"echelon_profile": 7/' "$profile" >"$folder/wrong.json" && refused "newer" "its format is version 7, and this Echelon reads version 1"
sed 's/"processor":"[^"]*"/"processor":"an abacus"/' "$profile" >"$folder/wrong.json" && refused "foreign" "the processor was an abacus"
rm "$folder/wrong.json" && refused "missing" "cannot be read"
sed 's/"layout":"1x4"/"layout":"4 on 1"/' "$profile" >"$folder/old.json"
ECHELON_PROFILE=$folder/old.json program
expect "what was measured before layouts said who sat where counts for nothing, and that is said once" test \
    "$(chosen_by) $(grep -c "^echelon: .*old.json does not say who sat where on '4 on 1'" "$folder/err")" = "model 1"

cat >"$folder/wrong.json" <<'JSON'
{"echelon_profile": 1, "rules": [{"collective": "allreduce", "recipe": "ring"}, {"collective": "allreduce", "recipe": "chain"}]}
JSON
bin/echelon lint "$folder/wrong.json" >"$folder/out" 2>"$folder/err"
expect "lint fails for a rule that never applies" test $? -eq 1
ECHELON_PROFILE=$folder/wrong.json program
expect "a rule of the profile chooses" test "$(chosen_by)" = profile_rule

bin/echelon explain --profile "$profile" >"$folder/out" 2>"$folder/err"
expect "wrong use is told" test $? -eq 2
exit $failures
