// SPDX-License-Identifier: Apache-2.0
#include "bench/files.hpp"

#include "core/file.hpp"

#include <filesystem>
#include <sstream>

namespace echelon::bench {
namespace {

template <class Print>
void write_to(const std::string& path, Print&& print) {
    if (path.empty()) return;
    std::ostringstream text;
    print(text);
    write_file(path, text.str());
}

void write_json_of(const std::string& path, const Comparison& compared, bool finished) {
    write_to(path, [&](std::ostream& out) {
        write_json(out, compared.machine(), compared.results(), compared.skipped(), finished);
    });
}

void write_csv_of(const std::string& path, const Comparison& compared) {
    write_to(path, [&](std::ostream& out) { write_csv(out, compared.machine(), compared.results()); });
}

}  // namespace

Files::Files(const Options& options, int rank) : options_(options) {
    if (rank == 0) problem_ = problem_of_outputs({{"--json", options.json}, {"--csv", options.csv}});
}

void Files::begin(const Comparison& compared) const {
    std::error_code none;
    if (!std::filesystem::exists(options_.json, none)) write_json_of(options_.json, compared, false);
    if (!std::filesystem::exists(options_.csv, none)) write_csv_of(options_.csv, compared);
}

void Files::write(const Regrets& found) const {
    write_to(options_.json, [&](std::ostream& out) { write_json(out, found); });
}

void Files::write(const Comparison& compared, bool finished) const {
    write_json_of(options_.json, compared, finished);
    write_csv_of(options_.csv, compared);
}

}  // namespace echelon::bench
