// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// The leaf switch of a host with the switches above it, from the variables that Slurm sets if it knows a
/// tree of switches (SLURM_TOPOLOGY_ADDR, SLURM_TOPOLOGY_ADDR_PATTERN): "s0.s4.s8" for "s0.s4.s8.tux1" and
/// "switch.switch.switch.node". Empty if they name no switch, or another host, e.g. because a launcher copies
/// its own environment to all processes.
std::string slurm_switch(std::string_view address, std::string_view pattern, std::string_view host);

}  // namespace echelon
