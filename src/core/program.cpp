// SPDX-License-Identifier: Apache-2.0
#include "core/program.hpp"

#include <sstream>

namespace echelon {
namespace {

std::string text(const Slice& slice) {
    constexpr const char* names[] = {"data", "input", "scratch"};
    return std::string(names[std::size_t(slice.buffer)]) + '[' + std::to_string(slice.offset) + ',' +
           std::to_string(slice.end()) + ')';
}

std::string text(const Program& program, const Step& step) {
    const auto on = [&] { return step.link == 0 ? std::string() : " on link " + std::to_string(step.link); };
    const auto round = [&] { return " in round " + std::to_string(step.round) + on(); };
    switch (step.kind) {
        case Step::Kind::send:
            return "send " + text(step.what) + " to " + std::to_string(program.peer_of(step)) + on();
        case Step::Kind::receive:
            return "receive " + text(step.what) + " from " + std::to_string(program.peer_of(step)) + on();
        case Step::Kind::wait:
            return "wait for " + std::to_string(step.peer);
        case Step::Kind::reduce: {
            const bool before = step.side == Side::before;
            return "reduce " + text(step.what) + " = " + text(before ? step.from : step.what) + " (+) " +
                   text(before ? step.what : step.from);
        }
        case Step::Kind::copy:
            return "copy " + text(step.what) + " = " + text(step.from);
        case Step::Kind::mark:
            return "mark";
        case Step::Kind::await:
            return "await strand " + std::to_string(step.peer) + " mark " + std::to_string(step.what.count);
        case Step::Kind::put:
            return "put " + text(step.what) + round();
        case Step::Kind::get:
            return "get " + text(step.what) + " from " + std::to_string(step.from.offset) + " on of " +
                   std::to_string(program.peer_of(step)) + round();
        case Step::Kind::fold:
            return "fold " + text(step.what) + " from " + std::to_string(step.from.offset) +
                   " on of the first " + std::to_string(step.peer) + round();
        case Step::Kind::leave:
            return "leave rounds below " + std::to_string(step.round) + on();
        case Step::Kind::expose:
            return "expose " + text(step.what) + round();
        case Step::Kind::offer:
            return "offer " + text(step.what) + round();
        case Step::Kind::accept:
            return "accept what was given" + round();
        case Step::Kind::give:
            return "give " + text(step.what) + " from " + std::to_string(step.from.offset) + " on of " +
                   std::to_string(program.peer_of(step)) + round();
        case Step::Kind::withdraw:
            return "withdraw what was exposed in rounds below " + std::to_string(step.round) + on();
    }
    return {};
}

void print(std::ostream& out, const Program& program) {
    for (std::size_t s = 0; s < program.strands.size(); ++s) {
        const auto& strand = program.strands[s];
        if (program.strands.size() > 1) out << "  strand " << s << '\n';
        for (std::size_t i = 0; i < strand.size(); ++i) {
            const bool starts = strand[i].kind == Step::Kind::send || strand[i].kind == Step::Kind::receive;
            const bool blocking = starts && i + 1 < strand.size() && strand[i + 1].kind == Step::Kind::wait &&
                                  strand[i + 1].peer == int(i);
            out << "  " << i << ": " << (starts && !blocking ? "start " : "") << text(program, strand[i])
                << '\n';
            if (blocking) ++i;
        }
    }
}

}  // namespace

std::string to_string(const Program& program) {
    std::ostringstream out;
    print(out, program);
    return out.str();
}

std::string to_string(const Schedule& schedule) {
    std::ostringstream out;
    for (int r = 0; r < schedule.size(); ++r) {
        out << "rank " << r << '\n';
        print(out, schedule.ranks[std::size_t(r)]);
    }
    return out.str();
}

}  // namespace echelon
