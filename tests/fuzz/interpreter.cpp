// SPDX-License-Identifier: Apache-2.0
#include "fuzz/interpreter.hpp"

#include "fuzz/around.hpp"
#include "fuzz/defects.hpp"
#include "fuzz/operation.hpp"
#include "fuzz/sides.hpp"
#include "fuzz/type.hpp"

#include <unistd.h>
#include <algorithm>

namespace fuzz {
namespace {

/// The arguments of one rank except for the buffers.
Arguments arguments_of(const Step& step, const Sides& sides, const Type* send, const Type* receive,
                       int ranks) {
    Arguments made;
    made.root = step.root % ranks;
    if (reduces(step.call)) made.op = op_of(step);
    const auto describe = [&](const std::optional<Side>& side, const Type* type, int& count,
                              MPI_Datatype& handle, std::vector<int>& counts, std::vector<int>& places,
                              std::vector<MPI_Datatype>& types) {
        if (!side) {
            handle = MPI_INT;  // ignored by MPI
            counts.assign(std::size_t(ranks), 0);
            places = counts;
            types.assign(std::size_t(ranks), MPI_INT);
            return;
        }
        count = side->counts[0];
        handle = type->get();
        counts = side->counts;
        places = side->places;
        types.assign(side->counts.size(), handle);
        if (step.call == Call::alltoallw)
            for (int& place : places) place *= int(side->map.extent);
    };
    describe(sides.send, send, made.send_count, made.send_type, made.send_counts, made.send_places,
             made.send_types);
    describe(sides.receive, receive, made.receive_count, made.receive_type, made.receive_counts,
             made.receive_places, made.receive_types);
    if (reduces(step.call) && !sides.receive) {  // reduce, not at the root
        made.receive_count = made.send_count;
        made.receive_type = made.send_type;
    }
    if (step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block) {
        made.receive_count = int(step.count);
        made.receive_counts = scatter_counts(step, ranks);
    }
    return made;
}

/// The base address of a rank's buffers; null is MPI_BOTTOM.
const std::byte* base_of(const Step& step, int rank, const Buffer* send) {
    const int base = step.base < 3 ? step.base : 1 + int(mix(step.seed, 20, rank) % 2);
    return base == 2 && send != nullptr ? send->address() : nullptr;
}

std::string hex(int byte) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", unsigned(byte));
    return text;
}

int class_of(int code) {
    int found = MPI_SUCCESS;
    PMPI_Error_class(code, &found);
    return found;
}

std::string code_words(int code) {
    char text[MPI_MAX_ERROR_STRING] = "success";
    int length = 0;
    if (code != MPI_SUCCESS) PMPI_Error_string(class_of(code), text, &length);
    return text;
}

}  // namespace

Interpreter::Interpreter(MPI_Comm whole, Progress& progress) : progress_(progress) {
    hold(members_[0], whole, false);
}

Interpreter::~Interpreter() {
    clear();
    PMPI_Comm_free(&members_[0].reference);
}

void Interpreter::fail(const Step& step, const Member& member, int repetition, const std::string& what) {
    ++tally_.failures;
    progress_.failed();
    if (tally_.failures <= 5)
        say("DIFFERS " + std::to_string(step.program) + "." + std::to_string(step.number) + " repetition " +
            std::to_string(repetition) + ": rank " + std::to_string(member.rank) + " of " +
            std::to_string(member.ranks) + ", " + name(step.call) + ": " + what);
}

void Interpreter::compare_codes(const Step& step, const Member& member, int repetition, int ours,
                                int theirs) {
    if (class_of(ours) != class_of(theirs))
        fail(step, member, repetition,
             "returns '" + code_words(ours) + "', the library's own '" + code_words(theirs) + "'");
}

/// The communicator in a slot; an empty slot stands for the whole one.
Interpreter::Member& Interpreter::member_at(int slot) {
    return members_[std::size_t(members_[std::size_t(slot)].filled ? slot : 0)];
}

void Interpreter::run(const Step& step) {
    progress_.at(step.program, step.number, 0, Progress::Doing::nothing);
    const Member& member = member_at(step.slot);
    if (step.act == Act::make) return make(step);
    if (step.act == Act::drop) return drop(step);
    if (member.user == MPI_COMM_NULL) return;  // not one of its ranks
    switch (step.act) {
        case Act::make:
        case Act::drop:
            return;
        case Act::tell:
            return member.inter ? void() : tell(step, member);
        case Act::call:
            return member.inter ? run_inter(step, member) : run_call(step, member);
        case Act::wrong:
            return member.inter ? void() : run_wrong(step, member);
        case Act::late:
            return member.inter ? void() : run_late(step, member);
    }
}

