// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace echelon {

/// A table for people: rows of texts under column heads.
class TextTable {
public:
    enum class Side : bool { left, right };
    struct Column {
        std::string head;
        /// Width in characters. A longer text takes the width it needs and moves the columns after it.
        std::size_t width = 0;
        Side side = Side::right;
    };

    explicit TextTable(std::vector<Column> columns, std::string before = "  ")
        : columns_(std::move(columns)), before_(std::move(before)) {}

    /// The line of heads, with its line end.
    std::string head() const;
    /// The line of one text for each column, with its line end. No line ends with blanks.
    std::string row(const std::vector<std::string>& texts) const;

private:
    std::vector<Column> columns_;
    std::string before_;
};

/// A line of CSV with its line end (RFC 4180). Fields that contain commas, quotes or line ends are quoted.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace echelon
