# SPDX-License-Identifier: Apache-2.0
"""Lower bounds of collectives on a platform of SimGrid.

A message between nodes takes the latency of its way and then the time of its bytes through the cards of both
nodes; HEADER of these bytes are not the user's. No bytes flow during the latency. A card sends and receives
at once, each at its bandwidth, which all messages under way share. A rank's processor sends, receives and
combines one thing at a time (o of LogP). Assumed to be free: the network above the cards, and bytes inside a
node. These are lower bounds on every platform, and loose ones if cables between switches are the bottleneck
or ranks of a node exchange much data.
"""
import heapq
import re
from typing import NamedTuple

HEADER = 16
UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


class Processor(NamedTuple):
    """Processor time of messages: tables of (from so many bytes, seconds, seconds a byte), of which a message
    pays at least one."""
    tables: tuple

    def least(self, most):
        """Of a message of at most `most` bytes."""
        return min(once + byte * start for table in self.tables for start, once, byte in table if start <= most)

    def carrying(self, size, most):
        """Of `size` bytes in messages of at most `most` bytes. The cost of a byte falls within a piece."""
        if size == 0:
            return 0.0
        ends = lambda table: zip(table, [piece[0] for piece in table[1:]] + [most])
        return size * min(once / min(end, most) + byte for table in self.tables for (start, once, byte), end in ends(table) if start < most)

    def jumps(self):
        """Lengths from which messages may cost less."""
        return {start for table in self.tables for start, _, _ in table if start}


FREE = Processor((((0, 0.0, 0.0),),))


class Network(NamedTuple):
    """Latency and bandwidth between two nearest nodes (of a node's card), and inside a node; what a send and
    a receive cost."""
    latency: float
    bandwidth: float
    inside_latency: float
    inside_bandwidth: float
    nodes: int
    sends: Processor = FREE
    receives: Processor = FREE

    def free(self):
        return self._replace(sends=FREE, receives=FREE)


def read_network(platform):
    """The Network in the text of a platform. A node of a torus has two cables in each dimension, and its
    neighbour is one away; other nodes have one cable, to a switch."""
    def costs(*names):
        tables = [re.search(rf'<prop id="smpi/{name}" value="([^"]*)"/>', platform)[1] for name in names]
        return Processor(tuple(tuple(tuple(map(float, piece.split(":"))) for piece in table.split(";")) for table in tables))
    found = []
    for cluster in re.findall(r"<cluster ([^>]*)>", platform):
        words = dict(re.findall(r'(\w+)="([^"]*)"', cluster))
        first, last = map(int, words["radical"].split("-"))
        torus = words.get("topology") == "TORUS"
        cables = 2 * len(words["topo_parameters"].split(",")) if torus else 1
        found.append(Network(_seconds(words["lat"]) * (1 if torus else 2), _bandwidth(words["bw"]) * cables, _seconds(words.get("loopback_lat", "0s")), _bandwidth(words.get("loopback_bw", "0Bps")), last - first + 1))
    return Network(min(one.latency for one in found), max(one.bandwidth for one in found), min(one.inside_latency for one in found), max(one.inside_bandwidth for one in found),
                   sum(one.nodes for one in found), costs("os", "ois"), costs("or"))


def _seconds(text):
    number, unit = re.fullmatch(r"([0-9.]+)([a-z]*)", text).groups()
    return float(number) * UNITS[unit]


def _bandwidth(text):
    number, unit = re.fullmatch(r"([0-9.]+)([kMG]?)Bps", text).groups()
    return float(number) * UNITS[unit]


