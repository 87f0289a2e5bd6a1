// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace echelon {

/// A function object inside the object, so that setting it allocates nothing. It stays where it was set.
template <class Argument>
class InlineFunction {
public:
    InlineFunction() = default;
    ~InlineFunction() { reset(); }
    InlineFunction(const InlineFunction&) = delete;
    InlineFunction& operator=(const InlineFunction&) = delete;

    template <class Function>
    void set(const Function& function) {
        static_assert(sizeof(Function) <= most && alignof(Function) <= alignof(std::max_align_t));
        reset();
        ::new (static_cast<void*>(storage_)) Function(function);
        call_ = [](void* self, Argument& argument) { (*static_cast<Function*>(self))(argument); };
        destroy_ = [](void* self) { static_cast<Function*>(self)->~Function(); };
    }
    void reset() {
        if (destroy_ != nullptr) destroy_(storage_);
        destroy_ = nullptr;
    }
    /// Requires: it is set.
    void operator()(Argument& argument) { call_(storage_, argument); }

private:
    static constexpr std::size_t most = 320;
    alignas(std::max_align_t) std::byte storage_[most];
    void (*call_)(void*, Argument&) = nullptr;
    void (*destroy_)(void*) = nullptr;
};

}  // namespace echelon
