// SPDX-License-Identifier: Apache-2.0
#include "apps/launch/drop_in_library.hpp"

#include "core/error.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <filesystem>

namespace echelon::launch {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

/// Folders of libraries and programs that are bound to one MPI.
struct Place {
    fs::path libraries, programs;
};

std::vector<Place> places() {
    std::vector<Place> places;
    const fs::path own = own_folder(), built = own.parent_path();
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(own / ECHELON_DROP_IN_FOLDER, none))
        if (entry.is_directory(none)) places.push_back({entry.path(), entry.path() / "bin"});
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.libraries < b.libraries; });
    for (const fs::path& folder : {built, built.parent_path() / "release", built.parent_path() / "openmpi"})
        places.push_back({folder / "lib", folder / "bin"});
    return places;
}

std::vector<BoundFile> bound(const std::string& name, fs::path Place::*folder) {
    std::vector<BoundFile> found;
    for (const Place& place : places()) {
        std::error_code ignored;
        const fs::path path = fs::weakly_canonical(place.*folder / name, ignored);
        const auto known = [&](const BoundFile& one) { return one.path == path; };
        if (!fs::is_regular_file(path, ignored) || std::any_of(found.begin(), found.end(), known)) continue;
        const Loaded loaded = loaded_with(path);
        if (loaded.mpis.size() == 1) found.push_back({path, loaded.mpis[0]});
    }
    return found;
}

}  // namespace

std::vector<BoundFile> drop_in_libraries() { return bound("libechelon-pmpi.so", &Place::libraries); }

std::vector<BoundFile> programs_named(const std::string& name) { return bound(name, &Place::programs); }

std::string library_beside(const std::string& name) {
    const fs::path programs = own_folder();
    for (const fs::path& place :
         {programs / ECHELON_DROP_IN_FOLDER / name, programs.parent_path() / "lib" / name})
        if (fs::exists(place)) return fs::canonical(place);
    return {};
}

std::string profiles_of_installation() {
    const fs::path all = (own_folder() / ECHELON_DROP_IN_FOLDER).lexically_normal();
    return fs::is_directory(all) ? all / "profile.d" : fs::path();
}

std::string yielding_library() {
    for (const Place& place : places()) {
        std::error_code ignored;
        const fs::path path = fs::weakly_canonical(place.libraries / "libyield.so", ignored);
        if (fs::is_regular_file(path, ignored)) return path;
    }
    throw Error("--yield: libyield.so is not here; build or install Echelon with MPICH");
}

const BoundFile& library_for(const MpiLibrary& mpi, const std::string& user,
                             const std::vector<BoundFile>& libraries) {
    for (const BoundFile& library : libraries)
        if (library.mpi.soname == mpi.soname && library.mpi.family == mpi.family) return library;
    const std::string others = joined(libraries, " and ", [](const auto& one) { return to_string(one.mpi); });
    throw Error(user + " runs on " + to_string(mpi) + ", but Echelon's library is here for " +
                (others.empty() ? "no MPI" : others + " only") + "; build or install it with that MPI");
}

}  // namespace echelon::launch
