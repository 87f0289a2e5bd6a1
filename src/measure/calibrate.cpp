// SPDX-License-Identifier: Apache-2.0
#include "measure/calibrate.hpp"

#include "core/error.hpp"
#include "estimators/choice/precompute.hpp"
#include "estimators/fit/fit_window.hpp"
#include "estimators/fit/learn_native_surrogates.hpp"
#include "estimators/profile/not_reached.hpp"
#include "groups/layout.hpp"
#include "groups/parts.hpp"
#include "mpi/agree.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/comm.hpp"
#include "mpi/find_regions.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/gather_text.hpp"
#include "mpi/measure_machine.hpp"
#include "mpi/open_window.hpp"
#include "tuner/requests.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace echelon {
namespace {

/// Share of the time for messages and work; the rest is for collectives.
constexpr double machine_share = 0.2;
/// Share of the time for communicators of some of the ranks.
constexpr double parts_share = 0.3;
/// Share of the time for precomputed decisions, and as much beyond the time if earlier steps took longer or
/// ranks share processors.
constexpr double foresight_share = 0.05;
/// Share of the time for the shared memory of a node.
constexpr double window_share = 0.02;
constexpr double least_seconds = 1e-3;  // 0 would be no limit

/// Fingerprint of rank 0, broadcast in an otherwise empty profile.
Fingerprint common_fingerprint(Tuner& tuner, const Placement& placement) {
    Profile alone;
    std::string text;
    if (tuner.rank() == 0) {
        alone.fingerprint = fingerprint_here();
        alone.fingerprint.ranks_per_node = ranks_per_node(placement);
        text = to_json(alone);
    }
    return Profile::parse(broadcast(text, tuner.user())).fingerprint;
}

/// Hosts on each switch, of each site, or at each position in a torus; on rank 0. Collective.
std::vector<Inhabitants> inhabitants_of(MPI_Comm comm, const Placement& placement) {
    std::map<std::tuple<std::uint64_t, std::uint64_t, TorusPosition>, std::set<std::string>> hosts;
    const std::vector<std::string> names = gather(mpi_host(), comm);
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const Region region = placement.region(int(rank));
        hosts[{region.site, region.leaf_switch, region.torus}].insert(names[rank]);
    }
    std::vector<Inhabitants> made;
    for (const auto& [where, all] : hosts) {
        const auto& [site, leaf_switch, torus] = where;
        made.push_back({{site, leaf_switch, torus}, {all.begin(), all.end()}});
    }
    return made;
}

/// The placement without switches if the machine was measured, or will be, without messages between them.
/// `known`: the measured machine; nullptr if it will be measured.
Placement as_measured(const Placement& placement, const Machine* known) {
    const bool can_tell = placement.torus().empty() && placement.switch_count() < placement.node_count();
    return (known != nullptr ? known->has(Level::leaf_switch) : can_tell) ? placement
                                                                          : placement.without_switches();
}

/// Runs `work` on a communicator of these ranks alone; the others do nothing. Collective.
void on_part(Tuner& whole, const std::vector<int>& ranks, const std::function<void(Trainer&)>& work) {
    const bool takes_part = std::ranges::find(ranks, whole.rank()) != ranks.end();
    MPI_Comm comm = MPI_COMM_NULL;
    check(PMPI_Comm_split(whole.user(), takes_part ? 0 : MPI_UNDEFINED, whole.rank(), &comm),
          "MPI_Comm_split");
    if (comm == MPI_COMM_NULL) return;
    {
        Trainer trainer(Tuner::of(*State::of(comm)));
        work(trainer);
    }
    PMPI_Comm_free(&comm);
}

/// Measures native collectives on parts of the ranks, and the best few recipes of the model: choices there
/// depend on them. Collective; the same profile on all ranks, before and after.
void calibrate_parts(Tuner& whole, const Placement& placement, Profile& profile, const Training& training) {
    const auto parts = measured_parts(placement);
    const double began = now();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        // Creating a communicator takes time, too.
        const bool any_left = training.seconds > least_seconds && now() - began < training.seconds;
        if (!as_rank_0_says(training.seconds == 0 || any_left, whole.user())) return;
        Training own = training;
        own.brief = true;
        constexpr std::size_t few = 3;
        own.shortlist = few;
        if (training.seconds > 0)
            own.seconds =
                std::max(least_seconds, (training.seconds - (now() - began)) / double(parts.size() - i));
        on_part(whole, parts[i], [&](Trainer& trainer) {
            trainer.tuner().own().set_regions(placement.of(parts[i]));
            train(trainer, profile, own);
        });
        profile = Profile::parse(broadcast(to_json(profile), whole.user()));
    }
}

