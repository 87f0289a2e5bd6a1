#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `echelon simulate` from the user's point of view.
set -euo pipefail
tool=$TEST_BUILD/bin/echelon
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "FAILED: $1" >&2; exit 1; }
expect() { [[ "$2" == *"$3"* ]] || fail "$1: expected '$3' in: $2"; }

text=$("$tool" simulate -p 2 --bytes 12 --element 4 -c bcast flat_tree)
expect "a schedule, one step a line" "$text" $'rank 0\n  0: send data[0,3) to 1'
expect "its receive" "$text" "receive data[0,3) from 0"

for recipe in rabenseifner 'leaders(sqrt, binomial, ring)' 'lanes(G=4, ring, recursive_doubling, seg=1K)' 'positions(size=5, ring, ring)'; do
    text=$("$tool" simulate -p 13 --bytes 4K --check --quiet "$recipe")
    expect "$recipe" "$text" "13 ranks, 4K bytes: proved"
done

# 2 (p - 1) alpha + 2 (p - 1) / p n beta: the textbook's ring, exact to the digit.
text=$("$tool" simulate -p 4 --bytes 4K --quiet --time --model hockney:alpha=10us,beta=1ns --gamma 0ns ring)
expect "the ring's time" "$text" "66.14 us"
slow=$("$tool" simulate -p 8 --bytes 4K --quiet --time --model hockney:alpha=10us,beta=0us --gamma 0ns ring)
expect "2 * 7 steps" "$slow" "140"

"$tool" simulate -p 5 --quiet --svg "$scratch/ring.svg" ring >/dev/null
grep -q '<svg' "$scratch/ring.svg" && [ "$(grep -c '<' "$scratch/ring.svg")" -gt 40 ] || fail "no drawing"

