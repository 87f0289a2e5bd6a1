// SPDX-License-Identifier: Apache-2.0
#include "bench/contender.hpp"

#include "front/native_call.hpp"

#include <echelon/echelon.hpp>

#include <array>

namespace echelon::bench {
namespace {

#define ECHELON_BY_ECHELON(Name, name, ...) \
    int by_echelon(const calls::Name& call) { return call.pass<MPI_Count>(echelon_##name); }
ECHELON_COUNTED_CALLS(ECHELON_BY_ECHELON)
int by_echelon(const calls::Barrier& call) { return echelon_barrier(call.comm); }

}  // namespace

Stage::Stage(MPI_Comm parent) {
    MPI_Comm_dup(parent, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

Stage::~Stage() { MPI_Comm_free(&comm_); }

bool Stage::force(Collective collective, const std::string& recipe) {
    std::string& forced = forced_[collective];
    if (forced == recipe) return false;
    forced.clear();
    Tuning tuning(comm_);
    tuning.clear(name(collective));
    tuning.force(name(collective), recipe);
    forced = recipe;
    return true;
}

std::optional<std::string> Contender::first_call(const Cell& cell, Workload& workload) {
    try {
        if (kind_ == Kind::recipe) stage_->force(cell.collective, recipe_);
    } catch (const TuningError& error) {
        return error.what();
    }
    if (kind_ == Kind::automatic && call(workload) == MPI_SUCCESS)
        (void)Tuning(stage_->comm());  // decides calls with a root
    const int code = call(workload);
    if (code == MPI_SUCCESS) return std::nullopt;
    return reason(cell, code);
}

int Contender::call(Workload& workload) {
    // native_call uses PMPI_*: a preloaded library must not serve the calls that it is compared with.
    if (kind_ == Kind::library)
        return workload.call(stage_->comm(), [](const auto& made) { return native_call(made); });
    return workload.call(stage_->comm(), [](const auto& made) { return by_echelon(made); });
}

void Contender::take_stage(const Cell& cell, Workload& workload) {
    if (kind_ == Kind::recipe && stage_->force(cell.collective, recipe_)) (void)call(workload);
}

std::string Contender::reason(const Cell& cell, int code) const {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    const std::string sentence(text.data(), std::size_t(length));
    if (sentence.starts_with("echelon")) return sentence;
    // MPI cannot register sentences there.
    const std::string refusal = Tuning(stage_->comm()).would_run(name(cell.collective), cell.bytes).refusal;
    return refusal.empty() ? sentence : refusal;
}

Contender::Running Contender::running(const Cell& cell) const {
    if (kind_ == Kind::library) return {"native", "library", std::string(name(cell.collective)) + " native"};
    const WouldRun would = Tuning(stage_->comm()).would_run(name(cell.collective), cell.bytes);
    if (kind_ == Kind::recipe) return {recipe_, "hint", would.phases};
    return {would.recipe, would.source, would.phases};
}

}  // namespace echelon::bench
