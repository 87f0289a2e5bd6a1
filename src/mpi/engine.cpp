// SPDX-License-Identifier: Apache-2.0
#include "mpi/engine.hpp"

#include "core/error.hpp"
#include "mpi/next.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// Most communications of a link that a strand has under way at once.
std::size_t most_under_way(const std::vector<Step>& strand, std::size_t link) {
    std::size_t now = 0, most = 0;
    for (const Step& step : strand) {
        if (step.kind == Step::Kind::wait)
            now -= strand[std::size_t(step.peer)].link == link ? 1 : 0;
        else if ((step.kind == Step::Kind::send || step.kind == Step::Kind::receive) && step.link == link)
            most = std::max(most, ++now);
    }
    return most;
}

}  // namespace

Engine::Engine(const Program& program, std::vector<MpiLink*> links, Memory& memory)
    : program_(program), links_(std::move(links)), memory_(memory), strands_(program.strands.size()) {
    for (const auto& strand : program.strands) started_.emplace_back(strand.size());
    requests_.reserve(strands_.size());
    waiting_.reserve(strands_.size());
    for (std::size_t link = 0; link < links_.size(); ++link) {
        if (links_[link] == nullptr) continue;
        std::size_t most = 0;  // the sum over the strands: their maxima may coincide
        for (const auto& strand : program.strands) most += most_under_way(strand, link);
        links_[link]->reserve(most);
    }
}

void Engine::run() {
    restart();
    while (!advance()) {
        requests_.clear();
        list_awaited(requests_);
        int index = 0;
        MPI_Status status{};
        const int code = next.Waitany(int(requests_.size()), requests_.data(), &index, &status);
        complete(std::size_t(index), code, status);
    }
}

void Engine::restart() { std::fill(strands_.begin(), strands_.end(), Strand{}); }

bool Engine::advance() {
    for (bool moved = true; moved;) {
        moved = false;
        bool all_ended = true;
        for (std::size_t s = 0; s < strands_.size(); ++s) {
            moved = advance(s) || moved;
            all_ended = all_ended && strands_[s].next == program_.strands[s].size();
        }
        if (all_ended) return true;
    }
    return false;
}

bool Engine::advance(std::size_t s) {
    const auto& code = program_.strands[s];
    Strand& strand = strands_[s];
    const std::size_t before = strand.next;
    for (; strand.next < code.size(); ++strand.next) {
        const Step& step = code[strand.next];
        switch (step.kind) {
            case Step::Kind::send:
            case Step::Kind::receive:
                started_[s][strand.next] = start(step, int(s));
                break;
            case Step::Kind::wait:
                if (!started_[s][std::size_t(step.peer)].ended) return strand.next != before;
                break;
            case Step::Kind::reduce:
                memory_.reduce(step.what, step.from, step.side);
                break;
            case Step::Kind::copy:
                memory_.copy(step.what, step.from);
                break;
            case Step::Kind::mark:
                ++strand.marks;
                break;
            case Step::Kind::await:
                if (strands_[std::size_t(step.peer)].marks < step.what.count) return strand.next != before;
                break;
            case Step::Kind::put:
            case Step::Kind::get:
            case Step::Kind::fold:
            case Step::Kind::leave:
            case Step::Kind::expose:
            case Step::Kind::offer:
            case Step::Kind::give:
            case Step::Kind::accept:
            case Step::Kind::withdraw:
                throw Error("a window's rounds do not run side by side with others");
        }
    }
    return strand.next != before;
}

Engine::Started Engine::start(const Step& step, int s) {
    MpiLink* const link = links_[step.link];
    link->use_tag(s);
    Started made{link};
    made.ticket = step.kind == Step::Kind::receive ? link->start_receive(step.peer, step.what)
                                                   : link->start_send(step.peer, step.what);
    if (link->request(made.ticket) == MPI_REQUEST_NULL) {  // it failed, and has kept the error
        link->ended(made.ticket, MPI_SUCCESS, {});
        made.ended = true;
    } else if (quirks::short_sends_end_at_once && step.kind == Step::Kind::send &&
               memory_.element().size * step.what.count <= MpiLink::sent_without_request) {
        made.ended = link->ends_at_once(made.ticket);
    }
    return made;
}

void Engine::list_awaited(std::vector<MPI_Request>& requests) {
    waiting_.clear();
    for (std::size_t s = 0; s < strands_.size(); ++s) {
        if (strands_[s].next == program_.strands[s].size()) continue;
        const Step& step = program_.strands[s][strands_[s].next];
        if (step.kind != Step::Kind::wait) continue;
        Started& started = started_[s][std::size_t(step.peer)];
        waiting_.push_back(&started);
        requests.push_back(started.link->request(started.ticket));
    }
}

void Engine::complete(std::size_t i, int code, const MPI_Status& status) {
    Started& started = *waiting_[i];
    started.link->ended(started.ticket, code, status);
    started.ended = true;
}

}  // namespace echelon
