// SPDX-License-Identifier: Apache-2.0
#include "bench/progress.hpp"

#include "core/error.hpp"
#include "core/spelling.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace echelon::bench {

Progress parse_progress(std::string_view text, bool on_terminal) {
    if (text == "auto") return on_terminal ? Progress::bar : Progress::lines;
    if (text == "bar") return Progress::bar;
    if (text == "lines") return Progress::lines;
    throw Error("--progress: " + is_none_of(text, {"auto", "bar", "lines"}));
}

double seconds_left(double elapsed, double seconds, double share_done) {
    if (seconds > 0) return std::max(0.0, seconds - elapsed);
    return share_done > 0 ? elapsed * (1 - share_done) / share_done : -1;
}

std::string progress_text(Progress progress, const std::string& program, const std::string& step,
                          double elapsed, double left) {
    const std::string when =
        fmt::format("{:.0f} s", elapsed) + (left < 0 ? "" : fmt::format(", {:.0f} s left", left));
    if (progress == Progress::lines) return program + ": " + step + ", " + when + '\n';
    if (progress == Progress::none) return "";
    constexpr std::size_t cells = 20, columns = 79;
    const double share = left < 0 || elapsed + left <= 0 ? 0 : elapsed / (elapsed + left);
    const auto full = std::min(cells, std::size_t(share * double(cells)));
    std::string line =
        '[' + std::string(full, '#') + std::string(cells - full, '.') + "] " + when + ": " + step;
    line.resize(std::min(line.size(), columns));
    return '\r' + line + "\x1b[K";  // erases the rest of the preceding line
}

std::string progress_end(Progress progress) { return progress == Progress::bar ? "\r\x1b[K" : ""; }

}  // namespace echelon::bench
