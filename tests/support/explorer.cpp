// SPDX-License-Identifier: Apache-2.0
#include "support/explorer.hpp"

#include "support/explorer_state.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace echelon::explorer {
namespace {

struct Pause {};    // the next action also concerns other threads
struct Blocked {};  // no action is possible yet

bool acquires(std::memory_order order) {
    return order != std::memory_order_relaxed && order != std::memory_order_release;
}
bool releases(std::memory_order order) {
    return order != std::memory_order_relaxed && order != std::memory_order_acquire &&
           order != std::memory_order_consume;
}

class Run {
public:
    Run(const std::vector<Program>& programs, const std::vector<std::byte>& locals, std::byte* memory,
        Rules rules)
        : programs_(programs), memory_(memory), rules_(std::move(rules)) {
        if (programs.size() > most_threads) throw std::logic_error("more threads than stamps");
        start_.stale_loads = rules_.stale_loads;
        const std::size_t each = locals.size() / programs.size();
        for (std::size_t i = 0; i < programs.size(); ++i) {
            Thread thread;
            thread.locals.assign(locals.begin() + std::ptrdiff_t(i * each),
                                 locals.begin() + std::ptrdiff_t((i + 1) * each));
            thread.clock[i] = 1;
            start_.threads.push_back(thread);
        }
    }

    Found search() {
        struct Place {
            State state;
            std::size_t thread = 0, choice = 0;  // the next ones to try
            std::size_t went = 0;
            bool moved = false;
        };
        std::vector<Place> path;
        std::unordered_set<std::string> met;
        const auto go_to = [&](State state) {
            state.tidy();
            if (met.insert(state.key()).second) path.push_back({std::move(state)});
        };
        go_to(start_);
        while (!path.empty() && found_.defect.empty()) {
            Place& here = path.back();
            if (here.thread == here.state.threads.size()) {
                State state = std::move(here.state);
                const bool moved = here.moved;
                const std::size_t depth = path.size();
                if (!moved) end(std::move(state), go_to);
                if (path.size() == depth)
                    path.pop_back();  // nothing new
                else
                    path.erase(path.end() - 2);  // sleepers have looked up: the place below is finished
                continue;
            }
            State next = here.state;
            const std::size_t thread = here.went = here.thread;
            const std::size_t choices = advance(next, thread, here.choice);
            if (!found_.defect.empty()) {
                for (const Place& place : path) found_.defect += " " + std::to_string(place.went);
                break;
            }
            here.moved = here.moved || choices > 0;
            if (++here.choice >= choices) {
                ++here.thread;
                here.choice = 0;
            }
            if (choices > 0) go_to(std::move(next));
        }
        found_.states = met.size();
        return found_;
    }

    // Actions of programs.

    std::uint64_t load(const void* at, std::memory_order order) {
        const std::size_t place = place_of(at);
        if (poll_ == nullptr && replays()) return replayed();
        Cell& cell = this->cell(place);
        const std::size_t choices = cell.stores.size() - state_->lower(thread_, place);
        const std::size_t found =
            cell.stores.size() - 1 - (poll_ != nullptr ? poll_->choose(place, choices) : begin(choices));
        mine().seen[place] = std::uint16_t(found);
        if (acquires(order) && !rules_.acquires_are_relaxed) join(mine().clock, cell.stores[found].released);
        const std::uint64_t value = cell.stores[found].value;
        return poll_ != nullptr && poll_->tries ? value : logged(value);
    }

    void store(const void* at, std::uint64_t value, std::memory_order order) {
        if (replays()) return (void)replayed();
        begin(1);
        put(place_of(at), value, releases(order) && !rules_.releases_are_relaxed, {});
        logged(0);
    }

    std::uint64_t add(const void* at, std::uint64_t value, std::memory_order order) {
        if (replays()) return replayed();
        begin(1);
        const std::size_t place = place_of(at);
        const Store last = cell(place).stores.back();
        if (acquires(order) && !rules_.acquires_are_relaxed) join(mine().clock, last.released);
        put(place, last.value + value, releases(order) && !rules_.releases_are_relaxed, last.released);
        return logged(last.value);
    }

