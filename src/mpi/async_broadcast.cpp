// SPDX-License-Identifier: Apache-2.0
#include "mpi/async_broadcast.hpp"

#include "mpi/check.hpp"
#include "mpi/count.hpp"
#include "mpi/patient_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace echelon {

/// The first message: the text's length and its beginning.
struct AsyncBroadcast::Head {
    Head(const std::string& text, std::size_t room) : bytes(sizeof(std::uint64_t) + room) {
        const std::uint64_t length = text.size();
        std::memcpy(bytes.data(), &length, sizeof length);
        text.copy(bytes.data() + sizeof length, room);
    }
    /// The whole text. The root passes it as `text` and broadcasts the rest. Collective.
    std::string complete(std::string text, MPI_Comm comm, int root = 0) const;

    std::vector<char> bytes;
};

std::string AsyncBroadcast::Head::complete(std::string text, MPI_Comm comm, int root) const {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    text.resize(length);
    const std::size_t begun = std::min(text.size(), bytes.size() - sizeof length);
    std::copy_n(bytes.data() + sizeof length, begun, text.begin());
    for (std::size_t from = begun; from < text.size(); from += most_elements)
        check(PMPI_Bcast(text.data() + from, int(std::min(most_elements, text.size() - from)), MPI_CHAR, root,
                         comm),
              "MPI_Bcast");
    return text;
}

std::string AsyncBroadcast::at_once(std::string text, MPI_Comm comm, std::size_t room, int root) {
    Head head(text, room);
    check(PMPI_Bcast(head.bytes.data(), int(head.bytes.size()), MPI_BYTE, root, comm), "MPI_Bcast");
    return head.complete(std::move(text), comm, root);
}

AsyncBroadcast::AsyncBroadcast() = default;
AsyncBroadcast::~AsyncBroadcast() = default;

void AsyncBroadcast::begin(std::string text, MPI_Comm comm, std::size_t room) {
    constexpr int calls = 2;
    head_ = std::make_unique<Head>(text, room);
    text_ = std::move(text);
    comm_ = comm;
    calls_left_ = calls;
    check(PMPI_Ibcast(head_->bytes.data(), int(head_->bytes.size()), MPI_BYTE, 0, comm, &request_),
          "MPI_Ibcast");
}

void AsyncBroadcast::wait() { wait_patiently(request_); }

std::string AsyncBroadcast::end() {
    wait();
    const std::unique_ptr<Head> head = std::move(head_);
    return head->complete(std::move(text_), comm_);
}

void AsyncBroadcast::leave_to(AsyncBroadcasts& others) {
    if (!under_way()) return;
    others.left_.push_back({std::move(head_), std::exchange(request_, MPI_REQUEST_NULL)});
}

AsyncBroadcasts::AsyncBroadcasts() = default;
AsyncBroadcasts::~AsyncBroadcasts() = default;

void AsyncBroadcasts::close() {
    for (Left& one : left_) wait_patiently(one.request);
    left_.clear();
}

}  // namespace echelon
