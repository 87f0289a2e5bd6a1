# SPDX-License-Identifier: Apache-2.0
"""Judges tables of calls through Echelon and without, in turns: `sent TABLE SUMMARY` checks the bytes sent,
`times TABLE` the times. Exit code 1: a defect.

Bytes that native calls send beyond the library's own are Echelon's messages: exchanges of timings, and
decisions.
"""
import csv
import json
import statistics
import sys

SETTLEMENTS = 20000  # bytes of a class among 16 ranks; one exchange takes 3 to 12 KB
WORDS = 256  # mean over native calls
KEPT = 2  # times native's bytes, for calls bound by the cards and not by latency
LONG = 65536
SLOWER = 1.6


def cells(table, front, plain, number):
    found = {}
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["collective"], int(row["bytes"])), []).append((number(row[front]), number(row[plain])))
    return found


def sent(table, summary):
    wrong = []
    with open(summary, encoding="utf-8") as file:
        rows = [row for one in json.load(file)["communicators"] for row in one["calls"]]
    for row in rows:
        if row["source"] == "trial" and not row["tried"] and (row["saved_seconds"] or 0) < 0:
            wrong.append(f"{row['collective']}: {row['recipe']} is kept though {row['refusal']}")
    for (what, size), pairs in cells(table, "in_front", "plain", int).items():
        native = sum(row["calls"] for row in rows if row["collective"] == what and row["from_bytes"] <= size <= row["to_bytes"] and row["recipe"] == "native" and not row["tried"])
        alone = statistics.mode(plain for _, plain in pairs)
        beyond = sorted((front - alone for front, _ in pairs), key=abs)[:native]
        whole = sum(front for front, _ in pairs) / sum(plain for _, plain in pairs)
        print(f"{what} of {size} bytes: native sends {alone} bytes a call; {native} of {len(pairs)} calls in front are native and send {sum(beyond)} more in all; all send {whole:.3f} as much")
        if not native or alone <= 0:
            wrong.append(f"{what} of {size} bytes: nothing to compare")
        if sum(max(0, more) for more in beyond) > WORDS * native + SETTLEMENTS:
            wrong.append(f"{what} of {size} bytes: native calls send {sum(beyond) / native:.0f} bytes more than without Echelon")
        if size >= LONG and whole > KEPT:
            wrong.append(f"{what} of {size} bytes: trials, and what they kept, send {whole:.2f} times as much")
    return wrong


def times(table):
    wrong = []
    for (what, size), pairs in cells(table, "in_front_s", "plain_s", float).items():
        front, plain = (statistics.median(side) for side in zip(*pairs[len(pairs) // 2:]))
        print(f"{what} of {size} bytes: {1e3 * front:.1f} ms, natively {1e3 * plain:.1f}")
        if front > SLOWER * plain:
            wrong.append(f"{what} of {size} bytes takes {front / plain:.2f} of native's time")
    return wrong


found = {"sent": sent, "times": times}[sys.argv[1]](*sys.argv[2:])
print(*found, sep="\n")
sys.exit(bool(found))
