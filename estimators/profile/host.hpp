// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// Processor name reported by the kernel.
std::string processor_name();

/// True for a network device made by software, for example for containers and virtual machines: profiles
/// ignore it.
bool is_made(std::string_view network);

/// Network devices of this host without is_made() ones, in alphabetical order.
std::vector<std::string> network_names(const std::filesystem::path& classes = "/sys/class");

}  // namespace echelon
