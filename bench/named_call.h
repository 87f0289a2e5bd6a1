/* SPDX-License-Identifier: Apache-2.0 */
/* Syntax of calls in bursts and turns: `allreduce:65536`. */
#pragma once

#include <stdlib.h>
#include <string.h>

/* The index of the call among `names`, and its bytes; -1 if the name is unknown or the bytes are no multiple
   of 8. */
static int named_call(const char* text, const char* const names[], int calls, long* bytes) {
    const char* const colon = strchr(text, ':');
    if (colon == NULL) return -1;
    char* end = NULL;
    *bytes = strtol(colon + 1, &end, 10);
    if (*bytes < 8 || *bytes % 8 != 0 || *end != '\0') return -1;
    for (int i = 0; i < calls; ++i)
        if (strlen(names[i]) == (size_t)(colon - text) &&
            strncmp(names[i], text, (size_t)(colon - text)) == 0)
            return i;
    return -1;
}
