# SPDX-License-Identifier: Apache-2.0
"""The closed forms of Pjesivac-Grbovic et al. 2005, Tables 1 to 4: model -> seconds for p ranks, n segments
of s bytes; c: seconds to combine a segment.
Misprints are corrected: the flat tree of Table 1 has P messages in Hockney's model. Two children cost 2
(alpha + m beta) in Table 2. Its split binary tree exchanges half the *message* in the end, in PLogP too; in
LogGP its tree's depth and its further segments change places. The binary tree in LogGP pays for every further
segment."""


class Parameters:
    """Parameters of each model, derived from LogGP's. Gap and overheads of PLogP are lines, its L is that of
    Kielmann et al. 2000: one message takes equal time in all models."""

    def __init__(self, L, o, g, G):
        self.L, self.o, self.g, self.G = L, o, g, G
        self.alpha, self.beta, self.end_to_end = L + 2 * o, G, L + 2 * o - g

    def gap(self, size):
        """PLogP's g(m)."""
        return self.g + size * self.G

    def hockney(self, size):
        return self.alpha + size * self.beta

    def tail(self, size):
        """LogGP's time from the first to the last byte."""
        return (size - 1) * self.G


def log2_up(ranks):
    return (ranks - 1).bit_length()


def doubling_steps(ranks):
    return log2_up(ranks) if ranks & (ranks - 1) == 0 else ranks.bit_length() + 1


# Table 1.
def barrier(x, steps_or_ranks):
    return {"Hockney": steps_or_ranks * x.alpha, "LogP": steps_or_ranks * (x.L + x.o + x.g), "PLogP": steps_or_ranks * (x.end_to_end + x.gap(0))}


def barrier_flat(x, p):
    return {"Hockney": p * x.alpha, "LogP": (p - 2) * x.g + 2 * (x.L + 2 * x.o), "PLogP": p * x.gap(0) + 2 * x.end_to_end}


# Table 2.
def bcast_linear(x, p, n, s):
    return {"Hockney": n * (p - 1) * x.hockney(s), "LogGP": x.L + 2 * x.o - x.g + n * (p - 1) * (x.tail(s) + x.g), "PLogP": x.end_to_end + n * (p - 1) * x.gap(s)}


def bcast_pipeline(x, p, n, s):
    return {"Hockney": (p + n - 2) * x.hockney(s), "LogGP": (p - 1) * (x.L + 2 * x.o + x.tail(s)) + (n - 1) * (x.g + x.tail(s)),
            "PLogP": (p - 1) * (x.end_to_end + x.gap(s)) + (n - 1) * x.gap(s)}


def bcast_binomial(x, p, n, s):
    q = log2_up(p)
    return {"Hockney": q * n * x.hockney(s), "LogGP": q * (x.L + 2 * x.o + x.tail(s) + (n - 1) * (x.g + x.tail(s))), "PLogP": q * (x.end_to_end + n * x.gap(s))}


def bcast_binary(x, p, n, s):
    h = log2_up(p + 1)
    return {"Hockney": 2 * (h + n - 2) * x.hockney(s), "LogGP": (h - 1) * (x.L + 2 * (x.o + x.tail(s) + x.g)) + 2 * (n - 1) * (x.tail(s) + x.g),
            "PLogP": (h - 1) * (x.end_to_end + 2 * x.gap(s)) + (n - 1) * max(2 * x.gap(s), 2 * x.o + x.gap(s))}


def bcast_split_binary(x, p, n, s):
    """`n` segments of both halves together."""
    one_half, half = bcast_binary(x, p, n / 2, s), n * s / 2
    exchange = {"Hockney": x.hockney(half), "LogGP": x.L + 2 * x.o + x.tail(half), "PLogP": x.end_to_end + x.gap(half)}
    return {model: seconds + exchange[model] for model, seconds in one_half.items()}


# Table 3.
def reduce_binomial(x, p, n, s, c):
    q = log2_up(p)
    return {"Hockney": n * q * (x.hockney(s) + c), "LogGP": q * (x.o + x.L + n * (x.tail(s) + max(x.g, x.o + c))),
            "PLogP": q * (x.end_to_end + n * max(x.gap(s), 2 * x.o + c))}


def reduce_pipeline(x, p, n, s, c):
    return {"Hockney": (p + n - 2) * (x.hockney(s) + c),
            "LogGP": (p - 1) * (x.L + 2 * x.o + x.tail(s) + c) + (n - 1) * max(x.g, 2 * x.o + x.tail(s) + c),
            "PLogP": (p - 1) * (x.end_to_end + max(x.gap(s), x.o + c)) + (n - 1) * (max(x.gap(s), x.o + c) + x.o)}


# Table 4.
def alltoall_pairwise(x, p, block):
    return {"Hockney": (p - 1) * x.hockney(block), "LogGP": (p - 1) * (x.L + x.o + x.tail(block) + x.g), "PLogP": (p - 1) * (x.end_to_end + x.gap(block))}
