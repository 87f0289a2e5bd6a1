// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/element.hpp"

#include <limits>

namespace echelon {

/// Elements as MPI calls want them: an int count of a datatype. Plain elements travel as bytes. Beyond the
/// range of int a datatype of many elements is made for the occasion.
class Counted {
public:
    Counted(const Element& element, std::size_t count)
        : type_(element.plain ? MPI_BYTE : element.type),
          count_(element.plain ? count * Bytes(element.extent) : count),
          bytes_(element.plain ? count_ : count * element.size) {
        if (count_ > std::size_t(std::numeric_limits<int>::max())) make_large();
    }
    ~Counted() {
        if (made_) PMPI_Type_free(&type_);
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    int count() const { return int(count_); }
    MPI_Datatype type() const { return type_; }
    /// That travel.
    Bytes bytes() const { return bytes_; }

private:
    void make_large();

    MPI_Datatype type_;
    std::size_t count_;
    Bytes bytes_;
    bool made_ = false;
};

}  // namespace echelon
