// SPDX-License-Identifier: Apache-2.0
// Reads every #include line of the project: a room includes only rooms that stand above it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Rooms = std::set<std::string>;

/// What each room may include besides itself.
const std::map<std::string, Rooms>& allowed() {
    static const auto table = [] {
        std::map<std::string, Rooms> may;
        may["core"] = {};
        may["flat"] = may["groups"] = may["shm"] = {"core"};
        may["hier"] = {"core", "flat", "groups"};
        Rooms above = {"core", "flat", "groups", "hier"};
        const auto estimator = [&](const std::string& idea, const Rooms& others) {
            Rooms& these = may["estimators/" + idea] = {"core", "flat", "groups", "hier"};
            for (const std::string& one : others) these.insert("estimators/" + one);
            above.insert("estimators/" + idea);
        };
        estimator("network", {});
        estimator("simulator", {"network"});
        estimator("profile", {"network"});
        estimator("price", {"network", "simulator", "profile"});
        estimator("fit", {"network", "profile", "price"});
        estimator("choice", {"network", "profile", "price", "fit"});
        above.insert("shm");
        for (const char* room : {"mpi", "cache", "front", "measure", "api"}) {
            may[room] = above;
            above.insert(room);
        }
        may["options"] = {"core"};
        for (const char* room : {"pmpi", "apps", "bench"}) may[room] = above;
        for (const char* programs : {"apps", "bench"}) may[programs].insert("options");
        return may;
    }();
    return table;
}

bool knows_mpi(const std::string& room) { return allowed().at(room).contains("shm"); }

/// The room of a file: src/flat/x.cpp is in flat, estimators/fit/x.cpp in estimators/fit; "" outside of the rooms.
std::string room_of(const fs::path& relative) {
    const fs::path folder = relative.parent_path();
    auto part = folder.begin();
    if (part != folder.end() && *part == "src") ++part;
    fs::path room;
    for (; part != folder.end(); ++part) {
        room /= *part;
        if (allowed().contains(room.generic_string())) return room.generic_string();
    }
    return "";
}

bool is_source(const fs::path& file) {
    static const std::set<std::string> endings = {".cpp", ".hpp", ".c", ".h", ".in"};
    return endings.contains(file.extension().string());
}

/// What one line includes, with its opening mark: `"core/link.hpp` or `<vector`; "" if it includes nothing.
std::string included_by(const std::string& line) {
    std::istringstream words(line);
    char hash = 0;
    std::string rest;
    if (!(words >> hash) || hash != '#' || !std::getline(words >> std::ws, rest)) return "";
    if (!rest.starts_with("include")) return "";
    const auto open = rest.find_first_of("\"<");
    if (open == std::string::npos) return "";
    return rest.substr(open, rest.find_first_of("\">", open + 1) - open);
}

/// Why `file` of `room` may not include `target`, or "" if it may.
std::string objection(const fs::path& file, const std::string& room, const std::string& target) {
    const std::string path = target.substr(1);
    const bool quoted = target[0] == '"';
    if (path == "mpi.h" && !knows_mpi(room)) return room + " knows no MPI";
    if (path == "hwloc.h" && room != "groups") return "only groups knows hwloc";
    const std::string first = path.substr(0, path.find('/'));
    const std::string entered = first == "echelon" ? "api" : room_of(path);
    if (entered.empty()) return quoted ? "a quoted include names its room, as in \"core/link.hpp\"" : "";
    const bool is_public = file.generic_string().starts_with("src/api/include/");
    if (is_public && first != "echelon")
        return "a public header includes no header of a room: rooms are not installed";
    if (entered == room || allowed().at(room).contains(entered)) return "";
    return room + " does not include " + entered;
}

