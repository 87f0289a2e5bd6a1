// SPDX-License-Identifier: Apache-2.0
/// Contents of an ELF file: this test's own program, the C library, and damaged files.
#include "apps/launch/elf_file.hpp"
#include "apps/launch/mpi_in_use.hpp"
#include "core/error.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" [[gnu::used]] int a_name_to_be_found() { return 1; }

namespace echelon::launch {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

/// A file with these bytes, removed with the object.
class Scratch {
public:
    explicit Scratch(const std::string& bytes)
        : path_(std::filesystem::temp_directory_path() / ("echelon_elf_" + std::to_string(getpid()))) {
        std::ofstream(path_, std::ios::binary) << bytes;
    }
    ~Scratch() { std::filesystem::remove(path_); }
    std::string path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string own_bytes() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string complaint(const std::string& bytes) {
    return refusal([&] { return ElfFile::read(Scratch(bytes).path()); });
}

TEST(ElfFile, ReadsAProgram) {
    const auto own = ElfFile::read("/proc/self/exe");
    ASSERT_TRUE(own.has_value());
    EXPECT_TRUE(own->dynamic);
    EXPECT_THAT(own->interpreter, HasSubstr("ld"));
    EXPECT_THAT(own->needed, Contains(StartsWith("libc.so")));
    EXPECT_TRUE(own->defines("a_name_to_be_found"));
    EXPECT_FALSE(own->defines("a_name_to_be"));
    EXPECT_FALSE(own->defines("opendir")) << "asked for, not defined";
}

TEST(ElfFile, WhatIsNoneAndWhatIsDamaged) {
    EXPECT_FALSE(ElfFile::read(Scratch("#!/bin/sh\n").path()).has_value());
    EXPECT_FALSE(ElfFile::read(Scratch("").path()).has_value());
    EXPECT_THROW((void)ElfFile::read("/no/such/file"), Error);
    std::string bytes = own_bytes();
    EXPECT_EQ(complaint(bytes), "");
    EXPECT_THAT(complaint(bytes.substr(0, 40)), HasSubstr("is damaged"));
    EXPECT_THAT(complaint(bytes.substr(0, bytes.size() / 2)), HasSubstr("is damaged"));
    bytes[18] = char(bytes[18] + 1);  // e_machine
    EXPECT_THAT(complaint(bytes), HasSubstr("another kind of machine"));
}

TEST(Loaded, AProgramWithoutMpi) {
    const Loaded loaded = loaded_with("/proc/self/exe");
    EXPECT_TRUE(loaded.mpis.empty());
    EXPECT_TRUE(loaded.missing.empty());
    EXPECT_FALSE(loaded.drop_in);
}

}  // namespace
}  // namespace echelon::launch
