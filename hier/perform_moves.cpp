// SPDX-License-Identifier: Apache-2.0
#include "hier/perform.hpp"

#include "hier/shapes.hpp"
#include "hier/stages.hpp"
#include "hier/view.hpp"

namespace echelon {
namespace {

bool takes_part(const View& view, Move::Who who) {
    switch (who) {
        case Move::Who::all:
            return true;
        case Move::Who::leaders:
            return view.leads();
        case Move::Who::lanes:
            return view.position < view.lanes;
        case Move::Who::root_group:
            return view.in_root_group();
        case Move::Who::other_groups:
            return !view.in_root_group();
        case Move::Who::later_groups:
            return view.group > 0;
    }
    return false;
}

int root_of(const View& view, Move::Root root) {
    switch (root) {
        case Move::Root::none:
            return 0;
        case Move::Root::leader:
            return view.lead;
        case Move::Root::root_group:
            return view.root_group;
        case Move::Root::root_position:
            return view.root_position;
    }
    return 0;
}

/// `part`: the phase of a move that is one.
void perform_move(const Move& move, const Phase* part, const View& view, const Slice& data) {
    if (!takes_part(view, move.who)) return;
    const Blocks lanes(data, view.lanes);
    const int root = root_of(view, move.root);
    switch (move.where) {
        case Move::Where::nowhere:
            return;
        case Move::Where::inside:
            return perform(*part, *view.split.inside, view.with(data, root, lanes));
        case Move::Where::across:
            return perform(*part, *view.split.across,
                           view.with(move.part == Move::Part::lane ? lanes[view.position] : data, root));
        case Move::Where::to_root:
            return view.hop(data, true);
        case Move::Where::from_root:
            return view.hop(data, false);
        case Move::Where::to_extras:
            return view.serve_extras(data);
    }
}

}  // namespace

void perform_moves(const Phase& phase, Team& team, const Args& args) {
    const View view(phase, team, args);
    const auto moves = phase.row->moves();
    std::array<const Phase*, ShapeRow::most_moves> parts{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (moves[i].is_phase()) parts[i] = &phase.parts[next++];
    run_stages(phase, team, args.data, moves.size(),
               [&](std::size_t i, const Slice& data) { perform_move(moves[i], parts[i], view, data); });
}

}  // namespace echelon
