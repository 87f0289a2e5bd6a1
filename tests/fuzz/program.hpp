// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/call.hpp"
#include "fuzz/layout.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fuzz {

enum class Act {
    call,   // a collective, compared
    make,   // a communicator
    drop,   // a communicator
    tell,   // a recipe, to Echelon
    wrong,  // a collective with wrong arguments
    late    // a rooted collective that one rank calls after another has returned from it
};
inline constexpr std::array act_names{"call", "make", "drop", "tell", "wrong", "late"};

/// How a communicator is made.
enum class Making {
    dup,
    split,
    split_type,
    create,
    create_group,
    idup,
    dup_with_info,
    cart,
    merge,
    inter,
    cart_sub,
    graph,
    dist_graph
};
inline constexpr std::array making_names{"dup",
                                         "split",
                                         "split_type",
                                         "create",
                                         "create_group",
                                         "idup",
                                         "dup_with_info",
                                         "cart",
                                         "intercomm_create and merge",
                                         "intercomm_create",
                                         "cart_sub",
                                         "graph",
                                         "dist_graph"};

/// Ways to set Echelon's choice.
enum class Telling { info, force, clear, groups, trials, train, differing_info };
inline constexpr std::array telling_names{
    "info key",       "echelon_force", "echelon_clear",       "echelon_groups",
    "echelon_trials", "echelon_train", "info key on one rank"};

/// The error in a call.
enum class Wrong { count, root_high, root_low, type, op, illegal_op, aliased, in_place, comm };
inline constexpr std::array wrong_names{"count -1",
                                        "root p",
                                        "root -1",
                                        "null type",
                                        "null operation",
                                        "an operation that the type has not",
                                        "send buffer = receive buffer",
                                        "MPI_IN_PLACE where it is not allowed",
                                        "null communicator"};

enum class Style {
    basic,      // a predefined type
    derived,    // one derived type on all ranks
    differing,  // other layouts of one signature on other ranks, and for sending and receiving
    wide,       // like differing, with more than 2 GiB between its data
};
inline constexpr std::array style_names{"predefined type", "derived type", "types that differ by rank",
                                        "types beyond 2 GiB"};

constexpr int slots = 6;

/// One step. It does not depend on earlier steps: a missing communicator is replaced by the whole one. Plain
/// numbers, because a failing program is shortened by changing them.
struct Step {
    std::uint64_t seed = 0;
    int program = 0, number = 0;
    Act act = Act::call;
    int slot = 0, from = 0;
    Making making = Making::dup;
    Telling telling = Telling::info;
    Wrong wrong = Wrong::count;
    Call call = Call::allreduce;
    Way way = Way::plain;
    Style style = Style::basic;
    /// Elements in a block.
    long count = 1;
    int repeat = 1;
    int root = 0;
    int basic = 0;
    /// From 100 on: user_operations().
    int op = 0;
    int in_place = 0;
    /// A nonblocking collective under way; 0: none.
    int pending = 0;
    /// A neighbour collective under way, if the communicator has a topology; 1: allgather, 2: alltoall.
    int near = 0;
    /// The collective under way is a persistent one, started twice.
    int persistent = 0;
    /// 1: a receive from anyone is posted; 2: a message waits.
    int wildcard = 0;
    /// Ranks come at different times.
    int skew = 0;
    /// Buffers at borders of pages, with send buffers in read-only pages; 1: at their ends, 2: at their
    /// beginnings.
    int pages = 0;
    /// Base address of buffers; the types contain the distance from it. 0: their own, 1: MPI_BOTTOM, 2: the
    /// send buffer's for both, 3: either of these on each rank.
    int base = 0;
    /// The user's operation is made for this call and freed behind it.
    int fresh = 0;
    std::string collective, recipe;
};

/// Features that may be drawn; words for --without.
class Features {
public:
    static const std::vector<std::string>& all();
    /// Throws std::runtime_error at an unknown word.
    void exclude(const std::string& words);
    bool allow(const std::string& word) const { return excluded_.count(word) == 0; }

private:
    std::set<std::string> excluded_;
};

/// Equal on all ranks.
std::vector<Step> random_program(std::uint64_t seed, int program, int steps, int ranks,
                                 const Features& features);
/// Changes a number of a step by its name; false if there is none of that name.
bool edit(Step& step, const std::string& field, long value);
/// One line of text.
std::string words(const Step& step);

/// The type and count by which a rank describes `count` elements of a step.
struct Description {
    Layout layout;
    long count;
};
enum class SideOf { send, receive };
Description describe(const Step& step, SideOf side, int rank, long count, bool may_be_whole);

}  // namespace fuzz
