#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Settings from outside: unknown, removed and wrong ones are reported once, by rank 0; the environment wins over
# the configuration file.
# shellcheck source-path=SCRIPTDIR source=drop_in.sh
. "$TEST_SOURCE/tests/drop_in/drop_in.sh"

"mpicc.$TEST_MPI" "$here/sum.c" -o "$folder/app" || exit 1
run_it() { ours 3 "$folder/app" 1 >"$folder/output" 2>"$folder/errors" || fail "it ends with an error: $(cat "$folder/errors")"; }
says() {  # how often, a sentence
    local times
    times=$(grep -cF "$2" "$folder/errors")
    [ "$times" -eq "$1" ] || fail "said $times times, not $1: $2; standard error is: $(cat "$folder/errors")"
}

export ECHELON_CONFIG=$folder/echelon.conf
printf '%s\n' '# recipes' 'ECHELON_ALLREDUCE = ring' 'ECHELON_GROUPES = G=2' 'nonsense' >"$ECHELON_CONFIG"
ECHELON_SITE=here ECHELON_ALREDUCE=ring ECHELON_STRICT=maybe run_it
says 1 "echelon: ECHELON_SITE is unknown; write ECHELON_PLACE=site=NAME"
says 1 "echelon: ECHELON_ALREDUCE is unknown; did you mean ECHELON_ALLREDUCE?"
says 1 "echelon: ECHELON_STRICT is not used: 'maybe' is neither 0 nor 1"
says 1 "echelon: $ECHELON_CONFIG, line 3: ECHELON_GROUPES is unknown; did you mean ECHELON_GROUPS?"
says 1 "echelon: $ECHELON_CONFIG, line 4: expected NAME = value"
says 5 "echelon: "

# A value may be anything: each message is one line.
long=$(printf 'x%.0s' {1..20000})
ECHELON_STRICT=$'may\nbe' ECHELON_TRIALS=$long run_it
says 1 "echelon: ECHELON_STRICT is not used: 'may\nbe' is neither 0 nor 1"
says 1 "echelon: ECHELON_TRIALS is not used: 'xxx"
awk '!/^echelon: / || length > 1500 { bad = 1 } END { exit bad }' "$folder/errors" || fail "no line each: $(cut -c1-200 "$folder/errors")"

export ECHELON_SUMMARY=json:$folder/summary.json
run_it
[ "$(count "$folder/summary.json" allreduce ring)" -eq 1 ] || fail "the configuration file was not heard"
ECHELON_ALLREDUCE=recursive_doubling run_it
[ "$(count "$folder/summary.json" allreduce recursive_doubling)" -eq 1 ] || fail "the environment does not win over the configuration file"
ECHELON_CONFIG=$folder/missing run_it
says 1 "echelon: the configuration file $folder/missing cannot be read"
# A FIFO was read as an empty file, which says nothing.
mkfifo "$folder/fifo"
for file in "$folder/fifo" /dev/zero; do
    ECHELON_CONFIG=$file ECHELON_PROFILE=$file run_it
    says 1 "echelon: the configuration file $file cannot be read: it is a pipe or a device, and no regular file"
    says 1 "echelon: the profile $file is not used: $file cannot be read: it is a pipe or a device, and no regular file"
    says 2 "echelon: "
done
exit "$failures"
