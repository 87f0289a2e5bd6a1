// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"

#include <string>
#include <string_view>

namespace echelon {

/// A file cannot be written: the disk is full, gone or read-only. The command line is not at fault.
struct NotWritten : Error {
    using Error::Error;
};

/// The contents of a file or of a pipe. Limits: 256 MiB, and ten seconds of waiting for each part. Error,
/// here and below: the file's name and the system's reason.
std::string read_file(const std::string& path);

/// The contents of a file that is no pipe and no device: for files that a program reads unasked.
std::string read_regular_file(const std::string& path);

/// Writes a file whole or not at all. The old text stays until the new text is on the disk, even if the disk
/// fills up, a call fails or the process is killed. A symbolic link stays, and the file that it names is
/// written. A path that is no regular file (a pipe, a device, an open file like /dev/stdout) is written
/// through, and a reader that is slow is waited for. Error: NotWritten, also for a pipe without a reader, and
/// for a link, a pipe or a device of another user in a folder that all users can write.
void write_file(const std::string& path, std::string_view text);

/// True if write_file() puts a regular file in place of `path`, and does not write through it.
bool is_replaced(const std::string& path);

/// An exclusive lock for a program that reads a file, changes it and writes it again. The system releases it
/// when the process ends.
class FileLock {
public:
    /// Locks the file `path`.lock, which is created and stays. Error: it cannot be created, or another
    /// process holds it for half a minute.
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int file_;
};

/// Tests if `path` can be written, e.g. before hours of work. Changes nothing. Error: NotWritten.
void check_writable(const std::string& path);

}  // namespace echelon