/// Measures the shared memory of the first node with several ranks; does nothing if its ranks cannot share
/// memory. `seconds`: 0 is no limit. Collective; rank 0 has the result.
void calibrate_window(Tuner& whole, const Placement& placement, Profile& profile, double seconds) {
    std::vector<int> node;
    for (int first = 0; first < placement.size() && node.size() < 2; ++first) {
        node.clear();
        for (int rank = 0; rank < placement.size(); ++rank)
            if (placement.node(rank) == placement.node(first)) node.push_back(rank);
    }
    if (!memory_is_shared || node.size() < 2) return;
    std::array<double, 2> took{};
    on_part(whole, node, [&](Trainer& trainer) {
        const double deadline = seconds > 0 ? now() + seconds : 0;
        const auto measured = [&](Collective collective, Bytes bytes) {
            const auto found =
                trainer.measure(collective, bytes, {shared_memory()},
                                {.fewest = 5, .rounds = 25, .deadline = deadline, .precision = 0.03});
            const auto& timing = found.front().timing;
            const bool lacks = trainer.tuner().own().lacks_windows(shared_memory(), collective);
            return timing && !lacks ? timing->seconds.median : 0;
        };
        took = {measured(Collective::allreduce, WindowSamples::sum_bytes),
                measured(Collective::bcast, WindowSamples::bcast_bytes)};
    });
    check(PMPI_Bcast(took.data(), int(took.size()), MPI_DOUBLE, node.front(), whole.user()), "MPI_Bcast");
    if (whole.rank() == 0 && took[0] > 0 && took[1] > 0)
        profile.parameters->machine.window =
            fit_window(profile.parameters->machine, placement.of(node), {took[0], took[1]});
}

/// Precomputes decisions for communicators that programs usually create; each rank computes some of them.
/// `seconds`: 0 is no limit. Collective; the same profile on all ranks before, rank 0 has the result.
void foresee_parts(Tuner& whole, const Placement& placement, Profile& profile,
                   const std::vector<Collective>& collectives, double seconds) {
    constexpr std::size_t most = 64;
    const double began = now();
    const auto in_time = [&] { return seconds == 0 || now() - began < seconds; };
    const auto known = std::make_shared<const Profile>(profile);
    Profile own;
    const auto parts = usual_parts(placement, most);
    for (auto i = std::size_t(whole.rank()); i < parts.size() && in_time(); i += std::size_t(whole.size())) {
        const Company company{placement, parts[i]};
        // Contention between sites is known too poorly.
        const bool is_known = placement.site_count() == 1 && company.communicators.size() > 1;
        Decider decider(known, placement.of(company.communicators.front()), Width::best,
                        is_known ? &company : nullptr);
        try {
            std::ranges::move(foresee(decider, collectives, in_time), std::back_inserter(own.foreseen));
        } catch (const Error& error) {
            whole.process().log().once(true, "calls on ranks that sit as " + decider.layout() +
                                                 " were not decided ahead: " + error.what());
        }
    }
    for (const std::string& text : gather(to_json(own), whole.user()))
        std::ranges::move(Profile::parse(text).foreseen, std::back_inserter(profile.foreseen));
}

}  // namespace

void calibrate(Trainer& trainer, Profile& profile, const Training& training) {
    Tuner& tuner = trainer.tuner();
    const double began = now();
    const MPI_Comm own = tuner.own().comm();
    // Messages on the user's communicator could match messages of the user.
    const MPI_Comm comm = own != MPI_COMM_NULL ? own : tuner.user();
    const bool looks = !training.go_on || !profile.parameters;
    tuner.own().set_regions(as_measured(find_regions(comm, tuner.own().placement(true, true)),
                                        looks ? nullptr : &profile.parameters->machine));
    const Placement placement = tuner.own().placement(true, true);
    tuner.process().world().set_regions(placement, tuner.rank());
    profile.fingerprint = common_fingerprint(tuner, placement);
    profile.decisions.clear();
    profile.foreseen.clear();
    const std::string layout = layout_of(placement);
    if (!training.go_on) {
        const auto of_these_ranks = [&](const auto& one) {
            return one.p == placement.size() && one.layout == layout;
        };
        std::erase_if(profile.samples, of_these_ranks);
        std::erase_if(profile.not_reached, of_these_ranks);
    }
    note_not_reached(profile, {training.collectives, training.sizes, placement.size(), layout});
    if (looks) {
        profile.corrections.clear();  // learned with the old parameters
        profile.likenesses.clear();
        profile.parameters = with_known(
            fit_machine(measure_machine(comm, placement, trainer.start(),
                                        training.seconds > 0 ? machine_share * training.seconds : unlimited)),
            profile.parameters);
        if (placement.knows_regions()) profile.parameters->regions = inhabitants_of(tuner.user(), placement);
        // A node alone tells nothing about several oversubscribed nodes, where waiting ranks keep others from
        // their processors.
        if (placement.node_count() == 1 || !trainer.start().crowded())
            calibrate_window(tuner, placement, profile, window_share * training.seconds);
        profile = Profile::parse(broadcast(to_json(profile), tuner.user()));
        if (training.machine_done) training.machine_done();
    }
    const auto until = [&](double share) {
        return training.seconds > 0 ? std::max(least_seconds, share * training.seconds - (now() - began)) : 0;
    };
    Training of_all = training, of_parts = training;
    of_all.seconds = until(1 - parts_share - foresight_share);
    train(trainer, profile, of_all);
    of_parts.seconds = until(1 - foresight_share);
    calibrate_parts(tuner, placement, profile, of_parts);
    if (tuner.rank() == 0) {
        SampleTimes model(profile.parameters->machine, placement);
        learn_likenesses(profile, model);
    }
    profile = Profile::parse(broadcast(to_json(profile), tuner.user()));
    foresee_parts(tuner, placement, profile, training.collectives, until(1 + foresight_share));
    profile = Profile::parse(broadcast(to_json(profile), tuner.user()));
}

}  // namespace echelon
