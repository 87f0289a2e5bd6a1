#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The summary covers all ranks: minimum, mean and maximum of times, and the saved time, computed from
# measurements of the native collective and of the recipe; it reports if native was not measured. A rank that
# aborts writes its own data.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" -Wall -Wextra "$here/summary.c" -o "$folder/sums" || exit 1
cd "$folder" || exit 1
# says EXPRESSION: true for the summary, which is s in Python; t are its totals.
says() {
    python3 -c "
import json, sys
s = json.load(open(sys.argv[1])); t = s['totals']; of = {c['collective']: c for c in t['collectives']}
sys.exit(not ($2))" "$1" || fail "not so of $1: $2: $(cat "$1")"
}
export ECHELON_BCAST=binomial
ECHELON_SUMMARY=json:s.json ours 3 ./sums a 'b c' || fail "it does not run"
says s.json "s['program'] == 'sums' and s['command'] == \"./sums a 'b c'\" and s['finalized'] and not s['aborted']"
says s.json "s['ranks'] == 3 == t['ranks'] and s['nodes'] == 1 and s['settings']['ECHELON_BCAST'] == 'binomial'"
says s.json "s['mpi'] and s['processor'] and s['host'] and s['echelon'] == '$TEST_VERSION' and s['began'] <= s['ended']"
says s.json "of['allreduce']['calls'] == {'min': 20, 'mean': 20, 'max': 20} and of['bcast']['calls']['mean'] == 1 and t['calls'] == 21"
says s.json "all(c['seconds']['min'] <= c['seconds']['mean'] <= c['seconds']['max'] for c in t['collectives'])"
# Rank 0 slept 20 times 2 ms while the others waited inside.
says s.json "of['allreduce']['seconds']['max'] > 0.03 and of['allreduce']['imbalance'] > 0"
says s.json "t['wall_seconds']['min'] >= t['collective_seconds']['min'] and t['cost_seconds'] > 0"
says s.json "t['saved'] is None and t['calls_compared_with_native'] == 0 and t['calls_not_native'] == 1"

ECHELON_SUMMARY=text ours 3 ./sums 2>told || fail "it does not run: $(cat told)"
for words in 'what ran: sums, 3 ranks on 1 node, 20' ' in collectives' 'not known: neither a trial nor a profile' 'imbalance' 'rank 0, '; do
    grep -qF "$words" told || fail "the text does not say '$words': $(cat told)"
done
ECHELON_BCAST=native ECHELON_SUMMARY=text ours 3 ./sums 2>told
grep -qF 'saved           nothing: all calls ran' told || fail "the text does not say that nothing was saved: $(cat told)"

# A profile that measured native at 3 ms, and its choice at 1 ms: 20 calls save 40 ms.
python3 - <<'PYTHON'
import json
s = json.load(open("s.json"))
json.dump({"echelon_profile": 1,
           "fingerprint": {key: s[key] for key in ("mpi", "processor", "networks")},
           "decisions": [{"collective": "allreduce", "p": 3, "layout": "1x3", "from": 0, "to": 1024, "recipe": "ring",
                          "seconds": 0.001, "native_seconds": 0.003}]}, open("profile.json", "w"))
PYTHON
export ECHELON_PROFILE=$folder/profile.json
ECHELON_TRIALS=0 ECHELON_SUMMARY=json:p.json ours 3 ./sums || fail "it does not run with a profile"
says p.json "abs(t['saved']['seconds'] - 0.04) < 1e-9 and t['saved']['by_profile'] == t['saved']['seconds'] and t['calls_compared_with_native'] == 20"
ECHELON_TRIALS=0 ECHELON_SUMMARY=text ours 3 ./sums 2>told
grep -qE 'saved           40(\.0+)? ms of .* against the native collectives \(trials: 0.*, profile: 40(\.0+)? ms\); cost ' told || fail "the text does not say what was saved: $(cat told)"
grep -qF 'known of 20 of 21 calls' told || fail "the text does not say that one call is not known: $(cat told)"
says p.json "s['profile'] == '$folder/profile.json' and s['no_profile'] is None"
grep -qF "  profile         $folder/profile.json" told || fail "the text does not say which profile it was: $(cat told)"
# No profile: the reason.
because() { # WORDS
    ECHELON_SUMMARY=text ours 2 ./sums 2>told
    grep -qxF "  profile         none: $1" told || fail "not '$1': $(cat told)"
}
ECHELON_PROFILE=none because ECHELON_PROFILE=none
mkdir none.d
ECHELON_PROFILE=$folder/none.d because "no file is found; echelon calibrate --install makes one"
sed 's/"processor": "[^"]*"/"processor": "an abacus"/' profile.json >none.d/other.json
ECHELON_PROFILE=$folder/none.d because "of 1 that was found none fits; echelon profiles says why"
ECHELON_PROFILE=none ECHELON_SUMMARY=json:n.json ours 2 ./sums
says n.json "s['profile'] is None and s['no_profile'] == 'ECHELON_PROFILE=none'"
unset ECHELON_PROFILE

