// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// Calls `say` once, on a thread of its own, before SIGTERM or SIGINT ends this process. (Launchers and
/// schedulers end a job by SIGTERM.) Afterwards the process ends by that signal. Signals that the program
/// handles or ignores are left alone.
void before_deadly_signals(void (*say)());

}  // namespace echelon
