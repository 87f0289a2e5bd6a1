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

/// Findings of trials for communicators of equal size and layout, on any communicator of the process; with a
/// file, also of earlier programs. A process has the findings of the communicators of which it is rank 0, and
/// passes them on in its decisions. Safe to use from several threads.
class Learned {
public:
    /// `file`: a profile in which findings survive; empty: none. `log` receives complaints about it.
    Learned(std::string file, std::function<void(const std::string&)> log)
        : file_(std::move(file)), log_(std::move(log)) {}

    /// Replaces an earlier finding.
    void add(const LearnedDecision& found);
    /// The finding for calls of this size; else the next ones of smaller and larger sizes, within a factor of
    /// two.
    std::vector<LearnedDecision> about(Collective collective, int p, const std::string& layout, Bytes bytes);
    /// Adds the findings of this process to the file, beside the entries of other programs. To be called
    /// once.
    void save();

private:
    /// Collective, number of ranks, layout, and the smallest size of the finding.
    using Key = std::tuple<Collective, int, std::string, Bytes>;
    static Key key_of(const LearnedDecision& one) {
        return {one.collective, one.p, one.layout, one.sizes.from};
    }
    void read();
    /// True if the file exists. Error: it is no regular file.
    bool is_there() const;
    /// The content of the file, if it is from this machine; empty if there is none. Error: the file cannot be
    /// used.
    Profile profile() const;

    const std::string file_;
    const std::function<void(const std::string&)> log_;
    std::mutex mutex_;
    bool was_read_ = false;
    std::map<Key, LearnedDecision> known_;
    std::set<Key> found_here_;
};

}  // namespace echelon
