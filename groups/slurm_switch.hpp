// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// The leaf switch of a host, with those above it, by what Slurm tells each process where it knows a tree of switches
/// (SLURM_TOPOLOGY_ADDR, SLURM_TOPOLOGY_ADDR_PATTERN): "s0.s4.s8" of "s0.s4.s8.tux1" and "switch.switch.switch.node". Empty: they
/// tell of no switch, or are of another host, as where a launcher hands its own environment to all.
std::string slurm_switch(std::string_view address, std::string_view pattern, std::string_view host);

}  // namespace echelon
