// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"
#include "core/ranks.hpp"

#include <algorithm>
#include <vector>

namespace echelon {

/// Receives the contributions of all other ranks to a slice, many messages at once, and combines them: in
/// rank order, outwards from the rank's own place, or nearest first to the left, so that ranks that do the
/// same receive from different ones.
///
///   p = 4, rank 2     12    012    0123          12    012    3012
class OperandsAtOnce {
public:
    /// Starts to receive, at most `most` messages at a time.
    OperandsAtOnce(Link& link, Slice mine, std::size_t most, bool in_order)
        : link_(link), scratch_(link), mine_(mine) {
        const int p = link.size(), me = link.rank();
        for (int distance = 1; distance < p; ++distance) {
            if (distance <= me || !in_order)
                operands_.push_back({wrap(me - distance, p), Side::before});
            else
                operands_.push_back({distance, Side::after});
        }
        under_way_.resize(std::min(most, operands_.size()));
        for (Receive& receive : under_way_) {
            receive.into = scratch_(mine.count);
            start(receive);
        }
    }
    OperandsAtOnce(Link& link, Slice mine, bool in_order)
        : OperandsAtOnce(link, mine, std::size_t(link.size()), in_order) {}

    void combine() {
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            Receive& receive = under_way_[i % under_way_.size()];
            link_.wait(receive.ticket);
            link_.reduce(mine_, receive.into, operands_[i].side);
            start(receive);
        }
    }

private:
    struct Operand {
        int from;
        Side side;
    };
    struct Receive {
        Slice into;
        Link::Ticket ticket = Link::Ticket::none;
    };
    void start(Receive& receive) {
        if (started_ < operands_.size())
            receive.ticket = link_.start_receive(operands_[started_++].from, receive.into);
    }

    Link& link_;
    Scratch scratch_;
    Slice mine_;
    std::vector<Operand> operands_;
    std::vector<Receive> under_way_;
    std::size_t started_ = 0;
};

}  // namespace echelon
