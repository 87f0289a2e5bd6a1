// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace echelon {

/// Splits a slice into parts: into `parts` that differ by at most one element, the longer ones first, or at
/// given starts. Parts beyond the last are empty; ranks without a block need no special case.
class Blocks {
public:
    Blocks() = default;
    Blocks(Slice whole, int parts)
        : whole_(whole),
          parts_(parts),
          share_(whole.count / std::size_t(parts)),
          longer_(whole.count % std::size_t(parts)) {}
    Blocks(std::size_t total, int parts) : Blocks(Slice{0, total}, parts) {}
    /// Part i holds elements [starts[i], starts[i + 1]) of the slice. Requires: the parts together fill the
    /// slice.
    Blocks(Slice whole, std::vector<std::size_t> starts)
        : whole_(whole),
          parts_(int(starts.size()) - 1),
          starts_(std::make_shared<const std::vector<std::size_t>>(std::move(starts))) {}

    Slice operator[](int part) const { return range(part, part + 1); }

    /// Parts [first, last) as one slice.
    Slice range(int first, int last) const {
        const std::size_t from = start(first);
        return whole_.part(from, start(last) - from);
    }
    const Slice& whole() const { return whole_; }
    int parts() const { return parts_; }
    /// False also if equal parts were given in different ways: as a number, and by their starts.
    friend bool operator==(const Blocks& one, const Blocks& other) {
        if (one.whole_ != other.whole_ || one.parts_ != other.parts_) return false;
        if (one.starts_ == nullptr || other.starts_ == nullptr) return one.starts_ == other.starts_;
        return *one.starts_ == *other.starts_;
    }

private:
    std::size_t start(int part) const {
        const auto i = std::size_t(std::min(part, parts_));
        if (starts_ != nullptr) return (*starts_)[i];
        return i * share_ + std::min(i, longer_);
    }

    Slice whole_;
    int parts_ = 1;
    std::size_t share_ = 0;
    std::size_t longer_ = 0;
    std::shared_ptr<const std::vector<std::size_t>> starts_;
};

/// Cuts a slice into segments of at most `length` elements; 0 means one segment. An empty slice has one empty
/// segment.
class Segments {
public:
    Segments(Slice whole, std::size_t length)
        : whole_(whole), length_(length == 0 ? std::max<std::size_t>(whole.count, 1) : length) {}
    std::size_t size() const { return whole_.count <= length_ ? 1 : (whole_.count + length_ - 1) / length_; }
    Slice operator[](std::size_t i) const {
        const std::size_t from = i * length_;
        return whole_.part(from, std::min(length_, whole_.count - from));
    }
    std::size_t longest() const { return std::min(length_, whole_.count); }

private:
    Slice whole_;
    std::size_t length_;
};

/// Elements in a segment of `segment` bytes: at least one; 0 (uncut) for 0 bytes.
constexpr std::size_t segment_elements(Bytes segment, Bytes element_size) {
    return segment == 0 ? 0 : std::max<std::size_t>(segment / std::max<Bytes>(element_size, 1), 1);
}

}  // namespace echelon
