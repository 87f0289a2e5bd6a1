// SPDX-License-Identifier: Apache-2.0
#include "fuzz/program.hpp"

#include "fuzz/operation.hpp"
#include "fuzz/recipe.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace fuzz {

const std::vector<std::string>& Features::all() {
    static const std::vector<std::string> words{
        "derived", "differing", "wide", "mixed_reductions", "rest", "late", "callbacks", "pending",
        "wildcard", "wrong", "tell", "train", "inter", "settings", "differ", "nested", "pages", "bases",
        "often",
        // The environments of ranks, all or one kind.
        "environments", "rounding", "denormals", "x87", "traps", "locale", "variables", "umask", "folder",
        "stack", "init", "dumpable", "seccomp", "nice"};
    return words;
}

void Features::exclude(const std::string& words) {
    std::istringstream list(words);
    for (std::string word; std::getline(list, word, ',');) {
        if (std::find(all().begin(), all().end(), word) == all().end()) {
            std::string known;
            for (const auto& one : all()) known += " " + one;
            throw std::runtime_error("nobody knows the feature '" + word + "'; known are" + known);
        }
        excluded_.insert(word);
    }
}

namespace {

/// Bound on the bytes of a rank's longest buffer.
constexpr long most_bytes = 4 << 20;

void draw_call(Step& step, Random& random, int ranks, const Features& features) {
    step.call = Call(random.percent(88) ? random.below(int(Call::exscan) + 1)
                                        : random.between(int(Call::gatherv), call_count - 1));
    const int way = random.below(100);
    step.way = way < 60   ? Way::plain
               : way < 70 ? Way::large
               : way < 80 ? Way::echelon
               : way < 90 ? Way::nonblocking
                          : Way::persistent;
    step.root = random.below(64);
    step.in_place = random.percent(20) && step.call <= Call::exscan && step.call != Call::bcast &&
                    step.call != Call::barrier;
    if (!features.allow("rest") &&
        (step.call == Call::reduce_scatter || step.call == Call::reduce_scatter_block))
        step.in_place = 0;
    const int types = int(basics().size());
    if (reduces(step.call)) {
        if (random.percent(55)) {
            do {
                step.basic = random.percent(30) ? 0 : random.below(types);
                step.op = random.percent(30) ? 0 : random.below(int(predefined().size()));
            } while (!is_legal(predefined()[std::size_t(step.op)].combine,
                               basics()[std::size_t(step.basic)].family));
        } else {
            step.op = 100 + random.below(int(user_operations().size()));
            step.basic = random.below(types);
            if (random.percent(60) && features.allow("derived")) step.style = Style::derived;
            if (random.percent(10) && features.allow("mixed_reductions")) step.style = Style::differing;
        }
    } else {
        step.basic = random.percent(30) ? 0 : random.below(types);
        const int style = random.below(100);
        if (style >= 45 && features.allow("derived")) step.style = Style::derived;
        if (style >= 65 && features.allow("differing")) step.style = Style::differing;
        if (style >= 98 && ranks <= 6 && !uneven(step.call) && features.allow("wide"))
            step.style = Style::wide;
    }
    // 0, a few, or any order of magnitude.
    const int size = random.below(100);
    step.count = size < 5    ? 0
                 : size < 65 ? random.between(1, 40)
                             : random.log_uniform(step.style == Style::basic ? 1 << 19 : 1 << 13);
    const int times = random.below(100);
    step.repeat = times < 55 ? 1 : times < 85 ? random.between(2, 4) : random.between(8, 60);
    const bool blocks = step.call >= Call::gather && step.call != Call::scan && step.call != Call::exscan;
    const long per_element = 16L * (step.style == Style::basic ? 1 : 64) * (blocks ? ranks : 1);
    step.count = std::min(step.count, most_bytes / per_element);
    if (step.repeat >= 8) step.count = std::min(step.count, 4096 / per_element + 2);
    if (step.style == Style::wide)
        step.count = std::min<long>(step.count, 2), step.repeat = std::min(step.repeat, 2);
    if (features.allow("pending") && random.percent(8)) step.pending = random.between(1, 5);
    Random beside(mix(step.seed, 21));  // a stream of its own keeps the programs of known seeds unchanged
    if (features.allow("pending") && beside.percent(40)) step.near = beside.between(1, 2);
    step.persistent = features.allow("pending") && beside.percent(40);
    if (step.call == Call::gatherv || step.call == Call::scatterv || step.call == Call::allgatherv)
        step.in_place = beside.percent(20);
    // Enough calls for a trial of recipes.
    if (features.allow("often") && step.style == Style::basic && step.count <= 40 && beside.percent(3))
        step.repeat = beside.between(500, 2000);
    if (features.allow("wildcard") && random.percent(15)) step.wildcard = random.between(1, 2);
    step.skew = random.percent(6);
    if (features.allow("pages") && random.percent(25)) step.pages = random.between(1, 2);
    if (features.allow("bases") && random.percent(20) && step.style != Style::wide)
        step.base = random.between(1, 3);
    step.fresh = step.op >= 100 && random.percent(20);
}

void draw_tell(Step& step, Random& random, int ranks, const Features& features) {
    const int draw = random.below(100);
    step.telling = draw < 40                              ? Telling::info
                   : draw < 80                            ? Telling::force
                   : draw < 86                            ? Telling::clear
                   : draw < 91                            ? Telling::groups
                   : draw < 95                            ? Telling::trials
                   : draw < 97 && features.allow("train") ? Telling::train
                                                          : Telling::differing_info;
    if (step.telling == Telling::differing_info && !features.allow("differ")) step.telling = Telling::info;
    step.collective = random.pick(tuned_collectives());
    // Split communicators have fewer ranks.
    step.recipe =
        random_recipe(random, step.collective, random.percent(60) ? ranks : random.between(1, ranks));
    if (!features.allow("nested") && step.recipe.find('(', step.recipe.find('(') + 1) != std::string::npos)
        step.recipe = "binomial";
    step.count = random.between(0, 50);
}

}  // namespace

