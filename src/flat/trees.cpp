// SPDX-License-Identifier: Apache-2.0
#include "flat/trees.hpp"

namespace echelon {

PostalTree::PostalTree(int p, int lag)
    : p_(p), lag_(std::size_t(std::clamp(lag, 1, std::max(p - 1, 1)))), informed_(lag_, 1) {
    while (informed_.back() < p) {
        const std::size_t now = informed_.size();
        informed_.push_back(
            int(std::min<long long>((long long)(informed_[now - 1]) + informed_[now - lag_], p)));
    }
}

int PostalTree::first_run(int n) const {
    const auto end = std::lower_bound(informed_.begin(), informed_.end(), n);
    return std::min(*(end - std::ptrdiff_t(lag_)), n - 1);
}

const PostalTree::Place& PostalTree::place(int rank) const {
    if (last_.rank == rank) return last_;
    int top = 0, parent = 0, n = p_;
    while (top != rank) {
        const int run = first_run(n);
        n -= run;
        if (rank < top + n) continue;
        parent = top;
        top += n;
        n = run;
    }
    last_ = {rank, parent, {}};
    for (; n > 1; n -= first_run(n)) last_.children.push_back(rank + n - first_run(n));
    return last_;
}

}  // namespace echelon
