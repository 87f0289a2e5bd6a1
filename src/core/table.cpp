// SPDX-License-Identifier: Apache-2.0
#include "core/table.hpp"

namespace echelon {

std::string TextTable::head() const {
    std::vector<std::string> heads;
    for (const Column& column : columns_) heads.push_back(column.head);
    return row(heads);
}

std::string TextTable::row(const std::vector<std::string>& texts) const {
    std::string line = before_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto& [head, width, side] = columns_[i];
        const std::string fill(texts[i].size() < width ? width - texts[i].size() : 0, ' ');
        const bool right = side == Side::right;
        if (i > 0) line += !right && columns_[i - 1].side == Side::right ? "  " : " ";
        line += right ? fill + texts[i] : texts[i] + fill;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) line += ',';
        if (fields[i].find_first_of(",\"\r\n") == std::string::npos) {
            line += fields[i];
            continue;
        }
        line += '"';
        for (const char c : fields[i]) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + '\n';
}

}  // namespace echelon