# Phases and groups are marked: three bands a rank, in the words of the recipe, and a bracket for each node.
"$tool" simulate -p 8 --ranks-per-node 4 --quiet --svg "$scratch/lanes.svg" 'lanes(node, ring, recursive_doubling)' >/dev/null
for what in '24 class="phase"' '2 class="group"' '8 <title>reduce_scatter ring of 1024 bytes, ranks ' '2 <title>allreduce recursive_doubling of 256 bytes, ranks 1, 5,' '1 >allgather ring</text>'; do
    [ "$(grep -cF -- "${what#* }" "$scratch/lanes.svg")" -eq "${what%% *}" ] || fail "the drawing has not ${what%% *} of ${what#* }"
done

# A timeline that other viewers open: the call, its phases, and each message, which leaves once and arrives
# once, in rows of its rank.
"$tool" simulate -p 200 --quiet --trace "$scratch/t.json" 'leaders(sqrt, binomial, recursive_doubling)' >/dev/null
python3 - "$scratch/t.json" <<'PYTHON' || fail "the trace"
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
assert {event["args"]["name"] for event in events if event["name"] == "process_name"} == {f"rank {rank}" for rank in range(200)}
bars = [event for event in events if event["ph"] == "X"]
assert len(bars) > 1000 and all(bar["dur"] >= 0 and bar["ts"] >= 0 for bar in bars)
calls, phases = [bar for bar in bars if "ranks" in bar["args"]], [bar for bar in bars if "group" in bar["args"]]
assert {call["pid"]: call["args"] for call in calls} == {rank: {"recipe": "leaders(sqrt, binomial, recursive_doubling)", "bytes": 1024, "ranks": 200} for rank in range(200)}
assert len(calls) == 200 and {call["name"] for call in calls} == {"allreduce"}
# Fourteen groups: 14 ranks lead, and the others take part in two phases only.
names = [bar["name"] for bar in phases]
assert {name: names.count(name) for name in names} == {"reduce binomial": 200, "allreduce recursive_doubling": 14, "bcast binomial": 200}, names
(outer,) = [bar for bar in phases if bar["name"].startswith("allreduce") and bar["pid"] == 0]
assert outer["args"]["recipe"] == "recursive_doubling" and outer["args"]["group"] == 14 and outer["args"]["bytes"] == 1024 and outer["args"]["members"].startswith("0, "), outer
# Calls enclose phases, and phases messages; both ends of a message and its local work lie in one phase.
within = lambda one, other: other["ts"] - 1e-3 <= one["ts"] and one["ts"] + one["dur"] <= other["ts"] + other["dur"] + 1e-3
of_rank = lambda all_of_them, rank: [bar for bar in all_of_them if bar["pid"] == rank]
for rank in range(200):
    (call,) = of_rank(calls, rank)
    work = [bar for bar in of_rank(bars, rank) if "peer" in bar["args"]]
    assert len(work) == len(of_rank(bars, rank)) - 1 - len(of_rank(phases, rank)) and work
    assert all(within(bar, call) for bar in of_rank(bars, rank))
    for bar in work:
        around = [phase for phase in of_rank(phases, rank) if within(bar, phase)]
        assert len(around) == 1 and around[0]["args"]["bytes"] >= bar["args"]["bytes"], (bar, around)
left, arrived = (sorted(event["id"] for event in events if event["ph"] == phase) for phase in "sf")
assert left == arrived and len(set(left)) == len(left) > 400, (len(left), len(arrived))
PYTHON

# In pipelined phases each stage has a row without overlaps; flat recipes are the call alone. Names equal
# a real trace's.
"$tool" simulate -p 8 -b 16K --ranks-per-node 4 --quiet --trace "$scratch/p.json" 'leaders(node, binomial+chain(seg=2K), ring, seg=4K)' >/dev/null
"$tool" simulate -p 8 --quiet --trace "$scratch/f.json" -c bcast 'chain(seg=256)' >/dev/null
python3 - "$scratch/p.json" "$scratch/f.json" <<'PYTHON' || fail "the trace of a pipelined or a flat recipe"
import json, sys
pipelined, flat = (json.load(open(name)) for name in sys.argv[1:])
events = pipelined["traceEvents"]
assert pipelined["otherData"]["title"].endswith(", 8 ranks, 16K bytes, simulated"), pipelined["otherData"]
rows = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
assert rows == {0: "collective", 1: "stage 2", 2: "stage 3", 3: "out", 4: "in", 5: "processor"}, rows
phases = [event for event in events if "group" in event.get("args", {})]
found = {(one["tid"], one["name"], one["args"]["recipe"], one["args"]["bytes"], one["args"]["group"]) for one in phases}
assert found == {(0, "reduce binomial", "binomial", 4096, 4), (1, "allreduce ring", "ring", 4096, 2), (2, "bcast chain", "chain(seg=2K)", 4096, 4)}, found
for rank in range(8):
    for row in range(3):
        times = sorted((one["ts"], one["ts"] + one["dur"]) for one in phases if one["pid"] == rank and one["tid"] == row)
        assert len(times) == (4 if row != 1 or rank in (0, 4) else 0), (rank, row, times)
        assert all(end <= begin + 1e-3 for (_, end), (begin, _) in zip(times, times[1:])), times
(call,) = [event for event in flat["traceEvents"] if event.get("pid") == 3 and "recipe" in event.get("args", {})]
assert call["name"] == "bcast" and call["args"]["recipe"] == "chain(seg=256)" and not [one for one in flat["traceEvents"] if "group" in one.get("args", {})]
PYTHON

wrong() { # what is expected in the sentence, arguments
    local sentence code=0
    sentence=$("$tool" "${@:2}" 2>&1 >/dev/null) || code=$?
    [ $code -eq 2 ] || fail "echelon ${*:2}: exit code $code, not 2"
    expect "echelon ${*:2}" "$sentence" "$1"
    [ "$(wc -l <<<"$sentence")" -eq 1 ] || fail "echelon ${*:2}: more than a sentence: $sentence"
}
wrong "there is no algorithm or shape 'rings'; did you mean ring?" simulate -p 4 rings
wrong "there is no algorithm or shape 'leadres'; did you mean leaders?" simulate -p 4 'leadres(sqrt, ring, ring)'
wrong "there is no algorithm or shape 'recursve_doubling'; did you mean recursive_doubling?" simulate -p 4 'leaders(sqrt, ring, recursve_doubling)'
wrong "there is no algorithm or shape 'naitve'; did you mean native?" simulate -p 4 'naitve'
wrong "there is no algorithm or shape 'xyzzy'; known are native, leaders(...)" simulate -p 4 xyzzy
wrong "did you mean sqrt?" simulate -p 4 'leaders(sqr, ring, ring)'
wrong "model 'hockny' is none of hockney, loggp, postal; did you mean hockney?" simulate -p 4 --time -m hockny:alpha=1us ring
wrong "policy 'modle' is none of model, sqrt, rabenseifner2004, native, formula:hockney, formula:plogp; did you mean model?" explain -p 4 --policy modle
wrong "policy 'sqr' is none of model, sqrt, rabenseifner2004, native, formula:hockney, formula:plogp; did you mean sqrt?" map --policy sqr
wrong "--ranks: '0' is none of the numbers from 1 to 100000" simulate -p 0 ring
wrong "--trace writes a file that Perfetto opens" simulate -p 65 --quiet --svg "$scratch/x.svg" ring
[ ! -e "$scratch/x.svg" ] || fail "an unreadable drawing"
wrong "out of rank order" simulate -p 4 --ordered ring
wrong "has no parameter 'gama=1us'" simulate -p 4 --time --model hockney:gama=1us ring
wrong "'10' is no time" simulate -p 4 --time --gamma 10 ring
wrong "model 'hockney' lacks beta" simulate -p 4 --time --model hockney:alpha=1us ring
wrong "the window lacks copy" simulate -p 4 --time --window hand_over=60ns shm
wrong "the window has no parameter 'beta=1ns'" simulate -p 4 --time --window beta=1ns shm
wrong "model 'loggp' lacks L" simulate -p 4 --time --model loggp ring
# Native was linear in disguise, and proved.
for recipe in native ' native ' 'leaders(sqrt, native, ring)' 'leaders(sqrt, ring+native, ring)' 'leaders(node, ring, leaders(sqrt, ring, native))' 'ring; native'; do
    for way in --check --time --quiet --csv --json; do
        wrong "native collectives cannot be simulated here" simulate -p 16 "$way" "$recipe"
    done
done
# 2e10 steps: an estimate before the work, and a feasible size. It printed nothing for an hour.
for way in --quiet --csv --check; do
    sentence=$(ulimit -v 4000000; "$tool" simulate -p 100000 -c alltoall -b 4M "$way" pairwise 2>&1 >/dev/null) && fail "100000 ranks in 4 GB"
    expect "too large" "$sentence" "steps would take"
    expect "too large" "$sentence" " GB are left; "
    [ "$(wc -l <<<"$sentence")" -eq 1 ] || fail "more than a sentence: $sentence"
    [[ $way != --quiet ]] || fits=$(sed -n 's/.*; \([0-9]*\) ranks fit$/\1/p' <<<"$sentence")
done
# It was silent for minutes: the size of the work is told.
sentence=$("$tool" simulate -p 800 --quiet ring 2>&1 >/dev/null) || fail "800 ranks"
expect "large" "$sentence" "allreduce ring, 800 ranks, 1K bytes: some 5.8e+06 steps, which take "
sentence=$("$tool" simulate -p 100 --quiet ring 2>&1 >/dev/null) || fail "100 ranks"
expect "small: it says nothing" "[$sentence]" "[]"
(ulimit -v 4000000; "$tool" simulate -p "$fits" -c alltoall -b 4M --quiet pairwise) || fail "$fits ranks do not fit"
wrong "--ranks: '99999999' is none of the numbers from 1 to 100000" simulate -p 99999999 ring
# An unwritable file is no wrong use.
for place in "$scratch/none/x.svg: No such file" "/dev/full: No space left on device"; do
    code=0
    text=$("$tool" simulate -p 4 --quiet --svg "${place%%: *}" ring 2>&1) || code=$?
    [ $code -eq 1 ] || fail "$place ends with $code"
    expect "a file that cannot be written" "$text" "${place%%: *} cannot be written: ${place#*: }"
done
# Unknown values are empty, not 0.
echo '{"echelon_profile": 1, "rules": [{"collective": "allreduce", "recipe": "ring"}]}' >"$scratch/rule.json"
wrong "ranks is 99999999; at most 100000" explain --profile "$scratch/rule.json" -p 99999999
wrong "give a recipe, such as ring" simulate -p 4
wrong "--bytes: size 'x': expected a number of bytes" explain -p 4 -b x
# Sentences on lists named no option, and called numbers of ranks sizes.
wrong "--ranks: '5..2' in '8,5..2': a range goes upwards from 1 or more; expected numbers such as 2,8,16..512" map -p 8,5..2
wrong "--ranks: '8..-': expected numbers such as 2,8,16..512" map -p 8..-
wrong "--bytes: '1Q' in '8,1Q': expected sizes such as 8,1K,64K..4M" map -b 8,1Q
wrong "--bytes: '2K..1K': a range goes upwards from 1 or more; expected sizes such as" simulate -p 4 -b 2K..1K ring
wrong "--groups: '8..2': a range goes upwards" simulate -p 8 --groups 8..2 'leaders(sqrt, binomial, ring)'
wrong "--groups: '0' is none of the numbers from 1 to 100000" simulate -p 8 --groups 0 'leaders(sqrt, binomial, ring)'
wrong "--element: size 'y': expected a number of bytes" simulate -p 8 --element y ring
wrong "--element: expected a size from 1 on" simulate -p 8 --element 0 ring
wrong "--gamma: 'x' is no time" simulate -p 8 --gamma x --time ring
wrong "--inside: model 'x' is none of hockney" simulate -p 8 --inside x --time ring
wrong "--ranks: '99999999' is none of the numbers from 1 to 100000" map --profile "$scratch/rule.json" -p 99999999
[ "$("$tool" map --profile "$scratch/rule.json" -p 2 -b 8 | tail -1)" = 'allreduce,2,2x1,8,ring,profile_rule,,,1,,' ] || fail "a map without times"
wrong "there is no subcommand 'simulat'; did you mean simulate? See echelon --help" simulat
wrong "there is no subcommand 'hugo'; see echelon --help" help hugo
# The general help stood for the help of a subcommand.
for subcommand in run simulate cluster; do
    cmp -s <("$tool" help $subcommand) <("$tool" $subcommand --help) || fail "echelon help $subcommand"
done
cmp -s <("$tool" help) <("$tool" --help) && cmp -s <("$tool" help help) <("$tool" help) || fail "echelon help"
wrong "there is no subcommand 'hugo'; see echelon --help" hugo
wrong "did you mean bcast?" simulate -p 4 -c bcst ring
wrong "unrecognised option '--modle'; did you mean --model? See echelon simulate --help" simulate -p 4 --modle x ring
wrong "unexpected word '64'" explain 64
wrong "unrecognised option '--jsn'; did you mean --json?" lint --jsn
wrong "unrecognised option '--shaps'; did you mean --shapes?" catalog --shaps
wrong "unrecognised option '--pgae'; did you mean --page?" settings --pgae
wrong "unrecognised option '--colour'; see echelon map --help" map --colour red

# Through shared memory: three ranks put 1000 bytes each and combine three inputs, a hand-over later. Between
# nodes they send messages.
text=$("$tool" simulate -p 3 --ranks-per-node 3 -b 1000 --gamma 0ns --quiet --time --check --window hand_over=500ns,copy=1ns shm)
expect "a window" "$text" "3.5"
expect "a window" "$text" "proved"
text=$("$tool" simulate -p 6 --ranks-per-node 3 -b 1000 --time --check --window hand_over=500ns,copy=1ns 'leaders(node, shm, ring)')
for part in "put data[0,250)" "send data[0,125)" proved; do expect "windows of nodes" "$text" "$part"; done

# --groups makes a table over numbers of groups, of shapes alone; its times are those of the recipe with G=.
"$tool" simulate -c reduce -p 16 -b 1K --groups 2..8 --csv 'leaders(sqrt, flat_tree, flat_tree)' >"$scratch/groups.csv"
for groups in 2 4 8; do
    grep "leaders(G=$groups, flat_tree, flat_tree)" "$scratch/groups.csv" >"$scratch/row"
    "$tool" simulate -c reduce -p 16 -b 1K --csv "leaders(G=$groups, flat_tree, flat_tree)" | tail -1 | cmp - "$scratch/row" || fail "the time on $groups groups"
done
[ "$(wc -l <"$scratch/groups.csv")" = 4 ] || fail "a table over groups has other rows: $(cat "$scratch/groups.csv")"
"$tool" simulate -p 8 --groups 2..4 ring 2>"$scratch/said" && fail "a flat algorithm has groups"
grep -q "'ring' has no groups" "$scratch/said" || fail "no word on a recipe without groups: $(cat "$scratch/said")"

# Lists make a table: each recipe on each number of ranks at each size, with times equal to single runs; cells
# that a recipe cannot serve are left out, and reported once.
"$tool" simulate -p 4,6..12 -b 8,1K --model hockney:alpha=10us,beta=0us --gamma 0ns 'ring; lanes(G=5, ring, ring); rabenseifner' >"$scratch/table.csv" 2>"$scratch/said"
python3 - "$scratch/table.csv" <<'PYTHON' || fail "the table"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
cells = {(row["recipe"], int(row["ranks"]), int(row["bytes"])): float(row["simulated_s"]) for row in rows}
assert len(cells) == len(rows) and {cell[1] for cell in cells} == {4, 6, 12} and {cell[2] for cell in cells} == {8, 1024}
assert all(abs(cells["ring", p, 1024] - 2 * (p - 1) * 1e-5) < 1e-10 for p in (4, 6, 12)), cells
assert {row["model"] for row in rows} == {"hockney:alpha=10us,beta=0us"}
PYTHON
"$tool" simulate -p 4 --json ring | python3 -c 'import json, sys; (row,) = json.load(sys.stdin); assert row["ranks"] == 4 and row["simulated_s"] > 0' || fail "a table as JSON"
"$tool" simulate -p 3,4 -b 1K..4K 'doubling; ring' -c allgather 2>"$scratch/said" >/dev/null
[ "$(grep -c '^left out: allgather doubling, 3 ranks' "$scratch/said")" -eq "$(wc -l <"$scratch/said")" ] || fail "what was left out: $(cat "$scratch/said")"
wrong "draws one recipe on one number of ranks" simulate -p 4,8 --svg "$scratch/x.svg" ring
wrong "give the number of ranks: -p 64, or a layout" simulate ring
wrong "layout 2x3 is of 6 ranks, not of 4" simulate -p 4 --layout 2x3 ring
[ "$("$tool" simulate --layout 2x4 -b 1K --csv 'lanes(node, ring, ring)')" = "$("$tool" simulate -p 8 --ranks-per-node 4 -b 1K --csv 'lanes(node, ring, ring)')" ] || fail "a layout differs from its ranks and nodes"
grep -q ": proved$" <<<"$("$tool" simulate --layout '2x4 cyclic' --quiet --check 'lanes(node, ring, ring)')" || fail "a cyclic layout"
# Blocks of any lengths: a ring passes on one rank's whole vector in each of 3 steps, or a quarter of it.
for case in '3,3,3,3:750 ns' '0,1,0,0:3 us'; do
    text=$("$tool" simulate -p 4 -b 1000 -c allgather --element 1 --shares "${case%:*}" -m hockney:alpha=0us,beta=1ns --quiet --check --time ring)
    grep -q ": ${case#*:} under" <<<"$text" && grep -q ": proved$" <<<"$text" || fail "shares ${case%:*}: $text"
done
"$tool" simulate -p 4 -c allreduce --shares 1,2 ring >/dev/null 2>&1 && fail "shares of an allreduce are taken"
"$tool" simulate -p 4 -c allgather --shares 0 ring >/dev/null 2>&1 && fail "shares of nothing are taken"
[ "$("$tool" -v)" = "$("$tool" --version)" ] && [ "$("$tool" lint -v)" = "$("$tool" --version)" ] || fail "the version"
grep -q '^  simulate' <<<"$("$tool" --help)" || fail "help without simulate"
grep -q -- --svg <<<"$("$tool" simulate --help)" || fail "help without --svg"
echo "passed"
