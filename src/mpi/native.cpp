// SPDX-License-Identifier: Apache-2.0
#include "mpi/native.hpp"

#include "mpi/count.hpp"
#include "mpi/next.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>

namespace echelon {
namespace {

template <class Piece>
void in_pieces(const Slice& data, Piece&& piece) {
    for (std::size_t done = 0; done < data.count; done += most_elements)
        piece(data.part(done, std::min(most_elements, data.count - done)));
}

/// True if no rank has data; equal on all ranks.
bool carries_nothing(Collective collective, const Args& args) {
    return in_blocks(collective) && collective != Collective::alltoall ? args.blocks.whole().empty()
                                                                       : args.data.empty();
}

}  // namespace

void Native::operator()(Collective collective, const Args& args) {
    // A barrier's phases have no data, but their ranks must wait for each other; MPI's collective need not.
    if (carries_nothing(collective, args)) collective = Collective::barrier;
    memory_.settle();
    switch (collective) {
        case Collective::reduce:
            return reduce(args.data, args.root);
        case Collective::allreduce:
            return allreduce(args.data);
        case Collective::bcast:
            return bcast(args.data, args.root);
        case Collective::barrier:
            return check(next.Barrier(comm_), "MPI_Barrier");
        case Collective::reduce_scatter:
            return reduce_scatter(args.blocks);
        case Collective::allgather:
            return allgather(args.blocks);
        case Collective::gather:
            return gather(args.blocks, args.root);
        case Collective::scatter:
            return scatter(args.blocks, args.root);
        case Collective::alltoall:
            return alltoall(args.input, args.data);
        case Collective::scan:
        case Collective::exscan:
            return scan(collective, args.data);
    }
}

void Native::reduce(const Slice& data, int root) {
    in_pieces(data, [&](const Slice& piece) {
        void* const elements = memory_.writable(piece);
        const void* from = rank_ == root ? MPI_IN_PLACE : elements;
        if (quirks::reduce_in_place_crashes && rank_ == root && root != 0) from = memory_.copy_of(piece);
        check(next.Reduce(from, elements, items(piece), memory_.element().type, memory_.op(), root, comm_),
              "MPI_Reduce");
    });
}

void Native::allreduce(const Slice& data) {
    in_pieces(data, [&](const Slice& piece) {
        check(next.Allreduce(MPI_IN_PLACE, memory_.writable(piece), items(piece), memory_.element().type,
                             memory_.op(), comm_),
              "MPI_Allreduce");
    });
}

void Native::bcast(const Slice& data, int root) {
    in_pieces(data, [&](const Slice& piece) {
        const Counted counted(memory_.element(), piece.count);
        check(next.Bcast(memory_.writable(piece), counted.count(), counted.type(), root, comm_), "MPI_Bcast");
    });
}

void Native::reduce_scatter(const Blocks& blocks) {
    if (blocks.whole().count > most_elements) {
        for (int owner = 0; owner < size_; ++owner) reduce(blocks[owner], owner);
        return;
    }
    counts_.clear();
    for (int r = 0; r < size_; ++r) counts_.push_back(items(blocks[r]));
    void* const first = memory_.writable(blocks.whole());
    check(
        next.Reduce_scatter(MPI_IN_PLACE, first, counts_.data(), memory_.element().type, memory_.op(), comm_),
        "MPI_Reduce_scatter");
    // In place, MPI puts the result at the beginning of the vector; it may overlap the block.
    const Slice own = blocks[rank_], result = blocks.whole().part(0, own.count);
    if (own.offset == result.offset) return;
    const void* const from = own.overlaps(result) ? memory_.copy_of(result) : memory_.writable(result);
    memory_.copy(memory_.writable(own), from, own.count);
}

void Native::allgather(const Blocks& blocks) {
    if (blocks.whole().count > most_elements) {
        for (int owner = 0; owner < size_; ++owner) bcast(blocks[owner], owner);
        return;
    }
    lay_out(blocks);
    check(next.Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, memory_.writable(blocks.whole()),
                          counts_.data(), displacements_.data(), memory_.element().type, comm_),
          "MPI_Allgatherv");
}

void Native::gather(const Blocks& blocks, int root) {
    lay_out(blocks);
    const bool at_root = rank_ == root;
    check(next.Gatherv(at_root ? MPI_IN_PLACE : memory_.writable(blocks[rank_]), items(blocks[rank_]),
                       memory_.element().type, memory_.writable(blocks.whole()), counts_.data(),
                       displacements_.data(), memory_.element().type, root, comm_),
          "MPI_Gatherv");
}

void Native::scatter(const Blocks& blocks, int root) {
    lay_out(blocks);
    const bool at_root = rank_ == root;
    check(next.Scatterv(memory_.writable(blocks.whole()), counts_.data(), displacements_.data(),
                        memory_.element().type, at_root ? MPI_IN_PLACE : memory_.writable(blocks[rank_]),
                        items(blocks[rank_]), memory_.element().type, root, comm_),
          "MPI_Scatterv");
}

void Native::alltoall(const Slice& input, const Slice& data) {
    const Counted block(memory_.element(), data.count / std::size_t(size_));
    check(next.Alltoall(memory_.readable(input), block.count(), block.type(), memory_.writable(data),
                        block.count(), block.type(), comm_),
          "MPI_Alltoall");
}

void Native::scan(Collective collective, const Slice& data) {
    const bool exclusive = collective == Collective::exscan;
    in_pieces(data, [&](const Slice& piece) {
        check((exclusive ? next.Exscan : next.Scan)(MPI_IN_PLACE, memory_.writable(piece), items(piece),
                                                    memory_.element().type, memory_.op(), comm_),
              exclusive ? "MPI_Exscan" : "MPI_Scan");
    });
}

void Native::lay_out(const Blocks& blocks) {
    if (blocks.whole().count > std::size_t(std::numeric_limits<int>::max()))
        throw Error("native gather and scatter phases take at most 2^31 - 1 elements");
    counts_.clear();
    displacements_.clear();
    for (int r = 0; r < size_; ++r) {
        counts_.push_back(items(blocks[r]));
        displacements_.push_back(int((blocks[r].offset - blocks.whole().offset) * memory_.element().repeat));
    }
}

}  // namespace echelon
