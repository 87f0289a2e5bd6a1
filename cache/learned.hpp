// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace echelon {

/// What trials found for communicators of as many ranks in the same layout, on whichever of them they ran; with
/// a file, also in earlier programs. Each rank knows of the communicators whose rank 0 it is, and tells the
/// others. Safe to use from several threads.
class Learned {
public:
    /// `file`, a profile: where findings survive; empty: nowhere. `say` hears what is wrong with it.
    Learned(std::string file, std::function<void(const std::string&)> say)
        : file_(std::move(file)), say_(std::move(say)) {}

    /// In place of what was found before.
    void add(const LearnedDecision& found);
    /// What was found for calls of that size; else for the next smaller and larger ones, by a factor of two at
    /// most.
    std::vector<LearnedDecision> about(Collective collective, int p, const std::string& layout, Bytes bytes);
    /// Adds what was found here to the file, beside what others have written into it. To be called once.
    void save();

private:
    /// The last is the least size of those that it was found for.
    using Key = std::tuple<Collective, int, std::string, Bytes>;
    static Key key_of(const LearnedDecision& one) {
        return {one.collective, one.p, one.layout, one.sizes.from};
    }
    void read();
    /// Error: something is, which cannot be read and written again.
    bool is_there() const;
    /// Of the file, if there is one, and of this machine. Error: why it is of no use.
    Profile profile() const;

    const std::string file_;
    const std::function<void(const std::string&)> say_;
    std::mutex mutex_;
    bool was_read_ = false;
    std::map<Key, LearnedDecision> known_;
    std::set<Key> found_here_;
};

}  // namespace echelon
