# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program shorter: first fewer steps (delta debugging, Zeller and Hildebrandt 2002), then smaller numbers in them."""

# What a step may be reduced to, the strongest first.
SIMPLER = {"count": (0, 1, 2, 8, 64, 512), "repeat": (1, 2, 8), "slot": (0,), "style": (0, 1), "basic": (0,), "root": (0,), "in_place": (0,),
           "way": (0,), "pending": (0,), "near": (0,), "persistent": (0,), "wildcard": (0,), "skew": (0,)}


def fewer(steps, fails):
    """A part of the list for which `fails` still holds, such that no shorter piece of it can be left out."""
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
    """Changes of numbers, as {(step, field): value}, with which it still fails. What does not change the program in `words` is left out."""
    edits = {}
    for step in reversed(steps):
        for field, values in SIMPLER.items():
            for value in values:
                changed = {**edits, (step, field): value}
                if words(changed) == words(edits):
                    break  # it is as simple as that already
                if fails(changed):
                    edits = changed
                    break
    return edits
