// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/basics.hpp"
#include "fuzz/random.hpp"

#include <string>
#include <vector>

namespace fuzz {

/// A derived datatype as a value: it can be printed, mapped without MPI, and made.
struct Layout {
    enum class Kind {
        basic,           // the index in basics()
        contiguous,      // n
        vector,          // n, length, stride in elements
        hvector,         // n, length, stride in bytes
        indexed,         // lengths, places in elements
        hindexed,        // lengths, places in bytes
        indexed_block,   // length, places in elements
        hindexed_block,  // length, places in bytes
        structure,       // lengths, places in bytes; as many parts
        subarray,        // order (0 C, 1 Fortran), then sizes, parts, starts
        resized,         // lower bound, extent
        duplicate
    };
    Kind kind = Kind::basic;
    std::vector<long> numbers{0};
    std::vector<Layout> parts = {};
};

Layout basic_layout(int basic);
/// Text in the style of C.
std::string words(const Layout& layout);

/// A basic type at a place.
struct Piece {
    std::ptrdiff_t at;
    int basic;
};

/// The type map.
struct Map {
    /// In the map's order, which is the order of the bytes in a message.
    std::vector<Piece> pieces;
    std::ptrdiff_t lower = 0, extent = 0;
    /// Begin and end of the data.
    std::ptrdiff_t first = 0, last = 0;
    bool basic = false;
};

Map map_of(const Layout& layout);
/// True if some byte of `count` elements is named twice; then the type may only send.
bool overlaps(const Map& map, long count);

/// A committed datatype. Exits with a sentence if MPI reports another size or extent than map_of: then this
/// tester is wrong.
MPI_Datatype make(const Layout& layout);
/// Frees a type of make().
void release(const Layout& layout, MPI_Datatype& type);

/// A type with gaps, negative bounds, an order other than memory's ... Without `may_overlap`, `count`
/// elements name no byte twice.
Layout random_layout(Random& random, long count, bool may_overlap, bool one_basic);
/// Another type with this signature; any number of them may lie side by side.
Layout relaid(const Map& map, Random& random, bool may_overlap);
/// Data more than 2 GiB apart. `count` must be 1 or 2.
Layout wide_layout(Random& random);
/// `inner`, moved by `behind` bytes.
Layout moved(Layout inner, std::ptrdiff_t behind);

}  // namespace fuzz