    std::uint64_t read(const void* at) {
        if (replays()) return replayed();
        const std::size_t place = place_of(at);
        Cell& cell = this->cell(place);
        const Store& last = cell.stores.back();
        if (!knows(mine(), last))
            fail("a race: what thread " + std::to_string(last.thread) + " wrote is read");
        cell.reads[thread_] = mine().clock[thread_];
        return logged(last.value);
    }

    void write(const void* at, std::uint64_t value) {
        if (replays()) return (void)replayed();
        const std::size_t place = place_of(at);
        Cell& cell = this->cell(place);
        for (std::size_t other = 0; other < most_threads; ++other)
            if (cell.reads[other] > mine().clock[other])
                fail("a race: what thread " + std::to_string(other) + " reads is overwritten");
        if (!knows(mine(), cell.stores.back())) fail("a race: two write");
        cell.reads = {};
        cell.stores = {{value, std::uint8_t(thread_), mine().clock[thread_], {}}};
        logged(0);
    }

    void await(const std::function<bool()>& ready) {
        if (rules_.ignored && rules_.ignored(offsets_[first_place(ready)])) return;
        if (replays()) return (void)ready();
        if (moved_) throw Pause();
        std::vector<Poll> good;
        for (Poll poll; !poll.ended; poll.go_on()) {
            const Thread before = mine();
            if (polled(ready, poll)) good.push_back(poll);
            mine() = before;
        }
        const std::size_t number = begin(good.size());
        Poll& chosen = good[number];
        chosen.tries = false;
        if (!polled(ready, chosen)) throw std::logic_error("ready() is not the same twice");
    }

    void sleep(const void* at, std::uint64_t heard) {
        const std::size_t place = place_of(at);
        if (replays()) {
            (void)replayed();
        } else {
            begin(1);
            if (cell(place).stores.back().value == heard || rules_.sleepers_do_not_look)
                mine().asleep_at = int(place);
            logged(0);
        }
        if (replays()) return (void)replayed();
        if (moved_) throw Pause();
        begin(mine().asleep_at < 0 ? 1 : 0);
        state_->look_up(thread_);
        logged(0);
    }

    void wake(const void* at) {
        if (replays()) return (void)replayed();
        begin(1);
        for (Thread& thread : state_->threads)
            if (thread.asleep_at == int(place_of(at)) && !rules_.wakes_are_lost) thread.asleep_at = -1;
        logged(0);
    }

    void fail(const std::string& what) {
        if (found_.defect.empty())
            found_.defect = what + " (at byte " + std::to_string(last_offset_) + ", by thread " +
                            std::to_string(thread_) + "), after the threads moved in turn:";
        throw Pause();
    }

private:
    /// The loads of one call of `ready` and the values that they find. Together they are one move: with stale
    /// loads, moves of other threads between them would show the thread nothing else.
    struct Poll {
        struct Load {
            std::size_t place, choice, choices;
        };
        std::vector<Load> loads;
        std::size_t cursor = 0;
        bool tries = true, ended = false;

        std::size_t choose(std::size_t place, std::size_t choices) {
            if (cursor == loads.size()) loads.push_back({place, 0, choices});
            return loads[cursor++].choice;
        }
        /// The next values: of the last load first.
        void go_on() {
            while (!loads.empty() && loads.back().choice + 1 == loads.back().choices) loads.pop_back();
            ended = loads.empty();
            if (!ended) ++loads.back().choice;
        }
    };

    /// Makes one move of a thread. Returns the number of alternatives of this move; 0 if none is possible
    /// yet.
    std::size_t advance(State& state, std::size_t thread, std::size_t choice) {
        const Program& program = programs_[thread];
        Thread& own = state.threads[thread];
        if (own.step == program.size()) return 0;
        state_ = &state;
        thread_ = thread;
        choice_ = choice;
        choices_ = 1;
        moved_ = false;
        cursor_ = 0;
        std::vector<std::byte> locals = own.locals;
        try {
            program[own.step](locals.data());
            own.locals = std::move(locals);
            own.log.clear();
            ++own.step;
        } catch (const Pause&) {
        } catch (const Blocked&) {
            return 0;
        }
        return choices_;
    }

    /// Begins the thread's single move, one of `choices` alternatives. Returns the chosen alternative.
    std::size_t begin(std::size_t choices) {
        if (moved_) throw Pause();
        if (choices == 0) throw Blocked();
        moved_ = true;
        choices_ = choices;
        return choice_;
    }

