// SPDX-License-Identifier: Apache-2.0
#include "mpi/packing.hpp"

#include "mpi/check.hpp"
#include "mpi/count.hpp"

#include <algorithm>
#include <limits>

namespace echelon {
namespace {

/// Calls `piece` on parts that fit into int counts.
template <class Piece>
void in_pieces(std::size_t count, const Element& element, Piece&& piece) {
    const std::size_t most = std::max<std::size_t>(most_elements / element.size, 1);
    for (std::size_t done = 0; done < count; done += most) piece(done, std::min(most, count - done));
}

/// A user's buffer in a form that MPI_Pack accepts. MPICH refuses MPI_BOTTOM: address 1 replaces it, with a
/// datatype shifted back by one byte.
class Packable {
public:
    Packable(const void* buffer, MPI_Datatype type)
        : buffer_(static_cast<std::byte*>(const_cast<void*>(buffer))), type_(type) {
        if (buffer != MPI_BOTTOM) return;
        const MPI_Aint back = -1;
        check(PMPI_Type_create_hindexed_block(1, 1, &back, type, &type_), "MPI_Type_create_hindexed_block");
        made_ = true;
        check(PMPI_Type_commit(&type_), "MPI_Type_commit");
        buffer_ += 1;
    }
    ~Packable() {
        if (made_) PMPI_Type_free(&type_);
    }
    Packable(const Packable&) = delete;
    Packable& operator=(const Packable&) = delete;

    void* buffer() const { return buffer_; }
    MPI_Datatype type() const { return type_; }

private:
    std::byte* buffer_;
    MPI_Datatype type_;
    bool made_ = false;
};

/// MPI_Pack counts bytes in ints; a single element may have more.
bool packs(Bytes bytes) { return bytes <= Bytes(std::numeric_limits<int>::max()); }

}  // namespace

// A message to oneself serves only elements too long for MPI_Pack: MPICH 4.0.2 cannot receive a message of
// more than 8 KB if no basic type ends at that boundary.

void pack(void* packed, const void* from, std::size_t count, const Element& element,
          const Loopback& loopback) {
    in_pieces(count, element, [&](std::size_t done, std::size_t part) {
        const auto* const source = static_cast<const std::byte*>(from) + MPI_Aint(done) * element.extent;
        auto* const target = static_cast<std::byte*>(packed) + done * element.size;
        const Counted bytes(MPI_PACKED, part * element.size);
        if (packs(bytes.bytes())) {
            const Packable user(source, element.type);
            int at = 0;
            check(PMPI_Pack(user.buffer(), int(part), user.type(), target, bytes.count(), &at, loopback.comm),
                  "MPI_Pack");
        } else {
            check(PMPI_Sendrecv(source, int(part), element.type, loopback.rank, loopback.tag, target,
                                bytes.count(), bytes.type(), loopback.rank, loopback.tag, loopback.comm,
                                MPI_STATUS_IGNORE),
                  "MPI_Sendrecv");
        }
    });
}

void unpack(void* into, const void* packed, std::size_t count, const Element& element,
            const Loopback& loopback) {
    in_pieces(count, element, [&](std::size_t done, std::size_t part) {
        auto* const target = static_cast<std::byte*>(into) + MPI_Aint(done) * element.extent;
        const auto* const source = static_cast<const std::byte*>(packed) + done * element.size;
        const Counted bytes(MPI_PACKED, part * element.size);
        if (packs(bytes.bytes())) {
            const Packable user(target, element.type);
            int at = 0;
            check(
                PMPI_Unpack(source, bytes.count(), &at, user.buffer(), int(part), user.type(), loopback.comm),
                "MPI_Unpack");
        } else {
            check(PMPI_Sendrecv(source, bytes.count(), bytes.type(), loopback.rank, loopback.tag, target,
                                int(part), element.type, loopback.rank, loopback.tag, loopback.comm,
                                MPI_STATUS_IGNORE),
                  "MPI_Sendrecv");
        }
    });
}

}  // namespace echelon