void Interpreter::run_call(const Step& given, const Member& member) {
    const Step step = spared(given, member.ranks);
    const Sides sides = sides_of(step, member.rank, member.ranks);
    std::optional<Type> send_type, receive_type;
    if (sides.send) send_type.emplace(*sides.send);
    if (sides.receive && !(reduces(step.call) && sides.send)) receive_type.emplace(*sides.receive);
    const Type* const of_send = send_type ? &*send_type : nullptr;
    const Type* const of_receive = receive_type ? &*receive_type : of_send;
    Arguments arguments = arguments_of(step, sides, of_send, of_receive, member.ranks);
    if (step.fresh) arguments.op = create_operation(step.op - 100);
    for (int repetition = 0; repetition < step.repeat; ++repetition) {
        struct Pair {
            std::unique_ptr<Buffer> send, receive;
        } ours, theirs;
        for (Pair* pair : {&ours, &theirs}) {
            const auto make = [&](SideOf of, const std::optional<Side>& side,
                                  std::unique_ptr<Buffer>& buffer) {
                if (!side) return;
                buffer = std::make_unique<Buffer>(side->map, side->blocks(), Placing(step.pages));
                fuzz::fill(*buffer, step, repetition, of, *side, member.rank, member.ranks);
                if (of == SideOf::send && step.pages != 0) buffer->make_read_only();
            };
            make(SideOf::send, sides.send, pair->send);
            make(SideOf::receive, sides.receive, pair->receive);
        }
        std::optional<Type> moved_send, moved_receive;
        const auto use = [&](const Pair& pair) {
            arguments.send = pair.send                                ? pair.send->address()
                             : sides.in_place && !scatters(step.call) ? MPI_IN_PLACE
                                                                      : nullptr;
            arguments.receive = pair.receive                            ? pair.receive->address()
                                : sides.in_place && scatters(step.call) ? MPI_IN_PLACE
                                                                        : nullptr;
            if (step.base == 0 || reduces(step.call)) return;
            const std::byte* const base = base_of(step, member.rank, pair.send.get());
            if (pair.send) {
                arguments.send_type = moved_send.emplace(*sides.send, pair.send->address() - base).get();
                std::fill(arguments.send_types.begin(), arguments.send_types.end(), arguments.send_type);
                arguments.send = base;
            }
            if (pair.receive) {
                arguments.receive_type =
                    moved_receive.emplace(*sides.receive, pair.receive->address() - base).get();
                std::fill(arguments.receive_types.begin(), arguments.receive_types.end(),
                          arguments.receive_type);
                arguments.receive = const_cast<std::byte*>(base);
            }
        };
        if (step.skew && mix(step.seed, 10, repetition, member.rank) % 2 == 0)
            usleep(unsigned(mix(step.seed, 11, repetition, member.rank) % 2000));
        int ours_code = MPI_SUCCESS;
        {
            Around around(step, repetition, member.user, member.rank, member.ranks);
            use(ours);
            progress_.at(step.program, step.number, repetition, Progress::Doing::ours);
            ours_code = perform(step.way, step.call, arguments, member.user);
            const std::string wrong = around.finish();
            if (!wrong.empty()) fail(step, member, repetition, wrong);
            for (const UnderWay& one : around.collectives()) ++tally_.compared[one.name()];
        }
        use(theirs);
        progress_.at(step.program, step.number, repetition, Progress::Doing::library);
        const int theirs_code = perform(Way::reference, step.call, arguments, member.reference);
        // A native call fails like the library's own, though the class of the error may differ.
        const auto is_known = [&](int code) { return is_known_error(step, member.ranks, code); };
        if (!is_known(theirs_code) || !(ours_code == MPI_SUCCESS || is_known(ours_code)))
            compare_codes(step, member, repetition, ours_code, theirs_code);
        const auto judge = [&](const char* what, const std::unique_ptr<Buffer>& own,
                               const std::unique_ptr<Buffer>& librarys, bool result) {
            if (!own) return;
            const auto difference = own->compare(*librarys);
            if (!difference) return;
            const auto right = result ? expected(step, repetition, member.rank, member.ranks) : nullptr;
            const bool ours_right = right && !own->compare(*right);
            const bool theirs_right = right && !librarys->compare(*right);
            if (ours_right && !theirs_right && is_known_defect(step, member.ranks)) return;
            fail(step, member, repetition,
                 std::string(what) + ": byte " + std::to_string(difference->at) + " (" + difference->where +
                     ") is " + hex(difference->is) + ", the library's own " + hex(difference->other) + "; " +
                     std::to_string(difference->bytes) + " bytes differ" +
                     (!right         ? ""
                      : ours_right   ? "; a fold by hand agrees with OURS: a defect of the library?"
                      : theirs_right ? "; a fold by hand agrees with the library"
                                     : "; a fold by hand agrees with neither"));
        };
        judge("send buffer", ours.send, theirs.send, false);
        judge("receive buffer", ours.receive, theirs.receive, true);
        ++tally_.compared[name(step.call)];
    }
    if (step.fresh) MPI_Op_free(&arguments.op);
    if (const int unknown = unknown_types(); unknown > 0)
        fail(step, member, 0, "the user's operation was called with a datatype that is not his");
}

}  // namespace fuzz
