// SPDX-License-Identifier: Apache-2.0
#include "hier/recipe.hpp"

#include "core/error.hpp"
#include "core/spelling.hpp"
#include "flat/algorithm.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace echelon {
namespace {

/// The known name that is nearest; else all names of the catalog, each once.
std::string known_names(const std::string& unknown) {
    std::vector<std::string> names;
    for (const auto& row : catalog())
        if (std::find(names.begin(), names.end(), row.name) == names.end()) names.emplace_back(row.name);
    std::sort(names.begin(), names.end());
    std::vector<std::string> words{"native"};
    words.insert(words.end(), names.begin(), names.end());
    for (const auto& [shape, spelled] : shape_names) words.emplace_back(spelled);
    if (std::string near = did_you_mean(unknown, words); !near.empty()) return near;
    std::string text = "; known are native";
    for (const auto& [shape, spelled] : shape_names) text.append(", ").append(spelled).append("(...)");
    for (const auto& name : names) text.append(", ").append(name);
    return text;
}

bool taken(std::string_view name, bool Algorithm::*parameter) {
    return std::any_of(catalog().begin(), catalog().end(),
                       [&](const Algorithm& row) { return row.name == name && row.*parameter; });
}

/// The radix that an algorithm takes: its name in recipes and its smallest value; 0: it takes none.
struct Radix {
    std::string name = "k";
    int least = 0;
};
Radix radix_of(std::string_view algorithm) {
    Radix radix;
    for (const Algorithm& row : catalog())
        if (row.name == algorithm && row.takes_radix)
            radix = {std::string(row.radix_name), std::max(radix.least, row.least_radix)};
    return radix;
}

bool known(std::string_view name) {
    return std::any_of(catalog().begin(), catalog().end(),
                       [&](const Algorithm& row) { return row.name == name; });
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Recipe whole() {
        Recipe recipe = pair();
        skip_blanks();
        if (at_ < text_.size())
            fail("unexpected '" + std::string(text_.substr(at_)) + "' behind a complete recipe");
        return recipe;
    }

private:
    static constexpr int deepest = 16;

    Recipe pair() {
        if (++depth_ > deepest) fail("more than " + std::to_string(deepest) + " levels");
        Recipe first = single();
        if (taking('+')) {
            Recipe second = single();
            first = Recipe{.kind = Recipe::Kind::pair, .parts = {std::move(first), std::move(second)}};
            if (taking('+')) fail("'a+b' has two parts at most");
        }
        --depth_;
        return first;
    }

    Recipe single() {
        skip_blanks();
        const std::size_t start = at_;
        const std::string name(word());
        if (name.empty()) fail("expected the name of an algorithm or a shape");
        if (name == "native") return {};
        for (const auto& [kind, shape] : shape_names)
            if (name == shape) return shape_arguments(kind, name);
        if (!known(name)) {
            at_ = start;
            fail("there is no algorithm or shape '" + name + '\'' + known_names(name));
        }
        return flat_arguments(name);
    }

    Recipe shape_arguments(Recipe::Kind kind, const std::string& name) {
        Recipe recipe{.kind = kind};
        const std::string form = name + "(groups, inner, outer)";
        if (!taking('(')) fail("expected " + form);
        recipe.groups = groups();
        if (!taking(',')) fail("expected an inner algorithm: " + form);
        recipe.parts.push_back(pair());
        if (!taking(',')) fail("expected an outer algorithm: " + form);
        recipe.parts.push_back(pair());
        while (taking(',')) parameter(recipe, name, true, {}, false);
        if (!taking(')')) fail("expected ')' at the end of " + form);
        return recipe;
    }

    Recipe flat_arguments(const std::string& name) {
        Recipe recipe{.kind = Recipe::Kind::flat, .name = name};
        if (!taking('(')) return recipe;
        do
            parameter(recipe, name, taken(name, &Algorithm::takes_segment), radix_of(name),
                      taken(name, &Algorithm::takes_schedule));
        while (taking(','));
        if (!taking(')')) fail("expected ',' or ')' after a parameter of " + name);
        return recipe;
    }

    void parameter(Recipe& recipe, const std::string& owner, bool segment, const Radix& radix,
                   bool schedule) {
        skip_blanks();
        const std::size_t start = at_;
        const std::string key(word());
        const bool has_value = taking('=');
        const std::string value(has_value ? word() : std::string_view());
        const auto wrong = [&](const std::string& what) {
            at_ = start;
            fail(what);
        };
        const auto once = [&](bool given) {
            if (given) wrong(key + "= is given twice");
            if (value.empty()) wrong(key + "= needs a value");
        };
        if (segment && key == "seg") {
            once(recipe.segment.has_value());
            try {
                recipe.segment = parse_bytes(value);
            } catch (const Error& error) {
                wrong(error.what());
            }
        } else if (radix.least > 0 && key == radix.name) {
            once(recipe.radix.has_value());
            int number = 0;
            const auto [rest, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
            if (failure != std::errc() || rest != value.data() + value.size() || number < radix.least)
                wrong(key + "=" + value + ": expected a number from " + std::to_string(radix.least) + " on");
            recipe.radix = number;
        } else if (schedule && key == "schedule") {
            once(!recipe.schedule.empty());
            recipe.schedule = value;
        } else {
            std::string taken_keys;
            for (const auto& [takes, text] : {std::pair{segment, std::string("seg=bytes")},
                                              std::pair{radix.least > 0, radix.name + "=number"},
                                              std::pair{schedule, std::string("schedule=...")}})
                if (takes) taken_keys += (taken_keys.empty() ? "" : ", ") + text;
            wrong(owner + " has no parameter '" + key + "'; it takes " +
                  (taken_keys.empty() ? "none" : taken_keys));
        }
    }

    Groups groups() {
        skip_blanks();
        const std::size_t start = at_;
        while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')') ++at_;
        try {
            return Groups::parse(text_.substr(start, at_ - start));
        } catch (const Error& error) {
            at_ = start;
            fail(error.what());
        }
    }

    std::string_view word() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                      text_[at_] == '_' || text_[at_] == '-'))
            ++at_;
        return text_.substr(start, at_ - start);
    }

    bool taking(char c) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        skip_blanks();
        return true;
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error("recipe '" + std::string(text_) + "', column " + std::to_string(at_ + 1) + ": " + what);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

