// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile_file.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echelon {

/// The folder of the user's own profiles; empty if neither XDG_CONFIG_HOME nor HOME is set.
std::string own_profiles();
/// The folder lib/echelon/profile.d of the installation that this library or program belongs to; empty if
/// there is no installation.
std::string installed_profiles();

/// Files and folders in which to search for the profile, in order: `asked` (ECHELON_PROFILE) if it is not
/// empty, otherwise the user's, the system's and the installation's.
std::vector<std::string> profile_places(const std::string& asked, const std::string& installed);

/// A file that may be the profile.
struct ProfilePath {
    std::string path;
    /// A profile in a folder is for its own number of ranks per node and nearby ones; a single file is for
    /// any number.
    bool in_folder = false;
};

/// The files of a place: the file itself, or the files of a folder that end in .json, in alphabetical order.
/// A place that does not exist has no files, unless the user `asked` for it. Sets `problem` if the folder
/// cannot be listed.
std::vector<ProfilePath> profile_files(const std::string& place, bool asked, std::string& problem);

/// Reads a profile. Error: the file cannot be read, or is no profile.
KnownProfile read_known_profile(const ProfilePath& file);

/// The result of a search for profiles.
struct ProfileSearch {
    /// Profiles of this MPI, processor and network, in order, up to the first for any number of ranks per
    /// node.
    std::vector<KnownProfile> fitting = {};
    /// Sentences about files that are damaged, written by a newer version or, if no profile fits, of another
    /// machine. Files of another machine in a folder are skipped silently.
    std::vector<std::string> problems = {};
    /// Number of files that were tried.
    int files = 0;
    /// True if the user wants no profile (`none`).
    bool forbidden = false;

    /// The first profile with the nearest number of ranks per node (0: unknown, any profile fits). If there
    /// is none, the result is empty and its `from` says why.
    KnownProfile first_for(int ranks_per_node) const;
};

/// Searches profile_places(asked, installed). `here` is called only if there is a file.
ProfileSearch find_profiles(const std::string& asked, const std::string& installed,
                            const std::function<Fingerprint()>& here);

/// The file name of a profile in a folder. Calibrations have the same name exactly if their fingerprints are
/// equal.
std::string file_name(const Fingerprint& fingerprint);

}  // namespace echelon
