// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include "core/spelling.hpp"

namespace echelon {
namespace po = boost::program_options;
namespace {

// A shortened option could become another one's when options are added.
constexpr int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

}  // namespace

po::variables_map parsed(const std::vector<std::string>& words, const po::options_description& options,
                         const po::positional_options_description& positional) {
    po::variables_map given;
    try {
        po::store(po::command_line_parser(words).options(options).positional(positional).style(style).run(),
                  given);
    } catch (const po::unknown_option& error) {
        std::vector<std::string> names;
        for (const auto& one : options.options()) names.push_back("--" + one->long_name());
        throw po::error(error.what() + did_you_mean(error.get_option_name(), names));
    } catch (const po::invalid_option_value& error) {  // of options of numbers; others are texts
        throw po::error(error.what() + std::string("; expected a number"));
    } catch (const po::too_many_positional_options_error&) {
        for (const auto& one : po::command_line_parser(words).options(options).style(style).run().options)
            if (one.position_key >= int(positional.max_total_count()))
                throw po::error("unexpected word '" + one.value.front() + '\'');
        throw;
    }
    if (given.count("help") == 0) po::notify(given);
    return given;
}

std::string with_help(const std::string& sentence, const std::string& help) {
    return sentence + (sentence.ends_with('?') ? " See " : "; see ") + help;
}

}  // namespace echelon
