/* SPDX-License-Identifier: Apache-2.0 */
/* ECHELON_API marks the names that libechelon.so exports; all others are hidden. */
#ifndef ECHELON_EXPORT_H
#define ECHELON_EXPORT_H

#define ECHELON_API __attribute__((visibility("default")))

#endif
