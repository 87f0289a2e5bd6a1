// SPDX-License-Identifier: Apache-2.0
#include "cache/tracer.hpp"

#include "cache/run_name.hpp"
#include "cache/summary.hpp"
#include "cache/ticks.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/say.hpp"
#include "estimators/simulator/trace_events.hpp"
#include "hier/shapes.hpp"
#include "mpi/quirks.hpp"

#include <chrono>
#include <sstream>

namespace echelon {
namespace {

std::string_view name_of(const Phase& phase) {
    switch (phase.kind) {
        case Phase::Kind::native:
            return "native";
        case Phase::Kind::flat:
            return phase.algorithm->name;
        case Phase::Kind::sequence:
            return "one after the other";
        case Phase::Kind::shape:
            return name(phase.row->shape);
    }
    return "";
}

/// The clock that all ranks have, as well as their machines' clocks agree.
double second_now() {
    if constexpr (quirks::simulated) return double(ticks()) * 1e-9;
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Tracer::Tracer(std::string file)
    : file_(std::move(file)), first_second_(second_now()), first_tick_(ticks()) {}

const Tracer::Kind* Tracer::kind(Kind kind) {
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

void Tracer::call(const Kind& kind, std::uint64_t began, std::uint64_t ended) {
    const std::scoped_lock lock(mutex_);
    Thread& thread = this_thread();
    thread.open.clear();  // of a call that ended with an error
    add({.began = began,
         .ended = ended,
         .kind = &kind,
         .collective = kind.collective,
         .name = {},
         .bytes = kind.bytes,
         .ranks = kind.ranks,
         .thread = thread.number});
}

void Tracer::began(const Phase& phase, Team& team, const Args& args) {
    const std::scoped_lock lock(mutex_);
    Thread& thread = this_thread();
    thread.open.push_back({.began = ticks(),
                           .ended = 0,
                           .kind = nullptr,
                           .collective = phase.collective,
                           .name = name_of(phase),
                           .bytes = args.data.count * team.link().element_size(),
                           .ranks = team.link().size(),
                           .thread = thread.number});
}

void Tracer::ended() {
    const std::scoped_lock lock(mutex_);
    std::vector<Bar>& open = this_thread().open;
    if (open.empty()) return;
    Bar bar = open.back();
    open.pop_back();
    bar.ended = ticks();
    if (!open.empty()) add(bar);  // the outermost is the call
}

void Tracer::write(int rank, double seconds_per_tick) const {
    if (rank != 0 && !names_ranks(file_)) return;
    const std::scoped_lock lock(mutex_);
    std::ostringstream text;
    {
        const std::string how = quirks::simulated ? ", simulated" : ", measured";
        TraceEvents events(
            text, command_line() + how +
                      (left_out_ == 0 ? "" : "; " + std::to_string(left_out_) + " later bars are missing"));
        events.rank(rank);
        for (const auto& [id, thread] : threads_)
            events.row(rank, thread.number, "thread " + std::to_string(thread.number));
        for (const Bar& bar : bars_) {
            const double begin = first_second_ + double(bar.began - first_tick_) * seconds_per_tick;
            const double lasting = double(bar.ended - bar.began) * seconds_per_tick;
            const std::string bytes = std::to_string(bar.bytes), ranks = std::to_string(bar.ranks);
            if (bar.kind != nullptr)
                events.bar(name(bar.collective), rank, bar.thread, begin * 1e6, lasting * 1e6,
                           {{"recipe", TraceEvents::quoted(bar.kind->recipe)},
                            {"chosen_by", TraceEvents::quoted(name(bar.kind->source))},
                            {"bytes", bytes},
                            {"ranks", ranks}});
            else
                events.bar(std::string(name(bar.collective)) + ' ' + std::string(bar.name), rank, bar.thread,
                           begin * 1e6, lasting * 1e6, {{"bytes", bytes}, {"group", ranks}});
        }
    }
    const std::string file = run_name(file_, rank);
    try {
        write_file(file, text.str());
    } catch (const Error& error) {
        say(std::string("the trace ") + error.what());
    }
}

}  // namespace echelon
