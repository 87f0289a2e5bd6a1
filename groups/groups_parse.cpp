// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/spelling.hpp"
#include "groups/groups.hpp"

namespace echelon {
namespace {

/// Reads `text` from left to right and skips blanks between its parts. Errors name the column.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) { skip_blanks(); }

    std::size_t here() const { return at_; }
    bool at_end() const { return at_ == text_.size(); }

    bool accept(char sign) {
        if (at_end() || text_[at_] != sign) return false;
        ++at_;
        skip_blanks();
        return true;
    }

    std::string_view word() {
        const std::size_t start = at_;
        if (next_is(std::isalpha))
            while (next_is(std::isalnum)) ++at_;
        const auto word = text_.substr(start, at_ - start);
        skip_blanks();
        return word;
    }

    /// A number without a sign; `expected` is the error if there is none.
    int number(int most, const std::string& expected) {
        const std::size_t start = at_;
        long long value = 0;
        while (next_is(std::isdigit)) {
            value = value * 10 + (text_[at_++] - '0');
            if (value > most) fail(start, "the number must be at most " + std::to_string(most));
        }
        if (at_ == start) fail(start, expected);
        skip_blanks();
        return static_cast<int>(value);
    }

    /// Reports an error in the part that begins at `start`.
    [[noreturn]] void fail(std::size_t start, const std::string& what) const {
        throw Error("groups '" + std::string(text_) + "', column " + std::to_string(start + 1) + ": " + what);
    }

    void expect_end(const std::string& complaint) const {
        if (!at_end()) fail(at_, complaint);
    }

private:
    bool next_is(int (*kind)(int)) const {
        return !at_end() && kind(static_cast<unsigned char>(text_[at_])) != 0;
    }

    void skip_blanks() {
        while (next_is(std::isspace)) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// `n` of `G=n` and `size=n`.
int positive(Scanner& scanner, const std::string& name) {
    const std::size_t start = scanner.here();
    const std::string expected = name + " must be a number of at least 1";
    const int number = scanner.number(std::numeric_limits<int>::max(), expected);
    if (number < 1) scanner.fail(start, expected);
    return number;
}

/// `0-1+4;2-3`: the group of each rank, numbered in the order of writing.
std::vector<int> colors_of_ranks(Scanner& scanner) {
    constexpr int most = (1 << 20) - 1;  // limits the memory that a typing error like 0-99999999 takes
    constexpr int none = -1;
    std::vector<int> colors;
    int group = 0;
    do {
        do {
            const std::size_t run = scanner.here();
            const int first = scanner.number(most, "expected a rank, as in ranks=0-3;4-7");
            const int last =
                scanner.accept('-') ? scanner.number(most, "expected the last rank of the run") : first;
            if (last < first)
                scanner.fail(run,
                             "a run counts up: write " + std::to_string(last) + '-' + std::to_string(first));
            colors.resize(std::max(colors.size(), static_cast<std::size_t>(last) + 1), none);
            for (int rank = first; rank <= last; ++rank) {
                int& color = colors[static_cast<std::size_t>(rank)];
                if (color != none)
                    scanner.fail(run, "rank " + std::to_string(rank) +
                                          " is named twice; each rank stands in one group");
                color = group;
            }
        } while (scanner.accept('+'));
        ++group;
    } while (scanner.accept(';'));
    scanner.expect_end("expected '+', ';' or the end after a rank");
    const auto missing = std::find(colors.begin(), colors.end(), none);
    if (missing != colors.end())
        scanner.fail(scanner.here(), "rank " + std::to_string(missing - colors.begin()) +
                                         " is in no group; name each rank from 0 to " +
                                         std::to_string(colors.size() - 1) + " once");
    return colors;
}

}  // namespace

Groups Groups::parse(std::string_view text) {
    Scanner scanner(text);
    const std::size_t start = scanner.here();
    const std::string name(scanner.word());
    const auto finished = [&](Groups groups) {
        scanner.expect_end("unexpected words behind " + to_string(groups));
        return groups;
    };
    if (name == "sqrt") return finished(sqrt());
    if (name == "site") return finished(site());
    if (name == "switch") return finished(leaf_switch());
    if (name == "node") return finished(node());
    if (name == "package") return finished(package());
    if (name == "numa") return finished(numa());
    if (name == "l3") return finished(l3());
    if (name != "G" && name != "size" && name != "ranks")
        scanner.fail(
            start,
            "unknown groups; write sqrt, G=n, size=n, site, switch, node, package, numa, l3 or ranks=0-3;4-7" +
                did_you_mean(name, {"sqrt", "size", "site", "switch", "node", "package", "numa", "ranks"}));

    if (!scanner.accept('=')) scanner.fail(scanner.here(), "expected '=' after " + name);
    if (name == "G") return finished(count(positive(scanner, name)));
    if (name == "size") return finished(size(positive(scanner, name)));
    return ranks(Partition::from_colors(colors_of_ranks(scanner)));
}

}  // namespace echelon
