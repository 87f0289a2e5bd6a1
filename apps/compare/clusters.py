# SPDX-License-Identifier: Apache-2.0
"""The clusters, collectives and sizes of a comparison, drawn by a seed: a sample stands for all."""
import itertools
import random
from typing import NamedTuple

# Platform -> ranks a node.
PLATFORMS = {"gige": (1, 4), "infiniband": (1, 4), "fat_nodes": (16,), "fattree": (1, 8), "dragonfly": (1, 8), "torus": (1, 8), "hockney": (1,)}
SIZES = (("8", "1K"), ("8K", "64K"), ("256K", "1M"))
ALWAYS = ("allreduce", "reduce", "bcast")
# One of these comes with each cluster.
OTHERS = ("allgather", "gather", "scatter", "reduce_scatter", "alltoall")
# Compared only if they are named.
NAMED = ("scan", "exscan", "barrier")


class Cluster(NamedTuple):
    platform: str
    ranks: int
    each: int
    order: str  # block, or rr: in turns

    def words(self):
        nodes = -(-self.ranks // self.each)
        uneven = f", {self.ranks} ranks" if nodes * self.each != self.ranks else ""
        return f"{self.platform} {nodes}x{self.each}{' in turns' if self.order == 'rr' else ''}{uneven}"


class Drawn(NamedTuple):
    cluster: Cluster
    collectives: tuple
    sizes: tuple


def draw(seed, all_ranks, networks, collectives=(), sizes=()):
    """Draws in the order of the seed, with kinds of platforms in turns. `networks`: the platforms to draw
    from. `collectives` and `sizes`, if given, replace the drawn ones."""
    dice = random.Random(seed)
    kinds = [(platform, each) for platform, several in PLATFORMS.items() for each in several if platform in networks]
    dice.shuffle(kinds)
    several, singles = [kind for kind in kinds if kind[1] > 1], [kind for kind in kinds if kind[1] == 1]
    kinds = [kind for pair in itertools.zip_longest(several, singles) for kind in pair if kind]
    of_kind = {(platform, each): [Cluster(platform, ranks, each, order) for ranks in all_ranks for order in ("block", "rr")
                                  if each < ranks <= each * networks[platform].nodes and (each > 1 or order == "block")] for platform, each in kinds}
    for clusters in of_kind.values():
        dice.shuffle(clusters)
    drawn = []
    while any(of_kind.values()):
        drawn += [of_kind[kind].pop() for kind in kinds if of_kind[kind]]
    return [Drawn(cluster, tuple(collectives) or (*ALWAYS, dice.choice(OTHERS)), tuple(sizes) or tuple(dice.choice(some) for some in SIZES)) for cluster in drawn]

