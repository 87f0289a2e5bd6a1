# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# affordable_steps MS USUAL: the usual number of steps of this many milliseconds; fewer, but at least 200, if
# they would take more than ten seconds.
affordable_steps() {
    awk -v ms="$1" -v usual="$2" 'BEGIN {
        steps = int(10000 / (ms > 0 ? ms : 1e-6))
        print (steps > usual ? usual : steps < 200 ? 200 : steps)
    }'
}
