// SPDX-License-Identifier: Apache-2.0
#include "apps/launch/drop_in_library.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <filesystem>

namespace echelon::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "libechelon-pmpi.so";

fs::path own_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::vector<fs::path> places() {
    const fs::path programs = own_folder();
    const fs::path installed = programs / ECHELON_DROP_IN_FOLDER, built = programs.parent_path();
    return {installed / "mpich" / file_name, installed / "openmpi" / file_name, built / "lib" / file_name,
            built.parent_path() / "release" / "lib" / file_name,
            built.parent_path() / "openmpi" / "lib" / file_name};
}

}  // namespace

std::vector<DropInLibrary> drop_in_libraries() {
    std::vector<DropInLibrary> found;
    for (const fs::path& place : places()) {
        std::error_code ignored;
        const fs::path path = fs::weakly_canonical(place, ignored);
        const auto known = [&](const DropInLibrary& one) { return one.path == path; };
        if (!fs::is_regular_file(path, ignored) || std::any_of(found.begin(), found.end(), known)) continue;
        const Loaded loaded = loaded_with(path);
        if (loaded.mpis.size() == 1) found.push_back({path, loaded.mpis[0]});
    }
    return found;
}

std::string library_beside(const std::string& name) {
    const fs::path programs = own_folder();
    for (const fs::path& place :
         {programs / ECHELON_DROP_IN_FOLDER / name, programs.parent_path() / "lib" / name})
        if (fs::exists(place)) return fs::canonical(place);
    return {};
}

std::string yielding_library() {
    for (const fs::path& place : places()) {
        std::error_code ignored;
        const fs::path path = fs::weakly_canonical(place.parent_path() / "libyield.so", ignored);
        if (fs::is_regular_file(path, ignored)) return path;
    }
    throw Error("--yield: libyield.so is not here; build or install Echelon with MPICH");
}

const DropInLibrary& library_for(const MpiLibrary& mpi, const std::string& user,
                                 const std::vector<DropInLibrary>& libraries) {
    std::string others;
    for (const DropInLibrary& library : libraries) {
        if (library.mpi.soname == mpi.soname && library.mpi.family == mpi.family) return library;
        others += (others.empty() ? "" : " and ") + to_string(library.mpi);
    }
    throw Error(user + " runs on " + to_string(mpi) + ", but Echelon's library is here for " +
                (others.empty() ? "no MPI" : others + " only") + "; build or install it with that MPI");
}

}  // namespace echelon::launch
