// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/program.hpp"

#include <cfenv>
#include <locale>
#include <string>
#include <vector>

namespace fuzz {

/// Properties of a process that MPI does not mention, for example its rounding mode, drawn for each rank.
/// Each kind has a stream of its own: without one kind the others stay as they are.
class Environment {
public:
    /// Features name the kinds that may be drawn.
    Environment(std::uint64_t seed, int rank, int ranks, const Features& features);

    /// Changes of the process before MPI_Init. May start the program again, for the stack.
    void before_init(char** argv);
    /// MPI_Init or MPI_Init_thread, by name or by its address in the MPI library.
    void init(int* argc, char*** argv, bool threads) const;
    /// Changes behind MPI_Init.
    void after_init();
    /// Changes that are due at this step of this program.
    void at(int program, int step);
    /// Changes that are due at any step.
    void at_once();
    /// One line of text; empty if the process stays as it is.
    std::string words() const;

private:
    enum class Moment { before_init, after_init, middle };
    struct Kind;
    static const std::vector<Kind>& kinds();
    struct Change {
        const Kind* kind;
        int value;
        Moment moment;
        int step;
        bool done;
    };
    void apply(Moment moment, int step);

    std::vector<Change> changes_;
    bool without_cross_memory_ = false;
};

/// The arithmetic and the locale of a fresh process while it lives: what is drawn must be alike on all ranks.
class AsStarted {
public:
    AsStarted();
    ~AsStarted();
    AsStarted(const AsStarted&) = delete;
    AsStarted& operator=(const AsStarted&) = delete;

private:
    std::fenv_t arithmetic_;
    std::string c_locale_;
    std::locale locale_;
};

}  // namespace fuzz
