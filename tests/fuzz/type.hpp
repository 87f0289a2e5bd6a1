// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/operation.hpp"
#include "fuzz/sides.hpp"

namespace fuzz {

/// A committed type while it is in scope; its data lie `behind` bytes behind the address.
class Type {
public:
    explicit Type(const Side& side, std::ptrdiff_t behind = 0)
        : layout_(behind == 0 ? side.layout : moved(side.layout, behind)), type_(fuzz::make(layout_)) {
        if (layout_.kind != Layout::Kind::basic) remember(type_, side.map);
    }
    ~Type() {
        if (layout_.kind != Layout::Kind::basic) forget(type_);
        release(layout_, type_);
    }
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    MPI_Datatype get() const { return type_; }

private:
    Layout layout_;
    MPI_Datatype type_;
};

inline MPI_Op op_of(const Step& step) {
    return step.op < 100 ? predefined()[std::size_t(step.op)].op
                         : user_operations()[std::size_t(step.op - 100)].op;
}

}  // namespace fuzz
