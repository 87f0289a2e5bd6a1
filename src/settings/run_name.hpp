// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// The name of a file of one run or one rank. In the pattern `%j` is the batch system's number of the job (or
/// the number of this process if there is none), `%h` the host, `%p` the number of this process, `%r` the
/// rank, `%%` a percent sign. Requires: check_run_name() throws no error.
std::string run_name(std::string_view pattern, int rank);

/// True if the pattern gives every rank a name of its own (`%r`).
bool names_ranks(std::string_view pattern);

/// Error: an unknown sign after `%`.
void check_run_name(std::string_view pattern);

/// The batch system's number of the job; empty if there is none.
std::string job_number();
std::string host_name();

}  // namespace echelon