/// All forbidden includes under `root`, as "file:line: why".
std::vector<std::string> forbidden_edges(const fs::path& root, int& files_read) {
    std::vector<std::string> found;
    std::vector<std::string> knowing_hwloc;
    for (const char* top : {"src", "hier", "groups", "cache", "estimators", "apps", "bench"}) {
        if (!fs::exists(root / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const fs::path relative = entry.path().lexically_relative(root);
            const std::string room = room_of(relative);
            if (!entry.is_regular_file() || !is_source(entry.path())) continue;
            ++files_read;
            if (room.empty()) {
                found.push_back(relative.string() + ": stands in no room");
                continue;
            }
            std::ifstream stream(entry.path());
            std::string line;
            for (int number = 1; std::getline(stream, line); ++number) {
                const std::string target = included_by(line);
                if (target.empty()) continue;
                if (target.substr(1) == "hwloc.h") knowing_hwloc.push_back(relative.string());
                const std::string why = objection(relative, room, target);
                if (!why.empty())
                    found.emplace_back(relative.string() + ":" + std::to_string(number) + ": " + why);
            }
        }
    }
    std::sort(found.begin(), found.end());
    if (knowing_hwloc.size() > 1) found.push_back("hwloc.h is included in more than one file");
    return found;
}

/// A small repository in a temporary folder.
class PlantedRepository {
public:
    PlantedRepository() {
        root_ = fs::temp_directory_path() / ("room_edges_" + std::to_string(::getpid()));
        fs::remove_all(root_);
    }
    ~PlantedRepository() { fs::remove_all(root_); }
    PlantedRepository(const PlantedRepository&) = delete;
    PlantedRepository& operator=(const PlantedRepository&) = delete;

    void plant(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }
    std::vector<std::string> edges() const {
        int files_read = 0;
        return forbidden_edges(root_, files_read);
    }

private:
    fs::path root_;
};

using Strings = std::vector<std::string>;

TEST(RoomEdges, of_this_project_are_all_allowed) {
    int files_read = 0;
    EXPECT_EQ(forbidden_edges(ECHELON_SOURCE_DIR, files_read), Strings{});
    EXPECT_GT(files_read, 0);
}

TEST(RoomEdges, downwards_are_allowed) {
    PlantedRepository planted;
    planted.plant("src/flat/ring.cpp",
                  "#include \"flat/catalog.hpp\"\n#include \"core/link.hpp\"\n#include <vector>\n");
    planted.plant("src/api/call.cpp",
                  "#include <mpi.h>\n#include \"cache/plan.hpp\"\n#include <echelon/echelon.hpp>\n");
    planted.plant("groups/machine.cpp", "#include <hwloc.h>\n");
    EXPECT_EQ(planted.edges(), Strings{});
}

TEST(RoomEdges, upwards_and_sideways_are_reported) {
    PlantedRepository planted;
    planted.plant("src/core/link.hpp", "\n  #  include \"flat/catalog.hpp\"\n");
    planted.plant("src/flat/ring.cpp", "#include \"groups/partition.hpp\"\n");
    planted.plant("bench/main.cpp", "#include \"apps/summa.hpp\"\n");
    planted.plant("estimators/network/table.hpp", "#include \"estimators/fit/fit.hpp\"\n");
    planted.plant("estimators/units.hpp", "");
    EXPECT_EQ(planted.edges(), (Strings{"bench/main.cpp:1: bench does not include apps",
                                        "estimators/network/table.hpp:1: estimators/network does not include "
                                        "estimators/fit",
                                        "estimators/units.hpp: stands in no room",
                                        "src/core/link.hpp:2: core does not include flat",
                                        "src/flat/ring.cpp:1: flat does not include groups"}));
}

TEST(RoomEdges, to_mpi_and_hwloc_are_reported_outside_of_their_rooms) {
    PlantedRepository planted;
    planted.plant("hier/recipe.cpp", "#include <mpi.h>\n");
    planted.plant("cache/place.cpp", "#include <hwloc.h>\n");
    EXPECT_EQ(planted.edges(), (Strings{"cache/place.cpp:1: only groups knows hwloc",
                                        "hier/recipe.cpp:1: hier knows no MPI"}));
}

TEST(RoomEdges, to_hwloc_are_counted) {
    PlantedRepository planted;
    planted.plant("groups/one.cpp", "#include <hwloc.h>\n");
    planted.plant("groups/two.cpp", "#include <hwloc.h>\n");
    EXPECT_EQ(planted.edges(), Strings{"hwloc.h is included in more than one file"});
}

TEST(RoomEdges, of_public_headers_stay_in_public) {
    PlantedRepository planted;
    planted.plant("src/api/include/echelon/echelon.hpp", "#include \"core/error.hpp\"\n");
    planted.plant("src/api/call.cpp", "#include \"call.hpp\"\n");
    const Strings edges = planted.edges();
    ASSERT_EQ(edges.size(), 2u);
    EXPECT_NE(edges[0].find("names its room"), std::string::npos) << edges[0];
    EXPECT_NE(edges[1].find("public header"), std::string::npos) << edges[1];
}

}  // namespace
