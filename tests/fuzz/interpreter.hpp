// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/program.hpp"
#include "fuzz/progress.hpp"

#include <array>
#include <map>

namespace fuzz {

/// Counts of comparisons and failures.
struct Tally {
    std::map<std::string, long> compared;
    long failures = 0;
};

/// Runs programs on a communicator and compares each call with the library's own on a copy.
class Interpreter {
public:
    Interpreter(MPI_Comm whole, Progress& progress);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    void run(const Step& step);
    /// Frees the programs' communicators.
    void clear();
    const Tally& tally() const { return tally_; }

private:
    struct Member {
        MPI_Comm user = MPI_COMM_NULL, reference = MPI_COMM_NULL;
        int rank = 0, ranks = 1;
        // Equal on all ranks, even on ranks outside the communicator.
        bool filled = false, inter = false;
    };
    void run_call(const Step& step, const Member& member);
    void run_inter(const Step& step, const Member& member);
    void run_wrong(const Step& given, const Member& member);
    void run_late(const Step& step, const Member& member);
    void make(const Step& step);
    void drop(const Step& given);
    void tell(const Step& step, const Member& member);
    Member& member_at(int slot);
    void hold(Member& member, MPI_Comm made, bool inter);
    void free(Member& member);
    void fail(const Step& step, const Member& member, int repetition, const std::string& what);
    void compare_codes(const Step& step, const Member& member, int repetition, int ours, int theirs);

    Progress& progress_;
    std::array<Member, slots> members_;
    Tally tally_;
};

}  // namespace fuzz
