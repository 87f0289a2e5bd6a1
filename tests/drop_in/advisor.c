/* SPDX-License-Identifier: Apache-2.0 */
/* A model for ECHELON_ADVISOR: a ring takes a nanosecond, native a second; no opinion on the rest. */
#include <stddef.h>
#include <string.h>

double echelon_advise(const char* collective, size_t bytes, int ranks, int nodes, const char* recipe,
                      double seconds, void* context) {
    if (strcmp(collective, "allreduce") != 0 || bytes == 0 || ranks != 4 || nodes != 1 || seconds < 0 ||
        context != NULL)
        return 0;
    return strcmp(recipe, "ring") == 0 ? 1e-9 : strcmp(recipe, "native") == 0 ? 1 : 0;
}
