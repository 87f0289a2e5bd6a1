// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace echelon {

/// Remarks that a reader collects instead of ending with an error.
struct Remarks {
    std::vector<std::string> unknown;  ///< places of keys that are not read
    std::vector<std::string> errors;   ///< of entries of lists, which are left out
};

/// A value of a JSON document with its place in the document, for precise error messages:
/// "parameters.between.alpha: expected a number from 0 on, found \"fast\"".
class JsonReader {
public:
    JsonReader(const nlohmann::json& value, std::string place, Remarks* remarks)
        : value_(value), place_(std::move(place)), remarks_(remarks) {}

    [[noreturn]] void fail(const std::string& expected) const {
        std::string found = value_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        if (found.size() > 40) found = found.substr(0, 37) + "...";
        throw Error(place_ + ": expected " + expected + ", found " + found);
    }

    /// Checks that the value is an object. Keys other than these are collected as unknown.
    const JsonReader& object(std::initializer_list<const char*> keys) const {
        if (!value_.is_object()) fail("an object");
        if (remarks_ != nullptr)
            for (const auto& [key, value] : value_.items())
                if (std::find(keys.begin(), keys.end(), key) == keys.end())
                    remarks_->unknown.push_back(place_.empty() ? key : place_ + '.' + key);
        return *this;
    }
    bool has(const char* key) const { return value_.contains(key); }
    JsonReader operator[](const char* key) const {
        if (!value_.is_object() || !value_.contains(key))
            throw Error((place_.empty() ? "profile" : place_) + ": '" + key + "' is missing");
        return {value_.at(key), place_.empty() ? key : place_ + '.' + key, remarks_};
    }
    /// Calls use(reader) for each element of an array. With remarks, an error does not end the reading.
    template <class Use>
    void each(Use&& use) const {
        if (!value_.is_array()) fail("an array");
        for (std::size_t i = 0; i < value_.size(); ++i)
            attempt([&] { use(JsonReader(value_[i], place_ + '[' + std::to_string(i) + ']', remarks_)); });
    }

    /// Calls read(); with remarks, an error is collected.
    template <class Read>
    void attempt(Read&& read) const {
        if (remarks_ == nullptr) return read();
        try {
            read();
        } catch (const Error& error) {
            remarks_->errors.emplace_back(error.what());
        }
    }

    /// A number from 0 to 1e30: sums, products and quotients of a few stay finite and comparable. Numbers
    /// below 1e-30 become 0.
    double number() const {
        constexpr double least = 1e-30, most = 1e30;
        if (!value_.is_number()) fail("a number from 0 on");
        const double number = value_.get<double>();
        if (!std::isfinite(number) || number < 0) fail("a number from 0 on");
        if (number > most) fail("a number up to 1e30");
        return number < least ? 0 : number;
    }
    double number(const char* key, double otherwise) const {
        return has(key) ? (*this)[key].number() : otherwise;
    }
    std::uint64_t whole(std::uint64_t least, std::uint64_t most) const {
        const bool fits = value_.is_number_unsigned() && value_.get<std::uint64_t>() >= least &&
                          value_.get<std::uint64_t>() <= most;
        if (!fits) fail("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        return value_.get<std::uint64_t>();
    }
    bool truth() const {
        if (!value_.is_boolean()) fail("true or false");
        return value_.get<bool>();
    }
    std::string text() const {
        if (!value_.is_string()) fail("a text");
        return value_.get<std::string>();
    }
    /// Returns make(text), and adds this place to its error.
    template <class Make>
    auto made(Make&& make) const {
        const std::string own = text();
        try {
            return make(own);
        } catch (const Error& error) {
            throw Error(place_ + ": " + error.what());
        }
    }
    const std::string& place() const { return place_; }
    bool is_text() const { return value_.is_string(); }

private:
    const nlohmann::json& value_;
    std::string place_;
    Remarks* remarks_;
};

}  // namespace echelon
