// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/route.hpp"

#include <list>
#include <memory>
#include <string>
#include <vector>

namespace echelon {

/// A text from rank 0 to each other rank, for which no rank waits: a root that has it can broadcast it in a
/// call in which all ranks wait for the root. It travels over a route under a tag of its own. All ranks begin
/// it in the same one of their common calls. All functions are local.
class AsyncLetter {
public:
    /// Longest text, in bytes.
    static constexpr std::size_t room = 4096;

    /// Expects the text. Requires: none is under way.
    void begin(const Route& route);
    /// True between begin() and leave_to(); equal on all ranks.
    bool under_way() const { return under_way_; }
    /// On rank 0: sends the text, once. A text that is longer than `room` goes as an empty one.
    void send(const std::string& text);
    bool is_sent() const { return sent_; }
    /// On other ranks: the text, if it has come; else empty.
    std::string text();
    /// Ends the exchange, whether the text has come or not: messages complete among those of `others`. All
    /// ranks call it alike. `sends`: false if the library takes no more messages.
    void leave_to(AsyncLetter& others, bool sends = true);
    /// Waits until all messages have completed. All ranks must do this, in any order.
    void close();

private:
    struct Mail {
        std::string text;
        std::vector<MPI_Request> requests;
        std::size_t length = 0;
        bool is_over();
    };
    bool under_way_ = false, sent_ = false;
    Route route_;
    std::list<Mail> mails_;  // the last one may be under way, the others only have to complete
};

}  // namespace echelon
