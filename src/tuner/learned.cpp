// SPDX-License-Identifier: Apache-2.0
#include "tuner/learned.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "mpi/fingerprint.hpp"

#include <filesystem>
#include <utility>

namespace echelon {

bool Learned::is_there() const {
    std::error_code unknown;
    if (!std::filesystem::exists(file_, unknown)) return false;
    if (!std::filesystem::is_regular_file(file_, unknown)) throw Error("it is no regular file");
    return true;
}

Profile Learned::profile() const {
    const Fingerprint here = fingerprint_here();
    const std::string text = is_there() ? read_file(file_) : "";
    if (text.empty()) return {.fingerprint = here};  // a file by mktemp is empty
    Profile found = Profile::parse(text);
    const std::string foreign = difference(found.fingerprint, here);
    if (!foreign.empty()) throw Error("it is of another machine (" + foreign + ")");
    return found;
}

void Learned::read() {
    if (std::exchange(was_read_, true) || file_.empty()) return;
    try {
        // The first of two findings for the same calls holds, and findings of this process hold before both.
        for (const LearnedDecision& one : profile().decisions) known_.try_emplace(key_of(one), one);
    } catch (const Error& error) {
        log_("what " + file_ + " (ECHELON_LEARN) holds is not used: " + error.what());
    }
}

void Learned::add(const LearnedDecision& found) {
    const std::scoped_lock lock(mutex_);
    known_.insert_or_assign(key_of(found), found);
    found_here_.insert(key_of(found));
}

std::vector<LearnedDecision> Learned::about(Collective collective, int p, const std::string& layout,
                                            Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    read();
    const auto is_alike = [&](const auto& one) {
        return one->second.collective == collective && one->second.p == p && one->second.layout == layout;
    };
    std::vector<LearnedDecision> found;
    const auto above = known_.upper_bound({collective, p, layout, bytes});
    if (above != known_.begin() && is_alike(std::prev(above))) {
        const LearnedDecision& one = std::prev(above)->second;
        if (one.sizes.contains(bytes)) return {one};
        if (bytes / 2 <= one.sizes.to) found.push_back(one);
    }
    if (above != known_.end() && is_alike(above) && above->second.sizes.from / 2 <= bytes)
        found.push_back(above->second);
    return found;
}

void Learned::save() {
    const std::scoped_lock lock(mutex_);
    if (file_.empty() || found_here_.empty()) return;
    try {
        (void)is_there();  // no lock file beside a device
        const FileLock alone(file_);
        Profile kept = profile();
        std::erase_if(kept.decisions,
                      [&](const LearnedDecision& one) { return found_here_.contains(key_of(one)); });
        for (const Key& key : found_here_) kept.decisions.push_back(known_.at(key));
        write_file(file_, to_json(kept));
    } catch (const Error& error) {
        log_("what was found is not written into " + file_ + " (ECHELON_LEARN): " + error.what());
    }
}

}  // namespace echelon
