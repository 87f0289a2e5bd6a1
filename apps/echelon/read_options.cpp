// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/read_options.hpp"

#include "hier/lists.hpp"

#include <sstream>

namespace echelon::tool {
namespace po = boost::program_options;

po::variables_map read_options(const std::vector<std::string>& words, const std::string& usage,
                               const po::options_description& visible, const po::options_description& hidden,
                               const po::positional_options_description& positional) {
    po::options_description all;
    all.add(visible).add(hidden);
    const po::variables_map given = parsed(words, all, positional);
    if (given.count("help") == 0) return given;
    std::ostringstream text;
    text << usage << visible;
    throw HelpAsked{text.str()};
}

std::vector<Bytes> numbers_of(const po::variables_map& given, const char* option) {
    return read_as(given, option, [](const std::string& text) {
        return parse_size_list(text, "numbers such as 2,8,16..512");
    });
}

std::vector<Bytes> sizes_of(const po::variables_map& given, const char* option) {
    return read_as(given, option, [](const std::string& text) { return parse_size_list(text); });
}

std::vector<std::string>::const_iterator end_of_options(const std::vector<std::string>& arguments,
                                                        const po::options_description& known) {
    auto word = arguments.begin();
    while (word != arguments.end() && word->starts_with("-") && *word != "--") {
        const bool is_long = word->starts_with("--");
        // A short option has its value in its own word, too: -n4.
        const bool has_value = is_long ? word->find('=') != std::string::npos : word->size() > 2;
        const po::option_description* const option =
            is_long ? known.find_nothrow(word->substr(2, word->find('=') - 2), true)
                    : known.find_nothrow(*word, false);
        const bool takes_next = option != nullptr && !has_value && option->semantic()->min_tokens() > 0;
        word += takes_next && arguments.end() - word > 1 ? 2 : 1;
    }
    return word;
}

std::vector<std::string>::const_iterator command_behind(
    const std::vector<std::string>& arguments, std::vector<std::string>::const_iterator options_end) {
    return options_end + (options_end != arguments.end() && *options_end == "--" ? 1 : 0);
}

}  // namespace echelon::tool
