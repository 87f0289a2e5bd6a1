// SPDX-License-Identifier: Apache-2.0
#pragma once

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
        std::call_once(once_, [&] { companion_ = std::make_unique<Made>(owner); });
        return static_cast<Made&>(*companion_);
    }
    /// Null before the first get().
    Companion* known() const { return companion_.get(); }

private:
    std::once_flag once_;
    std::unique_ptr<Companion> companion_;
};

}  // namespace echelon
