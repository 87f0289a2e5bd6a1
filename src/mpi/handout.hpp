// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace echelon {

class Handouts;

/// Rank 0's text on its way to all ranks of a communicator, who do not meet for it: rank 0 waits for nobody. All ranks begin it in the same of
/// their common calls, and end it in the same.
class Handout {
public:
    /// So much of a text goes with its length in one message, the rest in a second: some KB, as what a profile says of usual calls, packed.
    static constexpr std::size_t usual_room = 2040;

    /// The text, to be waited for. `room`: the same on all ranks. Collective.
    static std::string at_once(std::string text, MPI_Comm comm, std::size_t room = usual_room);

    Handout();
    ~Handout();
    Handout(const Handout&) = delete;
    Handout& operator=(const Handout&) = delete;

    /// It sets out, and travels beside calls that synchronise, so that nobody waits for it. Requires: none is under way. Local.
    void begin(std::string text, MPI_Comm comm, std::size_t room = usual_room);
    /// The same on all ranks.
    bool under_way() const { return head_ != nullptr; }
    /// One more call that synchronises begins. True: it has come, as good as surely.
    bool has_had_time() { return --calls_left_ <= 0; }
    /// The text. Collective.
    std::string end();
    /// Waits until it has come, or has left; it is heard as if nobody had. Local.
    void wait();
    /// It is of no use any more, and comes to its end among `others`. Local, without a call of MPI.
    void leave_to(Handouts& others);

private:
    struct Head;
    friend class Handouts;

    std::unique_ptr<Head> head_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::string text_;  // rank 0's
    MPI_Comm comm_ = MPI_COMM_NULL;
    int calls_left_ = 0;
};

/// Some that nobody reads any more.
class Handouts {
public:
    Handouts();
    ~Handouts();
    /// Waits until the last has come. Local.
    void close();

private:
    friend class Handout;
    struct Left {
        std::unique_ptr<Handout::Head> head;
        MPI_Request request;
    };
    std::vector<Left> left_;
};

}  // namespace echelon
