// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace echelon {

/// The binary form of messages between ranks, independent of locale and rounding mode: variable-length
/// integers, words behind their length, the bits of doubles. put_X appends to `text`; take_X takes from its
/// front. Error: the text is cut.
void put_number(std::string& text, std::uint64_t number);
void put_word(std::string& text, std::string_view word);
void put_double(std::string& text, double number);
std::uint64_t take_number(std::string_view& text);
std::string take_word(std::string_view& text);
double take_double(std::string_view& text);

}  // namespace echelon
