/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of bursts and bounds over several turns. */
#pragma once

#include <stdlib.h>

static int by_value(const void* a, const void* b) {
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

/* Sorts the values as a side effect. */
static double median(double* values, int n) {
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}
