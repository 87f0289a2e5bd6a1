// SPDX-License-Identifier: Apache-2.0
#include "apps/launch/mpi_in_use.hpp"

#include "apps/launch/elf_file.hpp"
#include "apps/launch/output_of.hpp"
#include "core/error.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace echelon::launch {
namespace {

namespace fs = std::filesystem;

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_python(const std::string& word) {
    const std::string name = last_part(word);
    return name.starts_with("python") || name.starts_with("pypy");
}

/// The interpreter in a script's first line: python3 for `/usr/bin/env python3` and for `/usr/bin/python3`.
std::string interpreter_of(const std::string& path) {
    std::ifstream file(path);
    std::string line, word;
    std::getline(file, line);
    if (!line.starts_with("#!")) return "";
    std::istringstream words(line.substr(2));
    while (words >> word)
        if (last_part(word) != "env" && word[0] != '-' && word.find('=') == std::string::npos) return word;
    return "";
}

/// The MPI library itself, recognized by its definitions: profiling tools lack the PMPI names.
std::optional<MpiLibrary> as_mpi(const ElfFile& file, const std::string& path) {
    if (!file.defines("PMPI_Init")) return std::nullopt;
    const bool open_mpi = file.defines("ompi_mpi_comm_world");
    const bool mpich = file.defines("MPII_Version_CC") || file.soname.starts_with("libmpich");
    return MpiLibrary{file.soname.empty() ? last_part(path) : file.soname, path,
                      open_mpi ? "Open MPI"
                      : mpich  ? "MPICH"
                               : "an MPI"};
}

/// Verdict on one word of a command: an MPI, or the reason that there is none.
struct Answer {
    std::optional<MpiInUse> use = {};
    std::string reason = {};
    /// The word may be a program that starts the words behind it.
    bool looks_further = false;
};

Answer the_one(const Loaded& loaded, const std::string& by, const std::string& none) {
    if (loaded.mpis.size() == 1) return {.use = MpiInUse{loaded.mpis[0], by, loaded.drop_in}};
    if (loaded.mpis.size() > 1)
        return {.reason =
                    by + " loads two MPI libraries, " + loaded.mpis[0].path + " and " + loaded.mpis[1].path};
    if (!loaded.missing.empty())
        return {.reason = by + " needs " + loaded.missing[0] + ", which the dynamic loader does not find"};
    return {.reason = none, .looks_further = true};
}

/// Wheels of mpi4py have a module for each family and load one in each process: the one that MPI4PY_MPIABI
/// names, else the one whose MPI is loaded already. Under a launcher that belongs to a family that is
/// Echelon's library for it.
Answer look_at_python(const std::string& python, const std::string& family) {
    Words command{
        python, "-c",
        "from importlib.util import find_spec\n"
        "if find_spec('mpi4py'):\n"
        "    try:\n"
        "        module = find_spec('mpi4py.MPI')\n"
        "        print('module', module.origin) if module else print('problem it has none for this MPI')\n"
        "    except Exception as problem:\n"
        "        print('problem', ' '.join(str(problem).split()))\n"};
    if (!family.empty() && std::getenv("MPI4PY_MPIABI") == nullptr)
        command.insert(command.begin(),
                       {"env", std::string("MPI4PY_MPIABI=") + (family == "MPICH" ? "mpich" : "openmpi")});
    const auto told = output_of(command);
    if (!told) return {.reason = python + " does not start"};
    std::istringstream words(*told);
    std::string kind, rest;
    words >> kind >> std::ws;
    std::getline(words, rest);
    const std::string by = "the module mpi4py of " + python;
    if (kind == "problem") return {.reason = by + " cannot be loaded: " + rest};
    Answer found =
        the_one(rest.empty() ? Loaded() : loaded_with(rest), by,
                python + " has no module mpi4py; if its MPI is another module's, name it by --mpi");
    found.looks_further = false;
    return found;
}

Answer look_at(const std::string& word, const std::string& family) {
    const std::string path = file_to_run(word);
    if (path.empty()) return {.reason = "there is no program '" + word + "'"};
    if (is_python(word)) return look_at_python(word, family);
    const auto file = ElfFile::read(path);
    if (!file) {
        const std::string interpreter = interpreter_of(path);
        if (is_python(interpreter)) return look_at_python(interpreter, family);
        return {.reason = word + " is a script" + (interpreter.empty() ? "" : " of " + interpreter) +
                          ", which does not tell whose MPI it starts; name that by --mpi",
                .looks_further = true};  // like Debian's valgrind, and programs that bind ranks to processors
    }
    const bool has_mpi = file->defines("PMPI_Init");
    if (!file->dynamic || (file->interpreter.empty() && file->soname.empty() && file->needed.empty()))
        return {.reason = word + (has_mpi ? " has its MPI library" : " is") +
                          " linked statically: no library can be loaded before"};
    if (has_mpi)
        return {.reason = word + " has its MPI library linked statically: nothing can stand before it"};
    return the_one(loaded_with(path), word, word + " is no MPI program: it loads no MPI library");
}

}  // namespace

std::string mpi_family(const std::string& name) {
    if (name == "mpich") return "MPICH";
    if (name == "openmpi") return "Open MPI";
    throw Error("--mpi: '" + name + "' is neither mpich nor openmpi");
}

std::string to_string(const MpiLibrary& mpi) { return mpi.family + " (" + mpi.soname + ')'; }

std::string file_to_run(const std::string& word) {
    const auto runs = [](const fs::path& path) {
        std::error_code ignored;
        return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
    };
    if (word.empty()) return "";
    if (word.find('/') != std::string::npos) return runs(word) ? word : "";
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path file = fs::path(folder.empty() ? "." : folder) / word; runs(file)) return file;
    return "";
}

Loaded loaded_with(const std::string& path) {
    // The dynamic loader itself knows best; a library is loaded by ours.
    static const std::string our_loader = ElfFile::read("/proc/self/exe")->interpreter;
    const auto file = ElfFile::read(path);
    Loaded loaded;
    if (!file) return loaded;
    const std::string loader = file->interpreter.empty() ? our_loader : file->interpreter;
    const auto list = output_of({loader, "--list", fs::absolute(path)});
    if (!list) throw Error(path + ": the dynamic loader " + loader + " cannot tell what it loads");
    std::istringstream lines(*list);
    for (std::string line;
         std::getline(lines, line);) {  // "	name => path (address)", "	name => not found"
        std::istringstream words(line);
        std::string name, arrow, library;
        words >> name >> arrow >> library;
        if (arrow != "=>") continue;
        if (library == "not") {
            loaded.missing.push_back(name);
        } else if (const auto inside = ElfFile::read(library)) {
            if (auto mpi = as_mpi(*inside, library)) loaded.mpis.push_back(std::move(*mpi));
            loaded.drop_in = loaded.drop_in || last_part(library).starts_with("libechelon-pmpi.");
        }
    }
    return loaded;
}

MpiInUse mpi_in_use(const Words& command, const std::string& family) {
    std::string reason;
    for (const std::string& word : command) {
        if (&word != &command.front()) {
            if (file_to_run(word).empty()) continue;
            if (is_launcher(word))
                throw Error("put '" + command.front() + "' and its options in front of echelon, so that '" +
                            word + "' comes first behind the --");
        }
        const Answer found = look_at(word, family);
        if (found.use) return *found.use;
        if (reason.empty()) reason = found.reason;
        if (!found.looks_further) break;
    }
    throw Error(reason);
}

}  // namespace echelon::launch
