// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// Has `say` called once, by a thread of its own, when a signal is about to end this process: SIGTERM, by which launchers
/// and schedulers end a job, or SIGINT. Then the process ends as it would have. Those that the program handles or ignores
/// itself stay the program's.
void before_deadly_signals(void (*say)());

}  // namespace echelon
