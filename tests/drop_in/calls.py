# SPDX-License-Identifier: Apache-2.0
"""The collectives through mpi4py: buffers and pickled objects."""
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
for n in (1, 3000):
    mine = array("d", [rank + i for i in range(n)])
    result = array("d", [-1] * n)
    world.Allreduce(mine, result, op=MPI.SUM)
    in_place = array("d", mine)
    world.Allreduce(MPI.IN_PLACE, in_place, op=MPI.SUM)
    assert in_place == result
    for root in range(size):
        top = array("d", mine)
        world.Reduce(MPI.IN_PLACE if rank == root else top, top, op=MPI.MAX, root=root)
        world.Bcast(top, root=root)
        world.Barrier()
        if rank == 0:
            print(n, root, sum(result), sum(top))
together = array("d", [-1] * (2 * size))
mine = array("d", [rank, rank + 0.5])
world.Allgather(mine, together)
world.Alltoall(MPI.IN_PLACE, together)
sums = array("d", [-1, -1])
world.Reduce_scatter_block(together, sums, op=MPI.SUM)
world.Scan(MPI.IN_PLACE, sums, op=MPI.SUM)
world.Exscan(MPI.IN_PLACE, sums, op=MPI.SUM)  # leaves rank 0's unchanged
world.Gather(sums, together if rank == 0 else None, root=0)
world.Scatter(together if rank == 0 else None, sums, root=0)
everything = world.gather((rank, list(sums)), root=0), world.exscan(rank), world.allgather({rank: "rank"})
if rank == 0:
    print(everything)
print_it = world.allreduce({rank}, op=lambda a, b: a | b)
if rank == 0:
    print(sorted(print_it), world.Get_name())
