// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"
#include "core/slice.hpp"
#include "options/command_line.hpp"

namespace echelon::tool {

/// Thrown if --help is among the words; the caller prints `text` and does nothing further.
struct HelpAsked {
    std::string text;
};

/// Reads the options of a subcommand from its words. Throws HelpAsked with `usage` and the options of
/// `visible`. `hidden`: the options that positional words stand for.
boost::program_options::variables_map read_options(
    const std::vector<std::string>& words, const std::string& usage,
    const boost::program_options::options_description& visible,
    const boost::program_options::options_description& hidden = {},
    const boost::program_options::positional_options_description& positional = {});

/// Returns read(text) of an option. The sentence of an error begins with the option's name.
template <class Read>
auto read_as(const boost::program_options::variables_map& given, const char* option, Read&& read) {
    try {
        return read(given[option].as<std::string>());
    } catch (const Error& error) {
        throw Error(std::string("--") + option + ": " + error.what());
    }
}

/// The numbers of ranks or groups, or the sizes, of an option such as 8,16,64..512.
std::vector<Bytes> numbers_of(const boost::program_options::variables_map& given, const char* option);
std::vector<Bytes> sizes_of(const boost::program_options::variables_map& given, const char* option);

/// End of the options. Behind it come `--`, which may be left out, and the command.
std::vector<std::string>::const_iterator end_of_options(
    const std::vector<std::string>& arguments, const boost::program_options::options_description& known);

/// Begin of the command behind the options.
std::vector<std::string>::const_iterator command_behind(const std::vector<std::string>& arguments,
                                                        std::vector<std::string>::const_iterator options_end);

}  // namespace echelon::tool
