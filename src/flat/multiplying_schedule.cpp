// SPDX-License-Identifier: Apache-2.0
#include "flat/multiplying_schedule.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <charconv>

namespace echelon {
namespace {

using Kind = MultiplyingStage::Kind;

/// Reads pairs of a letter and a number, the parts of a stage.
class Reader {
public:
    explicit Reader(std::string_view stage) : stage_(stage), rest_(stage) {}

    int number_after(char letter) {
        int number = 0;
        const char* const end = rest_.data() + rest_.size();
        if (rest_.empty() || rest_.front() != letter) refuse();
        const auto [next, error] = std::from_chars(rest_.data() + 1, end, number);
        if (error != std::errc{} || number < 1) refuse();
        rest_.remove_prefix(std::size_t(next - rest_.data()));
        return number;
    }
    void finish() const {
        if (!rest_.empty()) refuse();
    }
    [[noreturn]] void refuse() const {
        throw Error(
            "schedule: '" + std::string(stage_) +
            "' is no stage; a stage is aB, cTmB, eTmB, mRgGaB or nRgGaB with numbers for B (at least 2), "
            "T, R and G");
    }

private:
    std::string_view stage_, rest_;
};

MultiplyingStage parse_stage(std::string_view text) {
    Reader reader(text);
    MultiplyingStage stage;
    switch (text.empty() ? '\0' : text.front()) {
        case 'a':
            stage.base = reader.number_after('a');
            break;
        case 'c':
        case 'e':
            stage.kind = text.front() == 'c' ? Kind::collapse : Kind::expand;
            stage.ranks = reader.number_after(text.front());
            stage.base = reader.number_after('m');
            break;
        case 'm':
        case 'n':
            stage.kind = text.front() == 'm' ? Kind::merge : Kind::inverse_merge;
            stage.ranks = reader.number_after(text.front());
            stage.groups = reader.number_after('g');
            stage.base = reader.number_after('a');
            break;
        default:
            reader.refuse();
    }
    reader.finish();
    if (stage.base < 2) reader.refuse();
    return stage;
}

}  // namespace

MultiplyingSchedule parse_multiplying_schedule(std::string_view text) {
    MultiplyingSchedule schedule;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find_first_of("-,", from), text.size());
        schedule.push_back(parse_stage(text.substr(from, end - from)));
        from = end + 1;
    }
    return schedule;
}

std::string to_string(const MultiplyingStage& stage) {
    const std::string base = std::to_string(stage.base), ranks = std::to_string(stage.ranks);
    switch (stage.kind) {
        case Kind::multiply:
            return "a" + base;
        case Kind::collapse:
            return "c" + ranks + "m" + base;
        case Kind::expand:
            return "e" + ranks + "m" + base;
        case Kind::merge:
            return "m" + ranks + "g" + std::to_string(stage.groups) + "a" + base;
        case Kind::inverse_merge:
            return "n" + ranks + "g" + std::to_string(stage.groups) + "a" + base;
    }
    return {};
}

std::string misfit(const MultiplyingSchedule& schedule, int p) {
    const auto quoted = [](const MultiplyingStage& stage) { return '\'' + to_string(stage) + '\''; };
    int size = p;  // virtual ranks
    long long product = 1;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const MultiplyingStage& stage = schedule[i];
        const MultiplyingStage &first = schedule.front(), &last = schedule.back();
        switch (stage.kind) {
            case Kind::multiply:
                break;
            case Kind::collapse:
                if (i != 0) return quoted(stage) + " must be the first stage";
                if (last.kind != Kind::expand) return quoted(stage) + " needs an expansion as the last stage";
                if (stage.ranks % stage.base != 0 || stage.ranks > p)
                    return quoted(stage) + " must collapse a multiple of " + std::to_string(stage.base) +
                           " and at most " + std::to_string(p) + " ranks";
                size = p - stage.ranks / stage.base * (stage.base - 1);
                break;
            case Kind::expand:
                if (i + 1 != schedule.size() || first.kind != Kind::collapse || first.ranks != stage.ranks ||
                    first.base != stage.base)
                    return quoted(stage) + " must be the last stage and undo the first";
                break;
            case Kind::merge:
                if (i != 0) return quoted(stage) + " must be the first stage";
                if (last.kind != Kind::inverse_merge || last.ranks != stage.ranks)
                    return quoted(stage) + " needs an inverse merge of as many ranks as the last stage";
                size = p - stage.ranks;
                break;
            case Kind::inverse_merge:
                if (i + 1 != schedule.size() || first.kind != Kind::merge)
                    return quoted(stage) + " must be the last stage and undo a merge";
                break;
        }
        if (stage.groups != 0 && stage.groups * stage.base != size)
            return quoted(stage) + " must have groups of " + std::to_string(stage.base) + " that make up " +
                   std::to_string(size) + " ranks";
        if (stage.kind != Kind::collapse && stage.kind != Kind::expand) product *= stage.base;
        if (product > p) break;
    }
    if (product == size) return {};
    return "the bases of the stages must multiply to " + std::to_string(size) +
           (size == p ? "" : " (of " + std::to_string(p) + " ranks)") + ", not to " + std::to_string(product);
}

MultiplyingRanks::MultiplyingRanks(const MultiplyingSchedule& schedule, int p) {
    const MultiplyingStage first = schedule.empty() ? MultiplyingStage{} : schedule.front();
    int next = 0;
    if (first.kind == Kind::merge) {
        remaining.resize(std::size_t(first.ranks));
        for (int group = 0; group < first.groups; ++group) {
            for (int j = group; j < first.ranks; j += first.groups) remaining[std::size_t(j)] = next++;
            for (int i = 0; i < first.base; ++i) members.push_back(next++);
        }
    }
    if (first.kind == Kind::collapse)
        for (; next < first.ranks; next += first.base) members.push_back(next + first.base - 1);
    while (next < p) members.push_back(next++);
}

}  // namespace echelon
