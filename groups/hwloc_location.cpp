// SPDX-License-Identifier: Apache-2.0
#include "groups/hwloc_location.hpp"

#include <hwloc.h>

#include <memory>
#include <new>
#include <type_traits>

#include "core/error.hpp"

namespace echelon {
namespace {

struct FreeTopology {
    void operator()(hwloc_topology_t topology) const noexcept { hwloc_topology_destroy(topology); }
};
struct FreeSet {
    void operator()(hwloc_bitmap_t set) const noexcept { hwloc_bitmap_free(set); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, FreeTopology>;
using Set = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, FreeSet>;

/// The topology of a description, or of this machine if it is empty. Returns null if hwloc fails.
Topology load(const std::string& description) noexcept {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) return nullptr;
    Topology topology(raw);
#if HWLOC_API_VERSION >= 0x00020500
    // One discovery method binds the caller to each processor in turn; this flag prevents it.
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
#endif
    int failed = 0;
    if (description.starts_with('<'))
        failed =
            hwloc_topology_set_xmlbuffer(raw, description.c_str(), static_cast<int>(description.size() + 1));
    else if (!description.empty())
        failed = hwloc_topology_set_synthetic(raw, description.c_str());
    if (failed != 0 || hwloc_topology_load(raw) != 0) return nullptr;
    return topology;
}

/// The smallest place of a level that holds the whole set, the first among equals; null if there is none.
hwloc_obj_t smallest(hwloc_topology_t topology, hwloc_obj_type_t level, hwloc_const_bitmap_t set) noexcept {
    hwloc_obj_t place = nullptr;
    for (hwloc_obj_t next = nullptr; (next = hwloc_get_next_obj_by_type(topology, level, next)) != nullptr;) {
        if (hwloc_bitmap_isincluded(set, next->cpuset) == 0) continue;
        if (place == nullptr || hwloc_bitmap_weight(next->cpuset) < hwloc_bitmap_weight(place->cpuset))
            place = next;
    }
    return place;
}

/// A package or NUMA node by hwloc's physical number. Logical numbers differ between processes that are
/// confined to parts of a node.
std::int32_t place_in(hwloc_topology_t topology, hwloc_obj_type_t level, hwloc_const_bitmap_t set) noexcept {
    const hwloc_obj_t place = smallest(topology, level, set);
    if (place == nullptr) return Location::unknown;
    const unsigned number = place->os_index == HWLOC_UNKNOWN_INDEX ? place->logical_index : place->os_index;
    return static_cast<std::int32_t>(number);
}

/// A cache by its first processor, including forbidden ones; few systems number caches.
std::int32_t cache_in(hwloc_topology_t topology, hwloc_obj_type_t level, hwloc_const_bitmap_t set) noexcept {
    const hwloc_obj_t cache = smallest(topology, level, set);
    return cache == nullptr ? Location::unknown
                            : static_cast<std::int32_t>(hwloc_bitmap_first(cache->complete_cpuset));
}

/// The location of a process that is bound to `set`, which is cut to the machine.
Location location_in(hwloc_topology_t topology, hwloc_bitmap_t set, std::uint64_t node) noexcept {
    hwloc_bitmap_and(set, set, hwloc_topology_get_topology_cpuset(topology));
    if (hwloc_bitmap_iszero(set) != 0) return {.node = node};
    return {.node = node,
            .package = place_in(topology, HWLOC_OBJ_PACKAGE, set),
            .numa = place_in(topology, HWLOC_OBJ_NUMANODE, set),
            .l3 = cache_in(topology, HWLOC_OBJ_L3CACHE, set)};
}

Location look_up() noexcept {
    const Topology topology = load("");
    const Set set(hwloc_bitmap_alloc());
    // The calling thread is the one that communicates; others may be bound elsewhere.
    if (!topology || !set || hwloc_get_cpubind(topology.get(), set.get(), HWLOC_CPUBIND_THREAD) != 0)
        return {};
    return location_in(topology.get(), set.get(), 0);
}

/// The processors of a process that is bound to the list; all processors if the list is empty.
Set processors_in(const Topology& machine, const std::string& list) {
    Set set(hwloc_bitmap_alloc_full());
    if (!set) throw std::bad_alloc();
    if (list.empty()) return set;
    if (list.find_first_not_of("0123456789-,") != std::string::npos ||  // hwloc skips these
        hwloc_bitmap_list_sscanf(set.get(), list.c_str()) != 0)
        throw Error("processors '" + list + "' must be a list such as 0-3,8");
    const hwloc_const_bitmap_t all = hwloc_topology_get_topology_cpuset(machine.get());
    if (hwloc_bitmap_intersects(set.get(), all) == 0)
        throw Error("processors '" + list + "' are not in the machine, which has " +
                    std::to_string(hwloc_bitmap_weight(all)));
    return set;
}

}  // namespace

Location location_here(std::uint64_t node) noexcept {
    static const Location here = look_up();
    Location asked = here;
    asked.node = node;
    return asked;
}

std::vector<Location> locations_of(const std::string& topology, std::span<const std::string> processors,
                                   std::uint64_t node) {
    const Topology machine = topology.empty() ? nullptr : load(topology);
    if (!machine)
        throw Error("machine '" + topology +
                    "' is not a topology that hwloc can read; write e.g. 'pack:2 numa:2 core:4 pu:1'");
    std::vector<Location> locations;
    for (const std::string& list : processors)
        locations.push_back(location_in(machine.get(), processors_in(machine, list).get(), node));
    return locations;
}

}  // namespace echelon
