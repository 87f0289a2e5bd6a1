// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/site.hpp"
#include "mpi/comm.hpp"
#include "mpi/mpi_link.hpp"
#include "mpi/native.hpp"

#include <memory>

namespace echelon {

/// What dividing a communicator has cost so far.
struct SplitCounters {
    long splits = 0;      ///< Sub-communicators made by this rank: two a division.
    long translated = 0;  ///< Divisions that got no communicators of their own.
    long hits = 0;        ///< Divisions asked for again.
    double seconds = 0;   ///< Spent in MPI_Comm_split.
};

/// A site over MPI: our private copy of the user's communicator, or a part of it. Its divisions are made once
/// and kept: two splits for each groups, one by group and one by position, serve every root.
class MpiSite final : public Site {
public:
    /// The whole, whose route stays the caller's. Memory and counters must outlive the site.
    MpiSite(Route route, Memory& memory, SplitCounters& counters);

    Link& link() override { return link_; }
    MpiLink& mpi_link() { return link_; }
    const Placement& placement() const override { return placement_; }
    void set_placement(Placement placement) { placement_ = std::move(placement); }
    void native(Collective collective, const Args& args) override { native_(collective, args); }

    /// Collective on first use. Divisions are made with communicators of their own until `translate` says
    /// otherwise.
    const Split& split(const Groups& groups) override;
    bool has(const Groups& groups) const;
    MpiSite& inside(const Groups& groups) { return *division(groups).inside; }
    MpiSite& across(const Groups& groups) { return *division(groups).across; }

    /// Divisions made from now on talk over this site's communicator, with their ranks translated: when
    /// communicators have run out, which the MPI library may also be the first to say. Native phases cannot
    /// run on them.
    void translate(bool on) { translate_ = on; }
    bool has_communicator() const { return own_.get() != MPI_COMM_NULL; }
    const Route& route() const { return route_; }
    /// This site and all divisions, here and below, have communicators to themselves.
    bool complete() const;
    /// Communicators that this site's divisions hold.
    int communicators() const;

    /// Gives up the division that was used longest ago, but `except`. Returns whether there was one.
    /// Collective, alike on all ranks.
    bool drop_oldest(const Groups& except);
    /// At the beginning of a call, here and below: the memory's element size.
    void begin();

private:
    struct Division {
        Groups groups;
        Split split;
        std::unique_ptr<MpiSite> inside, across;
        long last_use = 0;
    };
    MpiSite(Comm own, Route route, const MpiSite& parent, Placement placement);
    Division& division(const Groups& groups);
    std::unique_ptr<MpiSite> part(std::span<const int> members, int own, int color, int key);

    Comm own_;
    Route route_;
    Memory& memory_;
    SplitCounters& counters_;
    MpiLink link_;
    Native native_;
    Placement placement_;
    std::vector<std::unique_ptr<Division>> divisions_;
    long clock_ = 0;
    bool translate_ = false;
};

}  // namespace echelon