def ranks_of_nodes(ranks, each, order):
    """Number of ranks on each node. In blocks the last node may have fewer; in turns (rr) the numbers are
    nearly equal."""
    nodes = -(-ranks // each)
    return [len(range(node, ranks, nodes)) if order == "rr" else min(each, ranks - node * each) for node in range(nodes)]


def tree_time(nodes, latency, gap, others=0, delay=0.0):
    """Time until one node can have informed all: a message follows another after `gap`, and arrives after
    `latency` + `gap`. Every informed node informs others (Bar-Noy and Kipnis, Designing broadcasting
    algorithms in the postal model, 1994). In reverse it is the time until one node can have data from all.
    `others`: further ranks of each node, which also send, from `delay` after their node's first."""
    told, last = 1, 0.0
    arrivals = [latency + gap] + [delay + latency + gap] * others
    heapq.heapify(arrivals)
    while told < nodes:
        last = heapq.heappop(arrivals)
        told += 1
        heapq.heappush(arrivals, last + gap)
        for first in [0.0] + [delay] * others:
            heapq.heappush(arrivals, last + first + latency + gap)
    return last


def card_bytes(collective, size, sizes):
    """Bytes that must go through one card in one direction, at least. `size`: bytes of all blocks together,
    in echelon-bench's count; for alltoall the bytes that a rank sends. `sizes`: ranks of each node.

    An element of a sum needs two messages for each node but one: one node must have data from all, and all
    must have data from it (one-way gossip: Harary and Schwenk, The communication problem on graphs and
    digraphs, 1974). Divided among all cards that is 2 (N - 1) / N of the vector, the bound of Chan et al.
    (Collective communication, 2007) with nodes in place of ranks.
    """
    nodes, ranks, fewest = len(sizes), sum(sizes), min(sizes)
    if nodes == 1:
        return 0.0
    return {
        "bcast": size,
        "reduce": size,
        "allreduce": size * max(1.0, 2 * (nodes - 1) / nodes),
        # All blocks of other nodes come in; only the node's own share goes out.
        "allgather": size * (ranks - fewest) / ranks,
        "reduce_scatter": size * (ranks - fewest) / ranks,
        # The blocks go through the card of the root, which may be on the largest node.
        "gather": size * (ranks - max(sizes)) / ranks,
        "scatter": size * (ranks - max(sizes)) / ranks,
        "alltoall": max(here * size * (ranks - here) / ranks for here in sizes),
        # The last rank's node receives at least one vector of partial results.
        "scan": size,
        "exscan": size,
        "barrier": 0,
    }[collective]


def combining_bytes(collective, size, ranks):
    """Bytes that a rank combines at least: each element is combined once less than there are ranks, which can
    share the work; exscan leaves out the last rank's."""
    combined = {"allreduce": ranks - 1, "reduce": ranks - 1, "reduce_scatter": ranks - 1, "scan": ranks - 1, "exscan": ranks - 2}.get(collective, 0)
    return size * combined / ranks


def one_to_all(size, nodes, latency, bandwidth):
    """Time of a broadcast, or in reverse of a reduce. A byte either crosses the root's card for each other
    node, or is passed on, and then has left the root a latency before the end. In a time T >= 2 latencies the
    card can serve (T - 2 latencies) * bandwidth bytes in this way; in the remaining latency it serves one
    part in N - 1 of the flow."""
    if nodes == 1:
        return 0.0
    return min(latency + (nodes - 1) * size / bandwidth, 2 * latency + max(0.0, size / bandwidth - latency / (nodes - 1)))


# Collectives in which one rank informs all, one hears from all, and each vector is passed on as a whole.
DOWN = ("bcast", "scatter", "allreduce", "allgather", "alltoall", "barrier")
UP = ("reduce", "gather", "allreduce", "allgather", "alltoall", "barrier", "scan", "exscan")
WHOLE = ("bcast", "reduce", "allreduce")


def time_of_processors(collective, size, sizes, network, gamma, most):
    """Time by the processors, if no message holds more than `most` bytes: the longest of an optimal tree to
    or from all ranks (Karp, Sahay, Santos, Schauser, Optimal broadcast and summation in the LogP model,
    1993), the same between nodes, and what the busiest rank sends, receives and combines."""
    ranks, nodes, each = sum(sizes), len(sizes), max(sizes)
    nearest = network.latency if each == 1 else min(network.inside_latency, network.latency) if nodes > 1 else network.inside_latency
    send, receive = network.sends.least(most), network.receives.least(most)
    inside = send + network.inside_latency + receive
    parts = [0.0]
    # The rank that hears last has yet to receive all its bytes, in reverse that which may end first has sent them.
    for served, gap, other, ends in ((DOWN, send, receive, network.receives), (UP, receive, send, network.sends)):
        if collective in served:
            own = size if collective in WHOLE else 0
            parts.append(tree_time(ranks - (collective == "exscan"), nearest + other, gap) - other + max(other, ends.carrying(own, most)))
            if nodes > 1:
                bytes_come = served is DOWN and collective in WHOLE
                parts.append(tree_time(nodes, network.latency + other, gap, each - 1, inside) + (size / network.bandwidth if bytes_come else 0))
    others = size * (ranks - 1) / ranks
    work = lambda sent, received: network.sends.carrying(sent, most) + network.receives.carrying(received, most)
    if collective in ("gather", "scatter"):
        parts += [nearest + (send + work(0, others) if collective == "gather" else work(others, 0) + receive)]
    elif collective not in ("barrier", "scan", "exscan"):
        passed = others * (2 if collective == "allreduce" else 1)  # in the mean of all ranks
        parts.append(work(passed, passed) + gamma * combining_bytes(collective, size, ranks))
    return max(parts)


def processor_bound(collective, size, sizes, network, gamma):
    """Seconds. Either no message is longer than a length from which messages may cost less, or one is, and has
    come through a link; its sender has first received what was not its own."""
    whole = size * sum(sizes) if collective == "alltoall" else size
    own = size if collective in (*WHOLE, "scatter", "alltoall", "reduce_scatter", "scan", "exscan") else size / sum(sizes)
    fastest, nearest = max(network.bandwidth, network.inside_bandwidth), min(network.latency, network.inside_latency if max(sizes) > 1 else network.latency)
    of = lambda most: time_of_processors(collective, size, sizes, network, gamma, most)
    return max([of(whole)] + [min(of(most), nearest + (most + max(0.0, most - own)) / fastest) for most in network.sends.jumps() | network.receives.jumps() if most < whole])


def lower_bound(collective, size, sizes, network, gamma):
    """Seconds. The parts may overlap, hence the longest counts: a tree of the smallest messages, the bytes
    through a card, combining, the processors. No message holds more than the vector, or all blocks."""
    if sum(sizes) == 1 or (size == 0 and collective != "barrier"):
        return 0.0
    nodes, latency, bandwidth = len(sizes), network.latency, network.bandwidth
    nearest = network.inside_latency if max(sizes) > 1 else latency
    parts = [tree_time(nodes, latency, (HEADER + min(size, 1)) / bandwidth), nearest + gamma * combining_bytes(collective, size, sum(sizes)),
             processor_bound(collective, size, sizes, network, gamma)]
    if nodes > 1:
        parts.append(latency + (card_bytes(collective, size, sizes) + HEADER) / bandwidth)
    if collective in ("bcast", "reduce"):
        parts.append(one_to_all(size, nodes, latency, bandwidth))
    return max(parts)