std::vector<Step> random_program(std::uint64_t seed, int program, int steps, int ranks,
                                 const Features& features) {
    std::vector<Step> made;
    for (int number = 0; number < steps; ++number) {
        Step step;
        step.seed = mix(seed, program, number);
        step.program = program;
        step.number = number;
        Random random(mix(step.seed, 1));
        step.slot = random.percent(35) ? 0 : random.below(slots);
        const int draw = random.below(100);
        if (draw < 73) {
            draw_call(step, random, ranks, features);
        } else if (draw < 83) {
            step.act = Act::make;
            step.slot = random.between(1, slots - 1);
            step.from = random.percent(60) ? 0 : random.below(slots);
            step.making = Making(random.below(features.allow("inter") ? 10 : 8));
            if (step.making == Making::cart) {
                constexpr std::array with_topology{Making::cart, Making::cart_sub, Making::graph,
                                                   Making::dist_graph};
                step.making = with_topology[mix(step.seed, 22) % with_topology.size()];
            }
            step.collective = random.pick(tuned_collectives());
            step.recipe = random_recipe(random, step.collective, ranks);
        } else if (draw < 86) {
            step.act = Act::drop;
            step.slot = random.between(1, slots - 1);
            step.pending = features.allow("pending") && random.percent(30);
            step.wildcard =
                features.allow("callbacks") && random.percent(40);  // a delete callback with a collective
        } else if (draw < 94 && features.allow("tell")) {
            step.act = Act::tell;
            draw_tell(step, random, ranks, features);
        } else if (draw < 97 && features.allow("wrong")) {
            draw_call(step, random, ranks, features);
            step.act = Act::wrong;
            step.call = Call(random.below(int(Call::exscan) + 1));
            step.wrong = Wrong(random.below(int(wrong_names.size())));
            step.repeat = 1;
        } else if (features.allow("late")) {
            step.act = Act::late;
            step.call = random.percent(25)
                            ? Call::bcast
                            : random.pick(std::array{Call::reduce, Call::gather, Call::scatter, Call::bcast});
            step.count = random.between(1, 8);
            step.root = random.below(64);
        } else {
            draw_call(step, random, ranks, features);
        }
        made.push_back(std::move(step));
    }
    return made;
}

bool edit(Step& step, const std::string& field, long value) {
    const int number = int(value);
    if (field == "count")
        step.count = value;
    else if (field == "repeat")
        step.repeat = number;
    else if (field == "root")
        step.root = number;
    else if (field == "basic")
        step.basic = number;
    else if (field == "style")
        step.style = Style(number);
    else if (field == "op")
        step.op = number;
    else if (field == "in_place")
        step.in_place = number;
    else if (field == "way")
        step.way = Way(number);
    else if (field == "pending")
        step.pending = number;
    else if (field == "near")
        step.near = number;
    else if (field == "persistent")
        step.persistent = number;
    else if (field == "wildcard")
        step.wildcard = number;
    else if (field == "skew")
        step.skew = number;
    else if (field == "pages")
        step.pages = number;
    else if (field == "base")
        step.base = number;
    else if (field == "fresh")
        step.fresh = number;
    else if (field == "slot")
        step.slot = number;
    else if (field == "from")
        step.from = number;
    else
        return false;
    return true;
}

