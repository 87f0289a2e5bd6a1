// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace echelon {

/// Rows of texts under heads, for people.
class TextTable {
public:
    enum class Side : bool { left, right };
    struct Column {
        std::string head;
        /// Characters. A longer text takes what it needs, and moves what follows.
        std::size_t width = 0;
        Side side = Side::right;
    };

    explicit TextTable(std::vector<Column> columns, std::string before = "  ")
        : columns_(std::move(columns)), before_(std::move(before)) {}

    /// A line, with its end.
    std::string head() const;
    /// The same of one text for each column. No line ends with blanks.
    std::string row(const std::vector<std::string>& texts) const;

private:
    std::vector<Column> columns_;
    std::string before_;
};

/// A line of CSV, with its end, as RFC 4180 has it: in quotes what holds commas, quotes or ends of lines.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace echelon
