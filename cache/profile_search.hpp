// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/profile_file.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echelon {

/// The folder of the user's own profiles; empty: nothing says where the user's files are.
std::string own_profiles();
/// lib/echelon/profile.d of the installation that this library or program is part of; empty: of none.
std::string installed_profiles();

/// Files, and folders of files, in which the profile is looked for, in this order: what `asked` (ECHELON_PROFILE)
/// names, else the user's, the system's and the installation's.
std::vector<std::string> profile_places(const std::string& asked, const std::string& installed);

/// A file that may be the profile.
struct ProfilePath {
    std::string path;
    /// Those of a folder are for the numbers of ranks a node that are nearest to theirs; one by itself is for any number.
    bool in_folder = false;
};

/// The files in a place: it, or, of a folder, those that end in .json, in alphabetical order; none where it is not
/// there, unless a user asked for it. `problem`: the folder cannot be listed.
std::vector<ProfilePath> profile_files(const std::string& place, bool asked, std::string& problem);

/// A profile that was read.
struct FoundProfile {
    std::string path;
    KnownProfile known;
    /// For so many; 0: any number.
    int ranks_per_node = 0;

    /// Error: it cannot be read, or is no profile.
    static FoundProfile read(const ProfilePath& file);
};

/// What looking for a profile comes to.
struct ProfileSearch {
    /// Profiles of this MPI, processor and network, in order, up to the first that is for any number of ranks a node.
    std::vector<FoundProfile> fitting = {};
    /// Sentences about files that are damaged, newer or, if none is found, of another machine; those of a folder that
    /// are of another machine are passed over without a word.
    std::vector<std::string> problems = {};
    /// Files that were looked at.
    int files = 0;
    /// A user wants none.
    bool forbidden = false;

    /// The first of those measured with the nearest number of ranks a node; 0: nobody knows how many, and any does. None:
    /// an empty one, which says why.
    KnownProfile first_for(int ranks_per_node) const;
};

/// `asked` and `installed` as for profile_places(). `here` is asked when there is a profile at all.
ProfileSearch find_profiles(const std::string& asked, const std::string& installed,
                            const std::function<Fingerprint()>& here);

/// What a profile's file is called in a folder: the same for calibrations of the same fingerprint alone.
std::string file_name(const Fingerprint& fingerprint);

}  // namespace echelon
