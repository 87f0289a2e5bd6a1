// SPDX-License-Identifier: Apache-2.0
#include "fuzz/operation.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace fuzz {
namespace {

std::shared_mutex known_guard;
std::map<MPI_Datatype, Map>& known() {
    static auto& all = *new std::map<MPI_Datatype, Map>;
    return all;
}
std::atomic<int> unknown = 0;

using In = std::span<const std::byte>;
using Bytes = std::span<std::byte>;
int at(In bytes, std::size_t i) { return std::to_integer<int>(bytes[i]); }
std::byte byte(int value) { return std::byte(value & 255); }

/// Each byte is the map v -> a v + b of the numbers modulo 16: they do not commute.
void maps(In left, Bytes right) {
    for (std::size_t i = 0; i < right.size(); ++i) {
        const int a = (at(left, i) >> 4) | 1, b = at(left, i) & 15, c = (at(right, i) >> 4) | 1,
                  d = at(right, i) & 15;
        right[i] = byte(((a * c) & 15) << 4 | ((a * d + b) & 15));
    }
}
void sums(In left, Bytes right) {
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = byte(at(left, i) + at(right, i));
}
/// The element is the map v -> a v + b of vectors of bytes.
void whole_maps(In left, Bytes right) {
    const int a = at(left, 0) | 1;
    right[0] = byte(a * (at(right, 0) | 1));
    for (std::size_t i = 1; i < right.size(); ++i) right[i] = byte(a * at(right, i) + at(left, i));
}
/// The element is a dual number a + b e with e e = 0: these commute.
void dual_products(In left, Bytes right) {
    const int a = at(left, 0) | 1, c = at(right, 0) | 1;
    right[0] = byte(a * c);
    for (std::size_t i = 1; i < right.size(); ++i) right[i] = byte(a * at(right, i) + c * at(left, i));
}

template <void (*combine)(In, Bytes)>
void function(void* left, void* right, int* count, MPI_Datatype* type) {
    const Map* map = nullptr;
    {
        const std::shared_lock lock(known_guard);
        const auto found = known().find(*type);
        if (found != known().end()) map = &found->second;
    }
    if (map == nullptr) {
        ++unknown;
        return;
    }
    const auto* in = static_cast<const std::byte*>(left);
    auto* out = static_cast<std::byte*>(right);
    std::vector<std::byte> one, other;
    for (int i = 0; i < *count; ++i, in += map->extent, out += map->extent) {
        take_element(in, *map, one);
        take_element(out, *map, other);
        combine(one, other);
        put_element(out, *map, other.data());
    }
}

constexpr std::array functions{sums, maps, dual_products, whole_maps};
std::array<UserOperation, 4> operations{{{"sums of bytes", true, false, MPI_OP_NULL},
                                         {"maps, do not commute", false, false, MPI_OP_NULL},
                                         {"dual numbers", true, true, MPI_OP_NULL},
                                         {"maps of elements, do not commute", false, true, MPI_OP_NULL}}};

}  // namespace

std::span<const UserOperation> user_operations() { return operations; }

void make_user_operations() {
    for (std::size_t i = 0; i < basics().size(); ++i)
        remember(basics()[i].type, map_of(basic_layout(int(i))));
    for (std::size_t i = 0; i < operations.size(); ++i) operations[i].op = create_operation(int(i));
}

MPI_Op create_operation(int operation) {
    static constexpr std::array all{function<sums>, function<maps>, function<dual_products>,
                                    function<whole_maps>};
    MPI_Op made = MPI_OP_NULL;
    MPI_Op_create(all[std::size_t(operation)], operations[std::size_t(operation)].commutes, &made);
    return made;
}

void free_user_operations() {
    for (auto& one : operations) MPI_Op_free(&one.op);
}

void remember(MPI_Datatype type, const Map& map) {
    const std::unique_lock lock(known_guard);
    known().insert_or_assign(type, map);
}

void forget(MPI_Datatype type) {
    const std::unique_lock lock(known_guard);
    known().erase(type);
}

void combine_bytes(int operation, std::size_t length, const std::vector<std::byte>& left,
                   std::vector<std::byte>& right) {
    for (std::size_t at = 0; at < right.size(); at += length)
        functions[std::size_t(operation)](In(left).subspan(at, length), Bytes(right).subspan(at, length));
}

int unknown_types() { return unknown; }

void take_element(const std::byte* element, const Map& map, std::vector<std::byte>& bytes) {
    bytes.clear();
    for (const Piece& piece : map.pieces)
        for (const auto& run : basics()[std::size_t(piece.basic)].runs)
            bytes.insert(bytes.end(), element + piece.at + run.at, element + piece.at + run.at + run.length);
}

void put_element(std::byte* element, const Map& map, const std::byte* bytes) {
    for (const Piece& piece : map.pieces)
        for (const auto& run : basics()[std::size_t(piece.basic)].runs) {
            std::memcpy(element + piece.at + run.at, bytes, std::size_t(run.length));
            bytes += run.length;
        }
}

std::size_t element_bytes(const Map& map) {
    std::ptrdiff_t sum = 0;
    for (const Piece& piece : map.pieces)
        for (const auto& run : basics()[std::size_t(piece.basic)].runs) sum += run.length;
    return std::size_t(sum);
}

}  // namespace fuzz
