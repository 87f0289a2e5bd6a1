/* SPDX-License-Identifier: Apache-2.0 */
/* ECHELON_API marks what libechelon.so exports; everything else is hidden. */
#ifndef ECHELON_EXPORT_H
#define ECHELON_EXPORT_H

#define ECHELON_API __attribute__((visibility("default")))

#endif
