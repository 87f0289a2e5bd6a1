// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"

#include <string>
#include <string_view>

namespace echelon {

/// A disk is full, or gone, or not to be written to: no word of the command is wrong.
struct NotWritten : Error {
    using Error::Error;
};

/// What stands in a file, or comes through a pipe: 256 MiB at most, and within ten seconds each part.
/// Error, here and below: the file's name, and the system's reason.
std::string read_file(const std::string& path);

/// Writes a file whole or not at all: what was there before stays until the new text is on the disk, whatever
/// fills up, fails or is killed meanwhile. A link keeps pointing where it points; what is no regular file
/// (/dev/stdout, a pipe) is just written to. Error: NotWritten.
void write_file(const std::string& path, std::string_view text);

/// For one program at a time: whoever reads a file, changes it and writes it again holds this meanwhile. Gone
/// with its holder, however that ends.
class FileLock {
public:
    /// On the file `path`.lock, which is made and stays. Error: it cannot be made, or others hold it for half
    /// a minute.
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int file_;
};

/// Tries before hours of work whether `path` could be written; changes nothing. Error: NotWritten.
void check_writable(const std::string& path);

}  // namespace echelon
