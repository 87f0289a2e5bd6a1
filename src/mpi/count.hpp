// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/element.hpp"

#include <limits>

namespace echelon {

/// Most elements of one call with int counts and displacements.
constexpr std::size_t most_elements = std::size_t(1) << 30;

/// Elements in the form of MPI's arguments: an int count of a datatype. Plain elements travel as bytes.
/// Beyond the range of int the constructor makes a datatype of many elements.
class Counted {
public:
    Counted(const Element& element, std::size_t count)
        : Counted(element.plain ? MPI_BYTE : element.type,
                  element.plain ? count * Bytes(element.extent) : count * element.repeat,
                  count * (element.plain ? Bytes(element.extent) : element.size)) {}
    /// `type` has elements of one byte.
    Counted(MPI_Datatype type, Bytes bytes) : Counted(type, bytes, bytes) {}
    ~Counted() {
        if (made_) PMPI_Type_free(&type_);
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    int count() const { return int(count_); }
    MPI_Datatype type() const { return type_; }
    /// Bytes of data in the message.
    Bytes bytes() const { return bytes_; }

private:
    Counted(MPI_Datatype type, std::size_t count, Bytes bytes) : type_(type), count_(count), bytes_(bytes) {
        if (count_ > std::size_t(std::numeric_limits<int>::max())) make_large();
    }
    void make_large();

    MPI_Datatype type_;
    std::size_t count_;
    Bytes bytes_;
    bool made_ = false;
};

}  // namespace echelon
