// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fuzz {

/// Position of each rank, in a file that the launcher of the ranks reads while they run: a rank that hangs or
/// dies cannot report it. One record of eight 64-bit numbers a rank.
class Progress {
public:
    enum class Doing : std::int64_t { nothing, ours, library, ended };

    /// Without a file nothing is written.
    Progress(const std::string& file, int rank);
    void at(int program, int step, int repetition, Doing doing);
    /// Counts a failed comparison.
    void failed() { record_->failures = record_->failures + 1; }

private:
    struct Record {
        volatile std::int64_t beats, program, step, repetition, doing, failures, spare[2];
    };
    Record own_{};
    Record* record_ = &own_;
};

/// A line that names the rank, to standard error, at once.
void say(const std::string& line);

}  // namespace fuzz
