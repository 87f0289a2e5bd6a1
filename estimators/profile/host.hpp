// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// The processor's name, as the kernel tells it.
std::string processor_name();

/// A network device that software makes, for containers, virtual machines and the like: a profile holds whether it is
/// there or not.
bool is_made(std::string_view network);

/// Network devices of this host, in alphabetical order, but those that are made.
std::vector<std::string> network_names(const std::filesystem::path& classes = "/sys/class");

}  // namespace echelon
