// SPDX-License-Identifier: Apache-2.0
#include "flat/halving.hpp"

namespace echelon {

void fold_halves(Link& link, const Fold& fold, Slice whole) {
    const int me = link.rank(), partner = fold.partner(me);
    const Blocks halves(whole, 2);
    switch (fold.role(me)) {
        case Fold::Role::proxy:
            link.exchange_reduce(partner, halves[1], partner, halves[0], side_of(partner < me));
            link.receive(partner, halves[1]);
            break;
        case Fold::Role::extra:
            link.exchange_reduce(partner, halves[0], partner, halves[1], side_of(partner < me));
            link.send(partner, halves[1]);
            break;
        case Fold::Role::single:
            break;
    }
}

void fold_whole(Link& link, const Fold& fold, Slice whole) {
    const int me = link.rank();
    if (fold.role(me) == Fold::Role::extra) link.send(fold.partner(me), whole);
    if (fold.role(me) == Fold::Role::proxy)
        link.receive_reduce(fold.partner(me), whole, side_of(fold.partner(me) < me));
}

void unfold(Link& link, const Fold& fold, Slice whole) {
    const int me = link.rank();
    if (fold.role(me) == Fold::Role::proxy) link.send(fold.partner(me), whole);
    if (fold.role(me) == Fold::Role::extra) link.receive(fold.partner(me), whole);
}

}  // namespace echelon
