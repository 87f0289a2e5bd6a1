// SPDX-License-Identifier: Apache-2.0
#include "core/say.hpp"

#include "core/format.hpp"
#include "core/pipe_signal.hpp"

#include <cstdio>

namespace echelon {

std::string one_line(std::string_view sentence) {
    constexpr std::size_t most = 1200, end = 300;
    std::string line;
    const auto append = [&](std::string_view part) {
        for (const char c : part) {
            const auto code = static_cast<unsigned char>(c);
            if (c == '\n')
                line += "\\n";
            else if (code < ' ' || code == 0x7f)
                line += format("\\x%02x", unsigned(code));
            else
                line += c;
        }
    };
    if (sentence.size() <= most) {
        append(sentence);
    } else {
        append(sentence.substr(0, most - end));
        line += format(" ... (%zu bytes) ... ", sentence.size() - most);
        append(sentence.substr(sentence.size() - end));
    }
    return line;
}

void say(std::string_view sentence) { say_lines(format("echelon: %s\n", one_line(sentence).c_str())); }

void say_lines(const std::string& text) {
    const PipeSignalBlocked blocked;
    std::fputs(text.c_str(), stderr);
}

}  // namespace echelon
