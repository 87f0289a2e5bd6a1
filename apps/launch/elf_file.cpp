// SPDX-License-Identifier: Apache-2.0
#include "apps/launch/elf_file.hpp"

#include "core/error.hpp"

#include <elf.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

// Parsed by hand: libelf would take as many lines and one more library, and accepts a truncated file.
namespace echelon::launch {
namespace {

/// The bytes of a file with checked bounds.
class Image {
public:
    explicit Image(const std::string& path) : path_(path) {
        errno = 0;
        std::ifstream file(path, std::ios::binary | std::ios::ate);
        const auto end = file.tellg();
        if (!file || end < 0) fail();
        bytes_.resize(std::size_t(end));
        file.seekg(0);
        file.read(bytes_.data(), end);
        if (!file) fail();
    }

    [[noreturn]] void fail() const {
        throw Error(path_ + " cannot be read: " + std::strerror(errno != 0 ? errno : EIO));
    }
    bool begins_with(std::string_view mark) const { return bytes_.starts_with(mark); }

    template <class Entry>
    Entry at(std::size_t offset) const {
        Entry entry;
        if (offset > bytes_.size() || sizeof entry > bytes_.size() - offset) cut_off();
        std::memcpy(&entry, bytes_.data() + offset, sizeof entry);
        return entry;
    }

    std::string text(std::size_t offset) const {
        const auto end = bytes_.find('\0', offset);
        if (end == std::string::npos) cut_off();
        return bytes_.substr(offset, end - offset);
    }

private:
    [[noreturn]] void cut_off() const {
        throw Error(path_ + " is damaged: it ends before what it points to");
    }

    std::string path_;
    std::string bytes_;
};

template <class Entry, class Visitor>
void visit(const Image& image, const Elf64_Shdr& section, Visitor&& visitor) {
    for (std::size_t i = 0; i < section.sh_size / sizeof(Entry); ++i)
        visitor(image.at<Entry>(section.sh_offset + i * sizeof(Entry)));
}

void read_dynamic(const Image& image, const Elf64_Shdr& section, const Elf64_Shdr& names, ElfFile& file) {
    visit<Elf64_Dyn>(image, section, [&](const Elf64_Dyn& entry) {
        if (entry.d_tag == DT_NEEDED) file.needed.push_back(image.text(names.sh_offset + entry.d_un.d_val));
        if (entry.d_tag == DT_SONAME) file.soname = image.text(names.sh_offset + entry.d_un.d_val);
    });
}

void read_symbols(const Image& image, const Elf64_Shdr& section, const Elf64_Shdr& names, ElfFile& file) {
    visit<Elf64_Sym>(image, section, [&](const Elf64_Sym& symbol) {
        const auto binding = ELF64_ST_BIND(symbol.st_info);
        if (symbol.st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK))
            file.symbols.push_back(image.text(names.sh_offset + symbol.st_name));
    });
}

}  // namespace

bool ElfFile::defines(std::string_view symbol) const {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

std::optional<ElfFile> ElfFile::read(const std::string& path) {
    const Image image(path);
    if (!image.begins_with(ELFMAG)) return std::nullopt;
    static const auto own = Image("/proc/self/exe").at<Elf64_Ehdr>(0);
    const auto header = image.at<Elf64_Ehdr>(0);
    if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || header.e_machine != own.e_machine)
        throw Error(path + " is for another kind of machine than this one");

    ElfFile file;
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
        const auto segment = image.at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
        if (segment.p_type == PT_INTERP) file.interpreter = image.text(segment.p_offset);
        if (segment.p_type == PT_DYNAMIC) file.dynamic = true;
    }
    const auto section = [&](std::size_t number) {
        return image.at<Elf64_Shdr>(header.e_shoff + number * sizeof(Elf64_Shdr));
    };
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const Elf64_Shdr here = section(i);
        if (here.sh_type == SHT_DYNAMIC) read_dynamic(image, here, section(here.sh_link), file);
        if (here.sh_type == SHT_DYNSYM || here.sh_type == SHT_SYMTAB)
            read_symbols(image, here, section(here.sh_link), file);
    }
    return file;
}

}  // namespace echelon::launch