void append(std::string& text, const Recipe& recipe) {
    if (recipe.kind == Recipe::Kind::native) {
        text += "native";
        return;
    }
    if (recipe.kind == Recipe::Kind::pair) {
        append(text, recipe.parts[0]);
        text += '+';
        append(text, recipe.parts[1]);
        return;
    }
    char next = '(';
    const auto argument = [&] {
        text += next;
        if (std::exchange(next, ',') == ',') text += ' ';
    };
    if (recipe.is_shape()) {
        text += name(recipe.kind);
        argument();
        text += to_string(*recipe.groups);
        for (const Recipe* const part : {&recipe.inner(), &recipe.outer()}) {
            argument();
            append(text, *part);
        }
    } else {
        text += recipe.name;
    }
    if (recipe.radix) {
        argument();
        text += radix_of(recipe.name).name + "=" + std::to_string(*recipe.radix);
    }
    if (recipe.segment) {
        argument();
        text += "seg=" + format_bytes(*recipe.segment);
    }
    if (!recipe.schedule.empty()) {
        argument();
        text += "schedule=" + recipe.schedule;
    }
    if (next == ',') text += ')';
}

}  // namespace

Recipe Recipe::parse(std::string_view text) { return Parser(text).whole(); }

bool Recipe::has_shape() const {
    return is_shape() ||
           std::any_of(parts.begin(), parts.end(), [](const Recipe& part) { return part.has_shape(); });
}

bool Recipe::has_native_parts() const {
    return std::any_of(parts.begin(), parts.end(), [](const Recipe& part) {
        return part.kind == Kind::native || part.has_native_parts();
    });
}

std::string_view name(Recipe::Kind shape) {
    return std::ranges::find(shape_names, shape, &ShapeName::kind)->name;
}

std::string to_string(const Recipe& recipe) {
    std::string text;
    append(text, recipe);
    return text;
}

bool same_but_segments(const Recipe& a, const Recipe& b) {
    return a.kind == b.kind && a.name == b.name && a.radix == b.radix && a.schedule == b.schedule &&
           a.groups == b.groups &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_but_segments);
}

std::size_t hash_but_segments(const Recipe& recipe) {
    std::size_t hash = std::size_t(recipe.kind);
    const auto mix = [&](std::size_t more) { hash = (hash ^ more) * 0x9E3779B97F4A7C15u; };
    if (const std::string& name = recipe.name; !name.empty())  // enough to tell the catalog's names apart
        mix(name.size() + (std::size_t(name.front()) << 8) + (std::size_t(name[name.size() / 2]) << 16) +
            (std::size_t(name.back()) << 24));
    mix(std::size_t(recipe.radix.value_or(0)));
    if (!recipe.schedule.empty()) mix(std::hash<std::string>()(recipe.schedule));
    if (recipe.groups) mix(recipe.groups->hash());
    for (const Recipe& part : recipe.parts) mix(hash_but_segments(part));
    return hash;
}

}  // namespace echelon