# Patterns in names of files.
SLURM_JOB_ID=77 ECHELON_SUMMARY='json:s%j_%h_%r%%.json' ours 2 ./sums
for rank in 0 1; do says "s77_$(hostname)_$rank%.json" "s['rank'] == $rank and s['job'] == '77'"; done
ECHELON_SUMMARY='json:%q' ours 2 ./sums 2>errors
grep -qF "in '%q' a % is followed by none of j (job), h (host), p (process), r (rank), %" errors || fail "a wrong name is not complained about: $(cat errors)"

# An unwritable summary is reported, and the program ends normally, also without a writable home.
HOME=/proc/none ECHELON_SUMMARY=json:/proc/none/s.json ours 2 ./sums 2>errors || fail "a summary that cannot be written ends the program badly"
[ "$(grep -c '^echelon: .*/proc/none/s.json cannot be written: No such file or directory' errors)" -eq 1 ] || fail "of a summary that cannot be written is said: $(cat errors)"

# A FIFO that no program reads was waited for, by a summary and by a trace, and the job did not end.
mkfifo unread read
for setting in ECHELON_SUMMARY=json:unread ECHELON_TRACE=unread; do
    (export "${setting?}"; limit=60 ours 3 ./sums 2>errors) || fail "$setting: a FIFO that no program reads ends the program badly: $?"
    [ "$(grep -c '^echelon: the [a-z]* unread cannot be written: it is a pipe that no program reads$' errors)" -eq 1 ] || fail "$setting, a FIFO that no program reads: $(cat errors)"
done
cat read >from_fifo.json &
reader=$!
exec 3>./read  # opened by the reader, too
ECHELON_SUMMARY=json:read ours 3 ./sums || fail "a FIFO that a program reads"
exec 3>&-
wait $reader
says from_fifo.json "s['program'] == 'sums' and t['calls'] == 21"
# The ranks' output is a pipe of the launcher, which was refused; a program's output in a file was replaced.
ECHELON_SUMMARY=json:/dev/stdout ours 3 ./sums >from_stdout.json 2>errors || fail "/dev/stdout ends the program badly"
says from_stdout.json "s['program'] == 'sums' and t['calls'] == 21"
ECHELON_SUMMARY=text:/dev/fd/5 ours 1 sh -c 'exec 5>with_output; echo output >&5; exec ./sums'
grep -qx output with_output && grep -qF 'what ran: sums' with_output || fail "a summary behind other output of a file: $(cat with_output)"

ECHELON_SUMMARY=json:a.json ours 3 ./sums abort >/dev/null 2>&1 && fail "MPI_Abort ends well"
says a.json "[c['name'] for c in s['communicators']] == ['MPI_COMM_WORLD']"
says a.json "s['aborted'] and not s['finalized'] and s['rank'] == 1 and t['ranks'] == 1 and of['allreduce']['calls']['max'] == 20"

# On a signal that ends the program, rank 0 writes its own data and still ends by the signal; a program's own
# handler stays.
for signal in TERM INT; do
    ECHELON_SUMMARY=json:k.json ours 3 ./sums $signal >/dev/null 2>&1 && fail "SIG$signal ends well"
    says k.json "s['ended_by_signal'] and not s['finalized'] and not s['aborted'] and s['rank'] == 0 and t['ranks'] == 1 and of['allreduce']['calls']['max'] == 20"
    rm k.json
done
ECHELON_SUMMARY=json:h.json ours 3 ./sums handled || fail "a program that handles SIGTERM ends badly"
says h.json "s['finalized'] and not s['ended_by_signal'] and t['ranks'] == 3"
# Calls in a handler of exit that is older than MPI_Init were not counted.
ECHELON_SUMMARY=json:x.json ours 3 ./sums exit >/dev/null 2>&1
says x.json "not s['finalized'] and not s['ended_by_signal'] and of['allreduce']['calls']['max'] == 21"

# Late ranks are awaited for ten seconds; then the rank reports only itself, and the program still ends well.
ECHELON_SUMMARY=json:e.json ours 3 ./sums early || fail "a rank that leaves early ends badly"
says e.json "s['finalized'] and t['ranks'] == 1"
exit "$failures"
