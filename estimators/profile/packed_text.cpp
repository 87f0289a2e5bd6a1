// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/packed_text.hpp"

#include "core/error.hpp"

#include <zlib.h>
#include <cstdint>
#include <cstring>
#include <utility>

namespace echelon {
namespace {

using Length = std::uint64_t;

const Bytef* as_zlib(const char* bytes) { return reinterpret_cast<const Bytef*>(bytes); }
Bytef* as_zlib(char* bytes) { return reinterpret_cast<Bytef*>(bytes); }

}  // namespace

PackedText::PackedText(std::string_view text) {
    uLongf packed = compressBound(text.size());
    bytes_.resize(sizeof(Length) + packed);
    const Length length = text.size();
    std::memcpy(bytes_.data(), &length, sizeof length);
    if (compress2(as_zlib(bytes_.data() + sizeof length), &packed, as_zlib(text.data()), text.size(),
                  Z_BEST_SPEED) != Z_OK)
        throw Error("a text of " + std::to_string(text.size()) + " bytes cannot be packed: no memory");
    bytes_.resize(sizeof length + packed);
    bytes_.shrink_to_fit();
}

PackedText PackedText::of(std::string bytes) {
    PackedText made;
    made.bytes_ = std::move(bytes);
    return made;
}

std::string PackedText::text() const {
    Length length = 0;
    if (bytes_.size() < sizeof length) throw Error("no packed text: it is too short");
    std::memcpy(&length, bytes_.data(), sizeof length);
    constexpr Length most_of_a_byte = 1032;  // zlib's largest compression factor
    if (length / most_of_a_byte > bytes_.size()) throw Error("no packed text: it is too short");
    std::string text(length, '\0');
    uLongf made = length;
    const int answer = uncompress(as_zlib(text.data()), &made, as_zlib(bytes_.data() + sizeof length),
                                  bytes_.size() - sizeof length);
    if (answer != Z_OK || made != length) throw Error("no packed text: zlib cannot read it");
    return text;
}

}  // namespace echelon
