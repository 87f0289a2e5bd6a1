// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace echelon {

/// The processor's name, as the kernel tells it.
std::string processor_name();

/// Network devices of this host, in alphabetical order, but those that come and go with containers and virtual
/// machines.
std::vector<std::string> network_names(const std::filesystem::path& classes = "/sys/class");

}  // namespace echelon
