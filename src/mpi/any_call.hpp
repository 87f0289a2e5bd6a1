// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/calls.hpp"

namespace echelon {

/// Arguments for a call of any collective: buffers of `whole` elements; if ranks have blocks, `block`
/// elements are each rank's.
struct Vectors {
    const void* in;
    void* out;
    MPI_Count whole;
    MPI_Datatype whole_type;
    MPI_Count block;
    MPI_Datatype block_type;
    MPI_Op op;
    int root;
    MPI_Comm comm;
};

/// Passes the call of `collective` with these arguments to `serve` and returns its MPI code. bcast uses
/// `out`; reduce_scatter has equal blocks.
template <class Serve>
int call_on(const Vectors& o, Collective collective, const Serve& serve) {
    switch (collective) {
        case Collective::allreduce:
            return serve(calls::Allreduce{o.in, o.out, o.whole, o.whole_type, o.op, o.comm});
        case Collective::reduce:
            return serve(calls::Reduce{o.in, o.out, o.whole, o.whole_type, o.op, o.root, o.comm});
        case Collective::bcast:
            return serve(calls::Bcast{o.out, o.whole, o.whole_type, o.root, o.comm});
        case Collective::barrier:
            return serve(calls::Barrier{o.comm});
        case Collective::reduce_scatter:
            return serve(calls::Reduce_scatter_block{o.in, o.out, o.block, o.block_type, o.op, o.comm});
        case Collective::allgather:
            return serve(calls::Allgather(o.in, o.block, o.block_type, o.out, o.block, o.block_type, o.comm));
        case Collective::gather:
            return serve(
                calls::Gather(o.in, o.block, o.block_type, o.out, o.block, o.block_type, o.root, o.comm));
        case Collective::scatter:
            return serve(
                calls::Scatter(o.in, o.block, o.block_type, o.out, o.block, o.block_type, o.root, o.comm));
        case Collective::alltoall:
            return serve(calls::Alltoall(o.in, o.block, o.block_type, o.out, o.block, o.block_type, o.comm));
        case Collective::scan:
            return serve(calls::Scan{o.in, o.out, o.whole, o.whole_type, o.op, o.comm});
        case Collective::exscan:
            return serve(calls::Exscan{o.in, o.out, o.whole, o.whole_type, o.op, o.comm});
    }
    return MPI_ERR_OTHER;
}

}  // namespace echelon
