// SPDX-License-Identifier: Apache-2.0
#include "front/nonblocking.hpp"

namespace echelon {
namespace {

/// A datatype that lives as long as the object. It holds the user's type; no callback of an attribute runs.
class HeldType {
public:
    explicit HeldType(MPI_Datatype type) {
        check(PMPI_Type_contiguous(1, type, &handle_), "MPI_Type_contiguous");
        check(PMPI_Type_commit(&handle_), "MPI_Type_commit");
    }
    ~HeldType() { PMPI_Type_free(&handle_); }
    HeldType(const HeldType&) = delete;
    HeldType& operator=(const HeldType&) = delete;
    MPI_Datatype get() const { return handle_; }

private:
    MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

}  // namespace

Items Starting::kept(Items items) {
    return items.dense() ? std::move(items) : Persisting::kept(std::move(items));
}

Items Persisting::kept(Items items) {
    if (items.element.kind != Element::Kind::other) return items;
    auto held = std::make_shared<HeldType>(items.element.type);
    items.element.type = held->get();
    items.holder = std::move(held);
    return items;
}

}  // namespace echelon
