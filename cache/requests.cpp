// SPDX-License-Identifier: Apache-2.0
#include "cache/requests.hpp"

#include "cache/process.hpp"
#include "settings/info_keys.hpp"

namespace echelon {

void Requests::look_up() {
    at_odds_ = settings_differ();
    settled_ = at_odds_ || InfoKeys::of(process_.keys_keyval(), user_) == nullptr;
    if (at_odds_) say_at_odds();
}

bool Requests::settings_differ() const {
    const JobMap* const job_map = process_.world().job_map();
    return job_map != nullptr && !job_map->all_alike() && !job_map->alike(ranks_in_world(user_));
}

void Requests::say_at_odds() const {
    process_.log().once(
        rank_of(user_) == 0,
        "the ranks of a communicator have different ECHELON_ settings or info keys; it stays with the "
        "native collectives");
}

bool Requests::unsettle() {
    // All ranks must find the same answer, whether they saw this communicator before or not.
    if (settings_differ()) return false;
    settled_ = false;
    return true;
}

std::uint64_t Requests::take() {
    settled_ = true;
    keys_ = InfoKeys::of(process_.keys_keyval(), user_);
    return process_.settings().fingerprint() * 3 + (keys_ != nullptr ? keys_->fingerprint() : 0);
}

void Requests::compared(bool alike) {
    at_odds_ = !alike;
    if (at_odds_) say_at_odds();
}

}  // namespace echelon
