// SPDX-License-Identifier: Apache-2.0
// profiles: the profiles of this machine that programs load.
#include "apps/echelon/profile_option.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"

#include "apps/launch/drop_in_library.hpp"
#include "core/error.hpp"
#include "core/words.hpp"
#include "estimators/profile/host.hpp"
#include "estimators/profile/profile_search.hpp"
#include "settings/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

/// The programs in question.
struct Programs {
    std::vector<std::string> mpis;
    Fingerprint here;  // without an MPI
    /// 0: any number.
    int ranks_per_node;
};

/// Verdict on a profile file.
struct Fitness {
    std::string path;
    std::string problem = {};
    Fingerprint fingerprint = {};
    int ranks_per_node = 0;  // ranks a node of its machine; 0: any number
    /// The programs have another number of ranks a node.
    bool is_nearest = false;
    /// Reasons that it does not fit; empty if it fits.
    std::string difference = {};
    /// MPIs whose programs load it. It may be empty for a file that fits, because others come first.
    std::vector<std::string> taken_by = {};
};

/// Profiles that programs find, by their MPI.
class Listing {
public:
    Listing(Programs programs, const std::string& asked) : programs_(std::move(programs)) {
        for (const std::string& mpi : programs_.mpis)
            found_[mpi] = find_profiles(asked, launch::profiles_of_installation(), [&] {
                Fingerprint here = programs_.here;
                here.mpi = mpi;
                return here;
            });
    }

    Fitness judge(const ProfilePath& file) const {
        Fitness made{.path = file.path};
        try {
            const KnownProfile found = read_known_profile(file);
            made.fingerprint = found.profile->get()->fingerprint;
            made.ranks_per_node = found.ranks_per_node;
        } catch (const Error& error) {
            made.problem = error.what();
            return made;
        }
        Fingerprint here = programs_.here;
        const std::string& mpi = made.fingerprint.mpi;
        here.mpi = found_.contains(mpi) || found_.empty() ? mpi : joined(programs_.mpis, " or ");
        made.difference = difference(made.fingerprint, here);
        if (!made.difference.empty()) return made;
        for (const auto& [one, found] : found_)
            if (takes(found, made)) made.taken_by.push_back(one);
        const int ranks = programs_.ranks_per_node;
        made.is_nearest = ranks != 0 && made.ranks_per_node != 0 && made.ranks_per_node != ranks;
        if (made.is_nearest && made.taken_by.empty())
            made.difference = "it is for " + std::to_string(made.ranks_per_node) + " ranks a node, not " +
                              std::to_string(ranks);
        return made;
    }

private:
    bool takes(const ProfileSearch& found, const Fitness& one) const {
        const int ranks = programs_.ranks_per_node != 0 ? programs_.ranks_per_node : one.ranks_per_node;
        if (ranks != 0) return found.first_for(ranks).from == one.path;
        return std::any_of(found.fitting.begin(), found.fitting.end(),
                           [&](const KnownProfile& fitting) { return fitting.from == one.path; });
    }

    Programs programs_;
    std::map<std::string, ProfileSearch> found_;
};

std::string sentence(const Fitness& verdict) {
    if (!verdict.problem.empty()) return "cannot be used: " + verdict.problem;
    if (!verdict.difference.empty()) return "does not fit: " + verdict.difference;
    if (verdict.taken_by.empty()) return "fits, but others come before it";
    return "taken by programs of " + joined(verdict.taken_by, " and of ") +
           (verdict.ranks_per_node == 0 ? ""
            : verdict.is_nearest
                ? "; of " + std::to_string(verdict.ranks_per_node) + " ranks a node, the nearest number"
                : " with " + std::to_string(verdict.ranks_per_node) + " ranks a node");
}

Json to_json(const Fitness& verdict) {
    Json made{{"file", verdict.path}};
    if (!verdict.problem.empty()) {
        made["problem"] = verdict.problem;
        return made;
    }
    const Fingerprint& print = verdict.fingerprint;
    made["fingerprint"] = {{"mpi", print.mpi},
                           {"processor", print.processor},
                           {"networks", print.networks},
                           {"ranks_per_node", print.ranks_per_node}};
    made["fits"] = verdict.difference.empty();
    made["difference"] = verdict.difference;
    made["taken_by"] = verdict.taken_by;
    return made;
}

po::options_description options() {
    po::options_description all("options", 100);
    all.add_options()  //
        ("mpi", po::value<std::string>()->default_value("", "all that Echelon is here for"),
         "mpich or openmpi: for programs of this one")  //
        ("ranks-per-node", po::value<int>()->default_value(0, "any number"),
         "for programs with so many ranks on the busiest node")  //
        ("json", "print JSON")                                   //
        ("help,h", "this text");
    return all;
}

}  // namespace

int list_profiles(const std::vector<std::string>& arguments) {
    const po::variables_map given = read_options(
        arguments,
        "usage: echelon profiles [options]\n\n"
        "Lists the profiles of this machine in the order in which programs look for theirs, and says of each why it fits\n"
        "or not: by MPI, processor, network and ranks a node.\n\n",
        options());
    const auto& mpi = given["mpi"].as<std::string>();
    const int ranks = given["ranks-per-node"].as<int>();
    if (ranks < 0) throw Error("--ranks-per-node: expected a number from 1 on");
    const Programs programs{.mpis = mpis_here(mpi.empty() ? "" : launch::mpi_family(mpi)),
                            .here = {.mpi = {}, .processor = processor_name(), .networks = network_names()},
                            .ranks_per_node = ranks};
    if (programs.mpis.empty() && !mpi.empty())
        throw Error("Echelon is not here for " + launch::mpi_family(mpi) +
                    "; build or install it with that MPI");
    const Settings settings = Settings::from_environment();
    const std::vector<std::string> places =
        profile_places(settings.profile, launch::profiles_of_installation());
    const bool prints_json = given.count("json") != 0;

    Json all{{"mpis", programs.mpis},
             {"processor", programs.here.processor},
             {"networks", programs.here.networks},
             {"ranks_per_node", ranks == 0 ? Json() : Json(ranks)},
             {"places", places},
             {"problems", Json::array()},
             {"profiles", Json::array()}};
    std::ostringstream text;
    text << "MPI        "
         << (programs.mpis.empty() ? "none is known" : joined(programs.mpis, "\n           ")) << '\n'
         << "processor  " << programs.here.processor << '\n'
         << "network    " << joined(programs.here.networks, ", ") << "\n\n";
    if (places.empty()) text << "ECHELON_PROFILE=none: no profile is used\n";
    const Listing listing(programs, settings.profile);
    for (const std::string& place : places) {
        std::string problem;
        const auto files = profile_files(place, place == settings.profile, problem);
        if (!problem.empty()) all["problems"].push_back(problem);
        text << place << (!problem.empty() ? ": " + problem : files.empty() ? ": no profile" : "") << '\n';
        for (const ProfilePath& file : files) {
            const Fitness verdict = listing.judge(file);
            all["profiles"].push_back(to_json(verdict));
            text << "  "
                 << (file.in_folder ? file.path.substr(place.size() + (place.ends_with('/') ? 0 : 1)) + ": "
                                    : "")
                 << sentence(verdict) << '\n';
        }
    }
    if (prints_json)
        std::cout << all.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    else
        std::cout << text.str();
    return done;
}

}  // namespace echelon::tool
