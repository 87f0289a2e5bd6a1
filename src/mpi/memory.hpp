// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/check.hpp"
#include "mpi/combination.hpp"
#include "mpi/ranges.hpp"
#include "mpi/route.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace echelon {

/// The memory of one call: where its three buffers are and how elements are combined. All links of a
/// communicator's teams share one; a call fills it in.
///
/// The vector of a call that is not in place begins as what the user gave. It is not copied: until an element
/// is written, it is read where the user has it, so that the first combination takes its operands from there
/// and from a message, and leaves its result in the vector.
class Memory {
public:
    /// `loopback`: for copies of elements with gaps.
    explicit Memory(const Loopback& loopback) : loopback_(loopback) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// `data` and `input` point to element 0 as in the user's call (its data begins at the type's true lower
    /// bound).
    void begin(const Element& element, MPI_Op op, const Combination& combination, void* data,
               const void* input, std::size_t scratch_elements);

    const Element& element() const { return element_; }
    MPI_Op op() const { return op_; }
    /// The first `count` elements of the vector are those at `from`, which nobody else writes.
    void take(const void* from, std::size_t count);
    /// The vector's elements are where it lies; of `slice`, or all. Before somebody else works on them.
    void settle(const Slice& slice);
    void settle();

    /// Elements to be read, or to be written all. To be changed: settle(), then writable().
    const void* readable(const Slice& slice);
    void* writable(const Slice& slice);

    /// into = from (+) into, or into (+) from.
    void reduce(const Slice& into, const Slice& from, Side side);
    void copy(const Slice& into, const Slice& from);
    /// The same from user memory to user memory.
    void copy(void* into, const void* from, std::size_t count);
    /// Elements of the vector to the user's memory, where padding stays as it is.
    void hand_over(void* into, const Slice& from);

    /// Elements as they lie in a window: as kernels want them, else packed. Bytes of one.
    Bytes put_size() const { return combination_.kernel != nullptr ? Bytes(element_.extent) : element_.size; }
    void put(std::byte* into, const Slice& from);
    /// Elements of the vector lie as in a window where they are.
    bool lies_as_in_window() const { return combination_.kernel != nullptr || element_.dense(); }
    /// These elements as they lie in a window, without a copy where that can be. Until the next call.
    const std::byte* exposed(const Slice& what);
    /// Where to write them all. Requires: lies_as_in_window().
    std::byte* exposed_into(const Slice& into);
    void get(const Slice& into, const std::byte* from);
    /// into = operands combined from the left; nullptr stands for the elements in `into`.
    void fold(const Slice& into, std::span<const std::byte* const> operands);

    /// The height of the scratch stack, in elements.
    std::size_t height = 0;

    /// A vector for ranks that may not write where the user's data lies; as `data` of begin(). Valid until
    /// the next one.
    void* working_vector(const Element& element, std::size_t count);
    /// A copy of these elements, for calls that cannot work in place. Valid until the next one.
    const void* copy_of(const Slice& slice);

private:
    /// Space that grows and stays: a repeated call allocates nothing.
    struct Space {
        std::unique_ptr<std::byte[]> bytes;
        Bytes size = 0;
        void* elements(const Element& element, std::size_t count);
    };

    std::byte* at(const Slice& slice) const {
        return base_[std::size_t(slice.buffer)] + MPI_Aint(slice.offset) * element_.extent;
    }
    /// Of elements of the type that the user named, which is what the user's function is given.
    void combine(std::byte* own, const std::byte* other, std::size_t items, Side side);
    void copy_items(void* into, const void* from, std::size_t items);
    /// The same, but for what lies in gaps and padding.
    void copy_data(void* into, const void* from, std::size_t items);
    /// To and from where elements lie as in a window.
    void lay_out(std::byte* into, const void* from, std::size_t count);
    void take_in(void* into, const std::byte* from, std::size_t count);
    void fold_by_kernel(const Slice& into, std::span<const std::byte* const> operands);
    void fold_by_library(const Slice& into, std::span<const std::byte* const> operands);
    const std::byte* given(std::size_t offset) const { return given_ + MPI_Aint(offset) * element_.extent; }

    Loopback loopback_;
    Element element_;
    MPI_Op op_ = MPI_OP_NULL;
    Combination combination_;
    std::array<std::byte*, 3> base_{};
    const std::byte* given_ = nullptr;  // what take() was told
    Ranges unwritten_;                  // elements of the vector that are still there
    Space scratch_, vector_, swap_, copy_, packed_, folded_;
    std::vector<Space> exposed_;  // of elements that do not
    std::size_t exposures_ = 0;
};

}  // namespace echelon
