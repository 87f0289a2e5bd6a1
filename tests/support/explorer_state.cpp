// SPDX-License-Identifier: Apache-2.0
#include "support/explorer_state.hpp"

namespace echelon::explorer {

std::size_t State::lower(std::size_t thread, std::size_t place) const {
    const Thread& own = threads[thread];
    const auto& stores = cells[place].stores;
    if (!stale_loads) return stores.size() - 1;
    std::size_t least = place < own.seen.size() ? own.seen[place] : 0;
    for (std::size_t i = stores.size() - 1; i > least; --i)
        if (knows(own, stores[i])) least = i;
    return least;
}

void State::look_up(std::size_t thread) {
    for (std::size_t place = 0; place < cells.size(); ++place)
        seen(threads[thread], place) = std::uint16_t(cells[place].stores.size() - 1);
}

void State::tidy() {
    for (std::size_t place = 0; place < cells.size(); ++place) {
        Cell& cell = cells[place];
        std::size_t oldest = cell.stores.size() - 1;
        for (std::size_t i = 0; i < threads.size(); ++i) {
            const std::size_t least = lower(i, place);
            seen(threads[i], place) = std::uint16_t(least);
            oldest = std::min(oldest, least);
        }
        cell.stores.erase(cell.stores.begin(), cell.stores.begin() + std::ptrdiff_t(oldest));
        for (Thread& thread : threads) thread.seen[place] = std::uint16_t(thread.seen[place] - oldest);
    }
    number_stamps_anew();
}

void State::number_stamps_anew() {
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
        std::vector<std::uint16_t*> stamps;
        std::uint16_t past = ~std::uint16_t(0);
        for (Thread& one : threads) {
            stamps.push_back(&one.clock[thread]);
            past = std::min(past, one.clock[thread]);
        }
        for (Cell& cell : cells) {
            stamps.push_back(&cell.reads[thread]);
            for (Store& store : cell.stores) {
                stamps.push_back(&store.released[thread]);
                if (store.thread == thread) stamps.push_back(&store.stamp);
            }
        }
        std::sort(stamps.begin(), stamps.end(), [](const auto* a, const auto* b) { return *a < *b; });
        std::uint16_t before = past, number = 0;
        for (std::uint16_t* const stamp : stamps) {
            if (*stamp > before) ++number;
            before = std::max(before, *stamp);
            *stamp = number;
        }
    }
    for (Cell& cell : cells)
        for (Store& store : cell.stores)
            if (store.stamp == 0) store.thread = 0;
}

std::string State::key() const {
    std::string text;
    const auto add = [&](const auto& value) {
        text.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (const Cell& cell : cells) {
        add(cell.stores.size());
        for (const Store& store : cell.stores) {
            add(store.value);
            add(store.thread);
            add(store.stamp);
            add(store.released);
        }
        add(cell.reads);
    }
    for (const Thread& thread : threads) {
        add(thread.step);
        text.append(reinterpret_cast<const char*>(thread.locals.data()), thread.locals.size());
        add(thread.log.size());
        for (const std::uint64_t value : thread.log) add(value);
        add(thread.clock);
        for (const std::uint16_t oldest : thread.seen) add(oldest);
        add(thread.asleep_at);
    }
    return text;
}

}  // namespace echelon::explorer
