// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace echelon {

/// An object of the room `tuner`, which uses `cache`. It lives as long as its owner, a State or the Process.
class Companion {
public:
    Companion() = default;
    virtual ~Companion() = default;
    Companion(const Companion&) = delete;
    Companion& operator=(const Companion&) = delete;

    /// Completes messages that would keep the user's communicator in use.
    virtual void complete() {}
    /// Sentences for the summary. Local.
    virtual std::vector<std::string> reasons() { return {}; }
    /// Ends its work; afterwards it holds memory only.
    virtual void close() = 0;
};

/// The place of the one companion of an owner. Requires: every call of get() names the same class.
class CompanionSlot {
public:
    /// The companion, made from `owner` on first use. Safe to call from several threads.
    template <class Made, class Owner>
    Made& get(Owner& owner) {
        if (known() == nullptr) [[unlikely]]
            std::call_once(once_, [&] {
                companion_ = std::make_unique<Made>(owner);
                known_.store(companion_.get(), std::memory_order_release);
            });
        return static_cast<Made&>(*known());
    }
    /// Null before the first get().
    Companion* known() const { return known_.load(std::memory_order_acquire); }

private:
    std::once_flag once_;
    std::atomic<Companion*> known_ = nullptr;  // read without the cost of std::call_once
    std::unique_ptr<Companion> companion_;
};

}  // namespace echelon