std::string words(const Step& step) {
    std::ostringstream text;
    text << "step " << step.program << "." << step.number << ": ";
    const auto on = [&] { text << " on communicator " << step.slot; };
    switch (step.act) {
        case Act::make:
            text << "communicator " << step.slot << " from " << step.from << " by "
                 << making_names[std::size_t(step.making)];
            if (step.making == Making::dup_with_info)
                text << " echelon_" << step.collective << "=" << step.recipe;
            return text.str();
        case Act::drop:
            text << "free communicator " << step.slot;
            if (step.pending) text << " with a barrier under way";
            if (step.wildcard) text << ", a delete callback calls allreduce on it";
            return text.str();
        case Act::tell:
            text << telling_names[std::size_t(step.telling)] << " ";
            on();
            text << ": " << step.collective << " = " << step.recipe;
            if (step.telling == Telling::groups || step.telling == Telling::trials)
                text << " (" << step.count << ")";
            return text.str();
        case Act::late:
            text << fuzz::name(step.call) << " of " << step.count << " ints";
            on();
            text << ", root " << step.root << " modulo p; one rank calls it when another is through";
            return text.str();
        case Act::wrong:
            text << "with " << wrong_names[std::size_t(step.wrong)] << ": ";
            break;
        case Act::call:
            break;
    }
    text << fuzz::name(step.call);
    on();
    if (step.way != Way::plain) text << " by " << way_names[std::size_t(step.way)];
    if (step.call != Call::barrier) text << ", count " << step.count;
    if (step.repeat > 1) text << ", " << step.repeat << " times";
    if (rooted(step.call)) text << ", root " << step.root << " modulo p";
    if (step.in_place) text << ", in place";
    if (reduces(step.call))
        text << ", "
             << (step.op < 100 ? predefined()[std::size_t(step.op)].name
                               : user_operations()[std::size_t(step.op - 100)].name);
    if (step.call != Call::barrier) {
        text << ", " << style_names[std::size_t(step.style)];
        if (step.style == Style::basic)
            text << " " << basics()[std::size_t(step.basic)].name;
        else
            for (int rank = 0; rank < (step.style == Style::derived ? 1 : 3); ++rank) {
                const Description send = describe(step, SideOf::send, rank, step.count, true);
                const Description receive = describe(step, SideOf::receive, rank, step.count, true);
                text << "\n        rank " << rank << ": " << send.count << " of " << words(send.layout);
                if (step.style != Style::derived)
                    text << " -> " << receive.count << " of " << words(receive.layout);
            }
    }
    static constexpr std::array pending{"", "barrier", "allreduce", "bcast", "allgather", "alltoall"};
    const char* const kind = step.persistent ? "persistent " : "nonblocking ";
    if (step.pending) text << ", " << kind << pending[std::size_t(step.pending)] << " under way";
    if (step.near && step.act == Act::call)
        text << ", " << kind << (step.near == 1 ? "allgather" : "alltoall")
             << " of neighbours under way if there are any";
    if (step.wildcard == 1) text << ", a receive from anyone posted";
    if (step.wildcard == 2) text << ", a message waiting";
    if (step.pages) text << ", " << (step.pages == 1 ? "at ends of pages" : "at beginnings of pages");
    static constexpr std::array bases{"", "from MPI_BOTTOM", "from one address", "from any address"};
    if (step.base && !reduces(step.call)) text << ", " << bases[std::size_t(step.base)];
    if (step.fresh) text << ", an operation made for it";
    if (step.skew) text << ", ranks come at different times";
    return text.str();
}

Description describe(const Step& step, SideOf side, int rank, long count, bool may_be_whole) {
    if (step.style == Style::basic) return {basic_layout(step.basic), count};
    Random common(mix(step.seed, 2));
    const Layout base = step.style == Style::wide ? wide_layout(common)
                                                  : random_layout(common, 1 << 20, false, common.percent(40));
    if (step.style == Style::derived) return {base, count};
    // A reduction has one type.
    Random own(mix(step.seed, 3, rank, reduces(step.call) ? SideOf::send : side));
    const Map map = map_of(base);
    const int draw = own.below(10);
    if (draw < 3) return {base, count};
    if (draw < 5 && step.style == Style::wide) return {base, count};
    if (draw < 6 && may_be_whole && count > 0 && count * long(map.pieces.size()) <= 512)
        return {{Layout::Kind::contiguous, {count}, {base}}, 1};
    if (draw == 6) return {{Layout::Kind::duplicate, {}, {base}}, count};
    const bool may_overlap = side == SideOf::send && !reduces(step.call) && !step.in_place;
    return {relaid(map, own, may_overlap), count};
}

}  // namespace fuzz