    bool polled(const std::function<bool()>& ready, Poll& poll) {
        poll.cursor = 0;
        poll_ = &poll;
        const bool is_ready = ready();
        poll_ = nullptr;
        return is_ready;
    }
    /// Place that `ready` loads first.
    std::size_t first_place(const std::function<bool()>& ready) {
        const Thread before = mine();
        Poll poll;
        (void)polled(ready, poll);
        mine() = before;
        return poll.loads.front().place;
    }

    /// No thread can move: all are done, sleepers time out, or there is a defect.
    template <class GoTo>
    void end(State state, const GoTo& go_to) {
        bool all_done = true, can_look_up = false;
        for (std::size_t i = 0; i < state.threads.size(); ++i) {
            all_done = all_done && state.threads[i].step == programs_[i].size();
            for (std::size_t place = 0; place < state.cells.size() && state.threads[i].asleep_at >= 0;
                 ++place)
                can_look_up = can_look_up || state.lower(i, place) + 1 < state.cells[place].stores.size();
        }
        if (all_done) {
            ++found_.ends;
        } else if (rules_.time_out && can_look_up) {
            ++found_.time_outs;
            for (std::size_t i = 0; i < state.threads.size(); ++i)
                if (std::exchange(state.threads[i].asleep_at, -1) >= 0) state.look_up(i);
            go_to(std::move(state));
        } else {
            const bool asleep = std::any_of(state.threads.begin(), state.threads.end(),
                                            [](const Thread& one) { return one.asleep_at >= 0; });
            found_.defect = asleep ? "a thread sleeps for ever" : "a thread waits for ever";
        }
    }

    void put(std::size_t place, std::uint64_t value, bool release, Clock released) {
        Thread& own = mine();
        if (release) join(released, own.clock);
        auto& stores = cell(place).stores;
        stores.push_back({value, std::uint8_t(thread_), own.clock[thread_], released});
        own.seen[place] = std::uint16_t(stores.size() - 1);
        if (release) ++own.clock[thread_];
    }

    bool replays() const { return cursor_ < mine().log.size(); }
    std::uint64_t replayed() { return mine().log[cursor_++]; }
    std::uint64_t logged(std::uint64_t value) {
        ++cursor_;
        mine().log.push_back(value);
        return value;
    }

    Thread& mine() const { return state_->threads[thread_]; }
    Cell& cell(std::size_t place) {
        if (state_->cells.size() <= place) state_->cells.resize(place + 1);
        seen(mine(), place);
        return state_->cells[place];
    }
    /// Places are numbered in the order of their first use.
    std::size_t place_of(const void* at) {
        last_offset_ = std::size_t(static_cast<const std::byte*>(at) - memory_);
        const auto [found, is_new] = places_.try_emplace(last_offset_, places_.size());
        if (is_new) offsets_.push_back(last_offset_);
        return found->second;
    }

    const std::vector<Program>& programs_;
    std::byte* memory_;
    Rules rules_;
    State start_;
    Found found_;
    std::unordered_map<std::size_t, std::size_t> places_;
    std::vector<std::size_t> offsets_;
    std::size_t last_offset_ = 0;

    // The current move.
    State* state_ = nullptr;
    std::size_t thread_ = 0, choice_ = 0, choices_ = 0, cursor_ = 0;
    bool moved_ = false;
    Poll* poll_ = nullptr;
};

Run* now = nullptr;

}  // namespace

Found explore(const std::vector<Program>& programs, const std::vector<std::byte>& locals, std::byte* memory,
              Rules rules) {
    Run run(programs, locals, memory, std::move(rules));
    now = &run;
    Found found = run.search();
    now = nullptr;
    return found;
}

std::uint64_t load(const void* at, std::memory_order order) { return now->load(at, order); }
void store(const void* at, std::uint64_t value, std::memory_order order) { now->store(at, value, order); }
std::uint64_t add(const void* at, std::uint64_t value, std::memory_order order) {
    return now->add(at, value, order);
}
std::uint64_t read(const void* at) { return now->read(at); }
void write(const void* at, std::uint64_t value) { now->write(at, value); }
void await(const std::function<bool()>& ready) { now->await(ready); }
void sleep(const void* at, std::uint64_t heard) { now->sleep(at, heard); }
void wake(const void* at) { now->wake(at); }
void fail(const std::string& what) { now->fail(what); }

}  // namespace echelon::explorer
