// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon::bench {

/// How long work tells how far it is: nothing, a line for each step, or one line that is written over again.
enum class Progress { none, lines, bar };

/// As --progress says it: auto, bar, lines; `auto` is a bar on a terminal. Error: another word.
Progress parse_progress(std::string_view text, bool on_terminal);

/// Seconds that are left: of those there are, else as the share of the work that is done lets expect. Negative: not known.
double seconds_left(double elapsed, double seconds, double share_done);

/// What is written to a terminal or a file when `step` is done: "program: step, 8 s, 7 s left", or a bar of 80 columns at most
/// over the one before.
std::string progress_text(Progress progress, const std::string& program, const std::string& step,
                          double elapsed, double left);
/// Behind the last: the cursor goes where other words begin.
std::string progress_end(Progress progress);

}  // namespace echelon::bench
