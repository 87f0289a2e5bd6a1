# SPDX-License-Identifier: Apache-2.0
"""Shortens a failing program: first fewer steps (delta debugging, Zeller and Hildebrandt 2002), then smaller
numbers in them."""

# Simpler values of a step's fields, the strongest reduction first.
SIMPLER = {"count": (0, 1, 2, 8, 64, 512), "repeat": (1, 2, 8), "slot": (0,), "style": (0, 1), "basic": (0,), "root": (0,), "in_place": (0,),
           "way": (0,), "pending": (0,), "near": (0,), "persistent": (0,), "wildcard": (0,), "skew": (0,)}


def fewer(steps, fails):
    """A part of the list for which `fails` still holds, and from which no piece can be left out."""
    parts = 2
    while len(steps) > 1:
        size = max(1, len(steps) // parts)
        pieces = [steps[i:i + size] for i in range(0, len(steps), size)]
        for i in range(len(pieces)):
            rest = [step for j, piece in enumerate(pieces) if j != i for step in piece]
            if rest and fails(rest):
                steps, parts = rest, max(parts - 1, 2)
                break
        else:
            if size == 1:
                return steps
            parts = min(2 * parts, len(steps))
    return steps


def smaller(steps, fails, words):
    """Changes of numbers, as {(step, field): value}, with which it still fails. A change without effect on
    the program in `words` is left out."""
    edits = {}
    for step in reversed(steps):
        for field, values in SIMPLER.items():
            for value in values:
                changed = {**edits, (step, field): value}
                if words(changed) == words(edits):
                    break  # already this simple
                if fails(changed):
                    edits = changed
                    break
    return edits
