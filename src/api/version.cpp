// SPDX-License-Identifier: Apache-2.0
#include <echelon/version.h>

const char* echelon_version(void) { return ECHELON_VERSION; }
