// SPDX-License-Identifier: Apache-2.0
#include "report/tracer.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/say.hpp"
#include "estimators/simulator/trace_events.hpp"
#include "hier/phase.hpp"
#include "mpi/quirks.hpp"
#include "report/summary.hpp"
#include "report/ticks.hpp"
#include "settings/run_name.hpp"

#include <chrono>
#include <sstream>

namespace echelon {
namespace {

/// Seconds of a clock that all ranks share, as far as their hosts' clocks agree.
double second_now() {
    if constexpr (quirks::simulated) return double(ticks()) * 1e-9;
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Tracer::Tracer(TraceRequest request)
    : request_(std::move(request)), first_second_(second_now()), first_tick_(ticks()) {}

const Tracer::Kind* Tracer::kind(Kind kind) {
    if (!request_.bytes.contains(kind.bytes)) return nullptr;
    const std::scoped_lock lock(mutex_);
    return &*kinds_.insert(std::move(kind)).first;
}

void Tracer::add(const Bar& bar) {
    if (bars_.size() < most)
        bars_.push_back(bar);
    else
        ++left_out_;
}

Tracer::Thread& Tracer::this_thread() {
    return threads_.try_emplace(std::this_thread::get_id(), Thread{int(threads_.size())}).first->second;
}

Tracer::Thread* Tracer::listening_thread() {
    const auto known = threads_.find(std::this_thread::get_id());
    return known != threads_.end() && known->second.listens ? &known->second : nullptr;
}

void Tracer::listen() {
    const std::scoped_lock lock(mutex_);
    this_thread().listens = true;
    ++under_way_;
}

void Tracer::call(const Kind& kind, std::uint64_t began, std::uint64_t ended) {
    const std::scoped_lock lock(mutex_);
    Thread& thread = this_thread();
    thread.listens = false;
    --under_way_;
    thread.open.clear();  // a call that ended with an error leaves open bars
    add({.began = began,
         .ended = ended,
         .kind = &kind,
         .phase = nullptr,
         .bytes = kind.bytes,
         .ranks = kind.ranks,
         .thread = thread.number});
}

const PhaseSpans::Name& Tracer::name_of(const Phase& phase) {
    PhaseKey key{.collective = phase.collective,
                 .algorithm = phase.algorithm,
                 .radix = phase.radix,
                 .segment = phase.segment,
                 .text = phase.kind == Phase::Kind::flat ? phase.schedule : recipe_text(phase)};
    const auto known = phases_.find(key);
    if (known != phases_.end()) return known->second;
    return phases_.emplace(std::move(key), PhaseSpans::Name{echelon::title(phase), recipe_text(phase)})
        .first->second;
}

void Tracer::began(const Phase& phase, Team& team, const Args& args) {
    if (under_way_.load(std::memory_order_relaxed) == 0) return;
    const std::scoped_lock lock(mutex_);
    Thread* const thread = listening_thread();
    if (thread == nullptr) return;
    // The outermost phase is the call itself.
    const PhaseSpans::Name* const name = thread->open.empty() ? nullptr : &name_of(phase);
    thread->open.push_back({.began = ticks(),
                            .ended = 0,
                            .kind = nullptr,
                            .phase = name,
                            .bytes = args.data.count * team.link().element_size(),
                            .ranks = team.link().size(),
                            .thread = thread->number});
}

void Tracer::ended() {
    if (under_way_.load(std::memory_order_relaxed) == 0) return;
    const std::scoped_lock lock(mutex_);
    Thread* const thread = listening_thread();
    if (thread == nullptr || thread->open.empty()) return;
    Bar bar = thread->open.back();
    thread->open.pop_back();
    bar.ended = ticks();
    if (bar.phase != nullptr) add(bar);
}

std::string Tracer::title() const {
    std::string text = command_line() + (quirks::simulated ? ", simulated" : ", measured");
    if (request_.last != TraceRequest{}.last || request_.first != TraceRequest{}.first)
        text += "; calls " + std::to_string(request_.first) + '-' +
                (request_.last == TraceRequest{}.last ? "" : std::to_string(request_.last));
    if (request_.bytes != ByteRange{}) text += "; calls of " + to_string(request_.bytes) + " bytes";
    if (left_out_ > 0) text += "; " + std::to_string(left_out_) + " later bars are missing";
    return text;
}

void Tracer::write(int rank, double seconds_per_tick) const {
    if (rank != 0 && !names_ranks(request_.file)) return;
    const std::scoped_lock lock(mutex_);
    std::ostringstream text;
    {
        TraceEvents events(text, title());
        events.rank(rank);
        for (const auto& [id, thread] : threads_)
            events.row(rank, thread.number, "thread " + std::to_string(thread.number));
        for (const Bar& bar : bars_) {
            const double begin = first_second_ + double(bar.began - first_tick_) * seconds_per_tick;
            const double lasting = double(bar.ended - bar.began) * seconds_per_tick;
            const std::string bytes = std::to_string(bar.bytes), ranks = std::to_string(bar.ranks);
            if (bar.kind != nullptr)
                events.bar(name(bar.kind->collective), rank, bar.thread, begin * 1e6, lasting * 1e6,
                           {{"recipe", TraceEvents::quoted(bar.kind->recipe)},
                            {"chosen_by", TraceEvents::quoted(name(bar.kind->source))},
                            {"bytes", bytes},
                            {"ranks", ranks}});
            else
                events.bar(
                    bar.phase->phase, rank, bar.thread, begin * 1e6, lasting * 1e6,
                    {{"recipe", TraceEvents::quoted(bar.phase->recipe)}, {"bytes", bytes}, {"group", ranks}});
        }
    }
    const std::string file = run_name(request_.file, rank);
    try {
        write_file(file, text.str());
    } catch (const Error& error) {
        say(std::string("the trace ") + error.what());
    }
}

}  // namespace echelon
