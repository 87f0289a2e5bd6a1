// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/registry.hpp"

#include "apps/cluster/system.hpp"
#include "core/error.hpp"
#include "core/file.hpp"

#include <sys/file.h>
#include <sys/mman.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace echelon::cluster {
namespace {

struct flock whole_file(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

Registry::Registry(const std::string& name) : name_(name), folder_("/run/echelon-cluster/" + name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_';
    });
    if (name.empty() || name.size() > 32 || !plain)
        throw Error("--name: '" + name + "' is no name of a cluster: up to 32 letters, digits, - and _");
}

std::optional<Cluster> Registry::find() const {
    const Descriptor lock(open(file("lock").c_str(), O_RDWR | O_CLOEXEC));
    if (!lock) return std::nullopt;
    struct flock holder = whole_file(F_WRLCK);
    must(fcntl(lock.get(), F_GETLK, &holder), file("lock"));
    if (holder.l_type == F_UNLCK) return std::nullopt;

    Cluster cluster{.name = name_, .shape = {}, .wire = holder.l_pid, .nodes = {}};
    std::ifstream in(file("cluster"));
    Shape& shape = cluster.shape;
    in >> shape.nodes >> shape.latency >> shape.rate >> shape.racks >> shape.trunk_latency >>
        shape.trunk_rate;
    for (pid_t node = 0; in >> node;) cluster.nodes.push_back(node);
    if (int(cluster.nodes.size()) != shape.nodes)
        throw Error("cluster " + name_ + " is just being made; try again");
    return cluster;
}

bool Registry::claim() {
    std::filesystem::create_directories(folder_);
    lock_ = Descriptor(must(open(file("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), file("lock")));
    // Not flock: children would inherit that lock, and it does not tell its holder.
    struct flock lock = whole_file(F_WRLCK);
    return fcntl(lock_.get(), F_SETLK, &lock) == 0;
}

void Registry::publish(const Cluster& cluster) const {
    std::ostringstream out;
    out.precision(17);
    const Shape& shape = cluster.shape;
    out << shape.nodes << ' ' << shape.latency << ' ' << shape.rate << ' ' << shape.racks << ' '
        << shape.trunk_latency << ' ' << shape.trunk_rate << '\n';
    for (const pid_t node : cluster.nodes) out << node << '\n';
    write_file(file("cluster"), out.str());
}

void Registry::remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    std::filesystem::remove(std::filesystem::path(folder_).parent_path(), ignored);  // if it is the last one
}

std::optional<Descriptor> Registry::claim_run() const {
    Descriptor lock(must(open(file("run").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), file("run")));
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
    return lock;
}

Punctuality* Registry::punctuality(bool make) const {
    const std::string name = file("punctuality");
    const Descriptor page(
        must(open(name.c_str(), O_RDWR | O_CLOEXEC | (make ? O_CREAT | O_TRUNC : 0), 0600), name));
    if (make) must(ftruncate(page.get(), sizeof(Punctuality)), name);
    void* const memory =
        mmap(nullptr, sizeof(Punctuality), PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0);
    if (memory == MAP_FAILED) refused(name);
    return static_cast<Punctuality*>(memory);
}

}  // namespace echelon::cluster
