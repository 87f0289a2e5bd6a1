// SPDX-License-Identifier: Apache-2.0
#include "core/wire.hpp"

#include "core/error.hpp"

#include <bit>
#include <cstring>

namespace echelon {
namespace {

std::string_view take(std::string_view& text, std::uint64_t length) {
    if (text.size() < length) throw Error("a message between ranks is cut");
    const std::string_view taken = text.substr(0, length);
    text.remove_prefix(length);
    return taken;
}

}  // namespace

void put_number(std::string& text, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) text += char(number | 0x80);
    text += char(number);
}

void put_word(std::string& text, std::string_view word) {
    put_number(text, word.size());
    text += word;
}

void put_double(std::string& text, double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    text.append(reinterpret_cast<const char*>(&bits), sizeof bits);
}

std::uint64_t take_number(std::string_view& text) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(take(text, 1).front());
        number |= std::uint64_t(byte & 0x7f) << shift;
        if (byte < 0x80) return number;
    }
    throw Error("a number in a message between ranks is too long");
}

std::string take_word(std::string_view& text) { return std::string(take(text, take_number(text))); }

double take_double(std::string_view& text) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, take(text, sizeof bits).data(), sizeof bits);
    return std::bit_cast<double>(bits);
}

}  // namespace echelon
