// SPDX-License-Identifier: Apache-2.0
#include "groups/groups.hpp"

#include <ostream>
#include <utility>

#include "core/error.hpp"
#include "groups/ways.hpp"

namespace echelon {
namespace {

/// Throws "groups 'G=9': ...".
[[noreturn]] void refuse(const Groups& groups, const std::string& what) {
    throw Error("groups '" + to_string(groups) + "': " + what);
}

std::string ranks_counted(int p) { return std::to_string(p) + (p == 1 ? " rank" : " ranks"); }

std::string only(int p) { return (p == 1 ? "there is only " : "there are only ") + ranks_counted(p); }

std::string name_each(int p) { return "; name each rank from 0 to " + std::to_string(p - 1) + " once"; }

}  // namespace

Groups::Groups(Kind kind, int number, std::shared_ptr<const Partition> ranks)
    : kind_(kind), number_(number), ranks_(std::move(ranks)) {
    hash_ =
        (static_cast<std::size_t>(kind_) * 2654435761u + static_cast<std::size_t>(number_)) * 1099511628211u;
    if (ranks_ != nullptr) hash_ ^= ranks_->hash();
}

Groups Groups::count(int group_count) {
    Groups groups(Kind::count, group_count);
    if (group_count < 1) refuse(groups, "G must be at least 1");
    return groups;
}

Groups Groups::size(int group_size) {
    Groups groups(Kind::size, group_size);
    if (group_size < 1) refuse(groups, "size must be at least 1");
    return groups;
}

Groups Groups::ranks(Partition partition) {
    return Groups(Kind::ranks, 0, std::make_shared<const Partition>(std::move(partition)));
}

std::string to_string(const Groups& groups) {
    switch (groups.kind_) {
        case Groups::Kind::sqrt:
            return "sqrt";
        case Groups::Kind::count:
            return "G=" + std::to_string(groups.number_);
        case Groups::Kind::size:
            return "size=" + std::to_string(groups.number_);
        case Groups::Kind::site:
            return "site";
        case Groups::Kind::leaf_switch:
            return "switch";
        case Groups::Kind::node:
            return "node";
        case Groups::Kind::package:
            return "package";
        case Groups::Kind::numa:
            return "numa";
        case Groups::Kind::l3:
            return "l3";
        case Groups::Kind::ranks:
            return "ranks=" + to_string(*groups.ranks_);
    }
    return {};  // not reached: every kind has a case
}

bool operator==(const Groups& a, const Groups& b) noexcept {
    if (a.hash_ != b.hash_ || a.kind_ != b.kind_ || a.number_ != b.number_) return false;
    return a.ranks_ == b.ranks_ || (a.ranks_ && b.ranks_ && *a.ranks_ == *b.ranks_);
}

Partition resolve(const Groups& groups, int p, const Placement& placement) {
    if (p < 1) refuse(groups, "there must be at least 1 rank to group, not " + std::to_string(p));
    if (groups.needs_placement() && placement.size() != p)
        refuse(groups, "the placement must tell where " + ranks_counted(p) + " sit, and tells of " +
                           std::to_string(placement.size()));
    switch (groups.kind_) {
        case Groups::Kind::sqrt:
            return by_sqrt(p);
        case Groups::Kind::count:
            if (groups.number_ > p)
                refuse(groups, only(p) + "; G must be " + (p == 1 ? "1" : "from 1 to " + std::to_string(p)));
            return by_count(p, groups.number_);
        case Groups::Kind::size:
            return by_size(p, groups.number_);
        case Groups::Kind::site:
            return by_site(placement);
        case Groups::Kind::leaf_switch:
            return by_switch(placement);
        case Groups::Kind::node:
            return by_node(placement);
        case Groups::Kind::package:
            return by_package(placement);
        case Groups::Kind::numa:
            return by_numa(placement);
        case Groups::Kind::l3:
            return by_l3(placement);
        case Groups::Kind::ranks:
            break;
    }
    const int named = groups.ranks_->size();
    if (named > p) refuse(groups, "rank " + std::to_string(p) + " is named, but " + only(p) + name_each(p));
    if (named < p) refuse(groups, "rank " + std::to_string(named) + " is in no group" + name_each(p));
    return *groups.ranks_;
}

std::ostream& operator<<(std::ostream& out, const Groups& groups) { return out << to_string(groups); }

}  // namespace echelon
