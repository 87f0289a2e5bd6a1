// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/element.hpp"

#include <array>
#include <cstddef>
#include <memory>

namespace echelon {

/// The memory of one call: where its three buffers are and how elements are combined. All links of a
/// communicator's sites share one; a call fills it in.
class Memory {
public:
    /// `self`: rank `own_rank` of a communicator of ours, for copies of elements with gaps.
    Memory(MPI_Comm self, int own_rank) : self_(self), own_rank_(own_rank) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// `data` and `input` point to element 0 as in the user's call (its data begins at the type's true lower
    /// bound).
    void begin(const Element& element, MPI_Op op, const Combination& combination, void* data,
               const void* input, std::size_t scratch_elements);

    const Element& element() const { return element_; }
    MPI_Op op() const { return op_; }
    void* at(const Slice& slice) const {
        return base_[std::size_t(slice.buffer)] + MPI_Aint(slice.offset) * element_.extent;
    }

    /// into = from (+) into, or into (+) from.
    void reduce(const Slice& into, const Slice& from, Side side);
    void copy(const Slice& into, const Slice& from);
    /// The same from user memory to user memory.
    void copy(void* into, const void* from, std::size_t count);

    /// The height of the scratch stack, in elements.
    std::size_t height = 0;

    /// A vector for ranks that may not write where the user's data lies; as `data` of begin(). Valid until
    /// the next one.
    void* working_vector(const Element& element, std::size_t count);
    /// A copy of these elements, for calls that cannot work in place. Valid until the next one.
    const void* copy_of(const Slice& slice);

    /// Seconds that a simulator is told a combined byte takes; real runs take what they take.
    double simulated_gamma = 0;

private:
    /// Space that grows and stays: a repeated call allocates nothing.
    struct Space {
        std::unique_ptr<std::byte[]> bytes;
        Bytes size = 0;
        void* elements(const Element& element, std::size_t count);
    };

    MPI_Comm self_;
    int own_rank_;
    Element element_;
    MPI_Op op_ = MPI_OP_NULL;
    Combination combination_;
    std::array<std::byte*, 3> base_{};
    Space scratch_, vector_, swap_, copy_;
};

}  // namespace echelon
