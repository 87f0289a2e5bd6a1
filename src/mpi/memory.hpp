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

/// The memory of one call: the addresses of its three buffers, and the way elements are combined. All links
/// of a communicator share one; each call sets it.
///
/// The vector of a call that is not in place begins as the user's input, without a copy. An element is read
/// in the input until it is written: the first combination takes its operands from the input and a message,
/// and leaves its result in the vector.
class Memory {
public:
    /// `loopback`: carries copies of elements with gaps.
    explicit Memory(const Loopback& loopback) : loopback_(loopback) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Sets the memory of a call. `data` and `input` point to element 0 like in the user's call (its data
    /// begins at the type's true lower bound).
    void begin(const Element& element, MPI_Op op, const Combination& combination, void* data,
               const void* input, std::size_t scratch_elements);

    const Loopback& loopback() const { return loopback_; }
    void set_loopback(const Loopback& loopback) { loopback_ = loopback; }
    const Element& element() const { return element_; }
    MPI_Op op() const { return op_; }
    /// The vector of begin().
    std::byte* data() const { return base_[std::size_t(Buffer::data)]; }
    /// The vector begins as the `count` elements at `from`, which must not change during the call.
    void take(const void* from, std::size_t count);
    /// Copies elements that are still in the input into the vector: all, or `slice`. Needed before
    /// other code, like the MPI library, works on the vector.
    void settle(const Slice& slice);
    void settle();

    /// The address to read elements, or to overwrite all of them. To change elements: settle(), then
    /// writable().
    const void* readable(const Slice& slice);
    void* writable(const Slice& slice);

    /// into = from (+) into, or into (+) from.
    void reduce(const Slice& into, const Slice& from, Side side);
    void copy(const Slice& into, const Slice& from);
    /// Copies `count` elements from user memory to user memory.
    void copy(void* into, const void* from, std::size_t count);
    /// Copies elements of the vector to the user's memory, without their padding.
    void hand_over(void* into, const Slice& from);

    /// Bytes of an element in a window. A window holds elements in the kernels' layout if there is a kernel,
    /// and packed ones otherwise.
    Bytes put_size() const { return combination_.kernel != nullptr ? Bytes(element_.extent) : element_.size; }
    void put(std::byte* into, const Slice& from);
    /// The vector has the layout of a window.
    bool lies_as_in_window() const { return combination_.kernel != nullptr || element_.dense(); }
    /// These elements in a window's layout, without a copy if possible. Valid until the next call.
    const std::byte* exposed(const Slice& what);
    /// The address to overwrite all these elements. Requires: lies_as_in_window().
    std::byte* exposed_into(const Slice& into);
    void get(const Slice& into, const std::byte* from);
    /// into = operands combined from the left; a null operand stands for the elements in `into`.
    void fold(const Slice& into, std::span<const std::byte* const> operands);

    /// The height of the scratch stack, in elements.
    std::size_t height = 0;

    /// Bytes of scratch space, working vector and copies.
    Bytes held() const { return scratch_.size + vector_.size + swap_.size + copy_.size + packed_.size; }

    /// A vector to pass as `data` of begin(), for ranks that must not write the user's memory. Valid until
    /// the next working_vector().
    void* working_vector(const Element& element, std::size_t count);
    /// A copy of these elements, for calls that cannot work in place. Valid until the next copy_of().
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
    /// Combines `items` elements of the datatype that the user named; the user's function gets this datatype.
    void combine(std::byte* own, const std::byte* other, std::size_t items, Side side);
    void copy_items(void* into, const void* from, std::size_t items);
    /// Copies data only, without gaps and padding.
    void copy_data(void* into, const void* from, std::size_t items);
    /// Copies elements to and from the layout of a window.
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
    const std::byte* given_ = nullptr;  // the input that take() got
    Ranges unwritten_;                  // elements of the vector that are still in the input
    Space scratch_, vector_, swap_, copy_, packed_, folded_;
    std::vector<Space> exposed_;  // packed copies of elements without a window's layout
    std::size_t exposures_ = 0;
};

}  // namespace echelon
