// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// Names of files that each run, or each rank, has for itself: `%j` is the batch system's number of the job
/// (without one the number of this process), `%h` the host, `%p` the number of this process, `%r` the rank,
/// `%%` a percent sign.
std::string run_name(std::string_view pattern, int rank);

/// Every rank has a name of its own.
bool names_ranks(std::string_view pattern);

/// Error: a sign behind `%` that means nothing.
void check_run_name(std::string_view pattern);

/// Of the batch system; empty where there is none.
std::string job_number();
std::string host_name();

}  // namespace echelon
