#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A calibration whose ranks are killed at any moment leaves a whole profile with all earlier content, and
# --continue goes on from there. `ctest --preset release -R killed_calibration_full` does it at 200 moments.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
profile=$folder/profile.json
# Each rank writes its process number, then becomes the calibration.
cat >"$folder/rank" <<SH
#!/bin/sh
echo \$\$ >>"$folder/ranks"
exec "$TEST_BUILD/bin/echelon-calibrate" "\$@"
SH
chmod +x "$folder/rank"
calibrate() {
    local go_on=()
    [ ! -e "$profile" ] || go_on=(--continue)
    # shellcheck disable=SC2086  # launcher and options are several words
    LD_PRELOAD=$TEST_YIELD $TEST_MPIEXEC 2 "$folder/rank" --crowded --quiet --collectives allreduce,bcast --bytes 8,1K,8K,64K --seconds 8 \
        -o "$profile" "${go_on[@]}" >"$folder/out" 2>&1 </dev/null
}
kept='' grown=0
# Prints the content of the profile; fails if it is incomplete, or if earlier content is gone.
look() {
    [ -e "$profile" ] || { [ -z "$kept" ] && return; echo "the profile is gone"; return 1; }
    python3 - "$profile" "$kept" <<'PYTHON'
import json, sys
profile = json.load(open(sys.argv[1]))
samples = {json.dumps([s[k] for k in ("collective", "p", "layout", "bytes", "recipe")]) for s in profile["samples"]}
before = set(sys.argv[2].splitlines())
print("\n".join(sorted(samples)))
sys.exit(not before <= samples)
PYTHON
}
pause() {  # up to this number of milliseconds
    local ms=$((RANDOM % $1))
    sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
}
RANDOM=16
for ((round = 1; round <= ${KILLS:-6}; ++round)); do
    : >"$folder/ranks"
    file=$(stat -c %i "$profile" 2>/dev/null)
    calibrate &
    job=$!
    until [ "$(wc -l <"$folder/ranks")" -eq 2 ] || ! kill -0 $job 2>/dev/null; do sleep 0.01; done
    [ -s "$folder/ranks" ] || { echo "FAILED: no rank starts: $(cat "$folder/out")"; exit 1; }
    # At any time, or soon after a write.
    if ((round % 2)); then
        while [ "$(stat -c %i "$profile" 2>/dev/null)" = "$file" ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
        pause 300
    else
        pause 5000
    fi
    # shellcheck disable=SC2046  # two processes
    kill -KILL $(cat "$folder/ranks") 2>/dev/null
    wait $job && ended=yes || ended=no
    now=$(look) || { echo "FAILED: killed in round $round: $now, before: $kept"; exit 1; }
    [ "$now" = "$kept" ] || grown=$((grown + 1))
    kept=$now
    [ $ended = no ] || { rm "$profile"; kept=''; }  # all is measured: start again
done
calibrate || { echo "FAILED: it does not go on: $(cat "$folder/out")"; exit 1; }
now=$(look) && [ -n "$now" ] || { echo "FAILED: what was measured is lost: $now, before: $kept"; exit 1; }
[ "$grown" -gt 0 ] || { echo "FAILED: no profile was written before a kill"; exit 1; }
# In the first size, which takes seconds, the measured parameters are kept: on SIGTERM, sent at the end of a
# job's time, and on Ctrl-C.
for signal in TERM INT; do
    early=$folder/early_$signal.json
    # shellcheck disable=SC2086
    LD_PRELOAD=$TEST_YIELD env --default-signal=INT $TEST_MPIEXEC 2 bin/echelon-calibrate --crowded --quiet --collectives allreduce --bytes 256M --seconds 20 \
        -o "$early" >"$folder/out" 2>&1 </dev/null &
    until [ -s "$early" ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
    kill -$signal $!
    wait $!  # MPICH's launcher returns 0 now and then in spite of failed ranks
    python3 -c "import json, sys; profile = json.load(open(sys.argv[1])); sys.exit(not profile['parameters'] or profile['samples'] != [])" "$early" ||
        { echo "FAILED: not kept before the first size by SIG$signal: $(cat "$early" "$folder/out")"; exit 1; }
done
echo "killed ${KILLS:-6} times, of which $grown left a longer profile; at the end $(wc -l <<<"$now") samples"
