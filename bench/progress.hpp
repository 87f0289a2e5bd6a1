// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon::bench {

/// Form of progress reports: none, a line for each step, or one line that is overwritten.
enum class Progress { none, lines, bar };

/// Reads a value of --progress: auto, bar, lines; `auto` is a bar on a terminal. Error: another word.
Progress parse_progress(std::string_view text, bool on_terminal);

/// Remaining seconds: of the budget `seconds`, if there is one, else extrapolated from the finished share.
/// Negative: unknown.
double seconds_left(double elapsed, double seconds, double share_done);

/// Text for a terminal or a file when `step` is done: "program: step, 8 s, 7 s left", or a bar of 80 columns
/// at most that replaces the preceding one.
std::string progress_text(Progress progress, const std::string& program, const std::string& step,
                          double elapsed, double left);
/// Text behind the last report: moves the cursor to an empty line.
std::string progress_end(Progress progress);

}  // namespace echelon::bench
