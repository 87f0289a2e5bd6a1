// SPDX-License-Identifier: Apache-2.0
/// Profiles that are wrong by a factor of ten: after its trials a program is as fast as with native
/// collectives, or faster. The finding names the recipe that was dropped.
#include "tuner/tuner.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <echelon/echelon.hpp>
#include <functional>
#include <memory>

namespace echelon {
namespace {

struct Work {
    const char* collective;
    Bytes bytes;
};
const std::vector<Work> works{{"allreduce", 8}, {"allreduce", 64 << 10}, {"reduce", 8}, {"reduce", 64 << 10},
                              {"bcast", 8},     {"bcast", 64 << 10}};

void call(const Work& work, bool native, MPI_Comm comm) {
    std::vector<float> in(work.bytes / sizeof(float)), out(in.size());
    const int count = int(in.size());
    const std::string_view collective = work.collective;
    if (collective == "bcast")
        native ? PMPI_Bcast(out.data(), count, MPI_FLOAT, 0, comm)
               : bcast(out.data(), count, MPI_FLOAT, 0, comm);
    else if (collective == "reduce")
        native ? PMPI_Reduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, 0, comm)
               : reduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, 0, comm);
    else
        native ? PMPI_Allreduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, comm)
               : allreduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, comm);
}

/// Seconds of `calls` calls, one by one, on the slowest rank. The Tuning object first completes pending
/// decisions and trials of rooted calls.
double seconds(int calls, const Work& work, bool native, MPI_Comm comm) {
    const Tuning settled(comm);
    const double began = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        call(work, native, comm);
        PMPI_Barrier(comm);
    }
    double took = MPI_Wtime() - began;
    PMPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm);
    return took;
}

Network scaled(Network network, double latency, double per_byte) {
    const auto scale = [&](Hockney& model) {
        model.alpha *= latency;
        model.beta *= per_byte;
    };
    if (auto* const line = std::get_if<Hockney>(&network)) scale(*line);
    if (auto* const pieces = std::get_if<PiecewiseHockney>(&network))
        for (auto& piece : pieces->pieces) scale(piece.model);
    return network;
}

void scale(Profile& profile, double latency, double per_byte) {
    Machine& machine = profile.parameters->machine;
    machine.between = scaled(machine.between, latency, per_byte);
    machine.inside = scaled(machine.inside, latency, per_byte);
    machine.gamma *= per_byte;
}

struct Wrong {
    const char* what;
    std::function<void(Profile&)> make;
};

bool is_native(const Sample& one) { return one.recipe.kind == Recipe::Kind::native; }

/// Leaves a wrong model and wrong native times alone.
void leave_model(Profile& profile, double latency, double per_byte, double native) {
    std::erase_if(profile.samples, [](const Sample& one) { return !is_native(one); });
    profile.corrections.clear();
    for (Sample& one : profile.samples) one.seconds *= native;
    scale(profile, latency, per_byte);
}

const std::vector<Wrong> wrongs{
    {"messages ten times as fast", [](Profile& profile) { leave_model(profile, 0.1, 0.1, 1); }},
    {"latency a tenth, bytes and native ten times as dear",
     [](Profile& profile) { leave_model(profile, 0.1, 10, 10); }},
    {"latency and native ten times as long, bytes free",
     [](Profile& profile) { leave_model(profile, 10, 0, 10); }},
    {"the slowest is the fastest",
     [](Profile& profile) {
         for (Sample& one : profile.samples)
             one.seconds = is_native(one) ? 10 * one.seconds : 1e-12 / one.seconds;
     }},
    {"the slowest was learned",
     [](Profile& profile) {
         for (const Work& work : works) {
             const Collective collective = *collective_named(work.collective);
             const Sample* worst = nullptr;
             for (const Sample& one : profile.samples)
                 if (one.collective == collective && one.bytes == work.bytes &&
                     (worst == nullptr || one.seconds > worst->seconds))
                     worst = &one;
             profile.decisions.push_back(
                 {collective, worst->p, worst->layout, {work.bytes, work.bytes}, worst->recipe, 1e-9, 1});
         }
     }},
};

/// Discards the findings made with earlier profiles, which would correct the next one.
void forget(Learned& learned) {
    std::destroy_at(&learned);
    std::construct_at(&learned, "", [](const std::string&) {});
}

TEST(Guard, WrongProfilesCostNothingInTheEnd) {
    MPI_Comm honest = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &honest);
    for (const char* collective : {"allreduce", "reduce", "bcast"})
        Tuning(honest).train(collective, {8, 64 << 10}, 100);
    int dropped = 0;
    for (const Wrong& wrong : wrongs) {
        Profile profile = *Tuner::of(*State::known(honest)).machine().profile();
        wrong.make(profile);
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        forget(Tuner::of(*State::of(comm)).shared().learned());
        Tuner::of(*State::of(comm)).set_profile(std::make_shared<const Profile>(std::move(profile)));
        for (const Work& work : works) {
            call(work, false, comm);
            constexpr int few = 1, many = 100;
            const double before = seconds(few, work, false, comm);
            // An arm whose expected cost is a thousand times higher is never affordable and may stay untried.
            constexpr int most_rounds = 20;
            for (int round = 0; round == 0 || (round < most_rounds && Tuner::of(*State::of(comm)).trying());
                 ++round)
                seconds(100, work, false, comm);
            const double ours = seconds(many, work, false, comm), native = seconds(many, work, true, comm);
            EXPECT_LE(ours, 1.05 * native) << wrong.what << ", " << work.collective << " of " << work.bytes;
            if (before / few <= 1.05 * native / many) continue;
            // The program began with a slow recipe, and the finding names it.
            ++dropped;
            const auto& rows = Tuner::of(*State::of(comm)).table().by_class();
            EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
                return name(row.first.collective) == work.collective &&
                       row.first.size == Decider::size_class(work.bytes) && row.second.found() &&
                       !row.second.choice.refusal.empty();
            }));
        }
        MPI_Comm_free(&comm);
    }
    EXPECT_GE(dropped, 6) << "the profiles were not wrong enough to show anything";
    MPI_Comm_free(&honest);
}

}  // namespace
}  // namespace echelon
