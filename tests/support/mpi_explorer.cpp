// SPDX-License-Identifier: Apache-2.0
#include "support/mpi_explorer.hpp"

#include <mpi.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace echelon::mpi_explorer {
namespace {

/// Identifies a contribution: a message, or a rank's part in a collective.
struct Key {
    std::uint64_t context;
    int from, to, tag;
    std::uint32_t number;  // in order, of the same context, ranks and tag
    auto operator<=>(const Key&) const = default;
};
constexpr int all_ranks = -1;

struct Entry {
    Key key;
    std::size_t offset, bytes;
};

constexpr std::size_t most_entries = 1 << 15, most_bytes = 16 << 20, most_choices = 4096, most_texts = 1024;

/// Memory that the ranks and the explorer share. One process uses it at a time.
struct Shared {
    std::array<sem_t, most_ranks> turns;
    int size;
    Sends sends;
    bool over, infeasible;
    char defect[1024];
    std::array<bool, most_ranks> done, waits, may_go_on;
    long steps;                         // puts and ends of ranks
    std::array<long, most_ranks> seen;  // steps before a rank last looked in vain
    std::size_t choices, given;         // made; the first ones are given
    std::array<bool, most_choices> chosen, forced;
    std::size_t entries, bytes, texts;
    std::array<Entry, most_entries> entry;
    std::array<std::uint32_t, 2 * most_entries> places;  // of entries by hash, plus one
    std::array<std::array<char, 256>, most_texts> text;
    std::array<char, most_bytes> data;
};
Shared* shared = nullptr;
int processor = 0;  // of all ranks

// The rank of this process.
int me = -1;
double clock_now = 0;
std::size_t own_texts = 0, last_choice = most_choices;
bool waits_in_any_case = false;

[[noreturn]] void end_run() {
    shared->over = true;
    for (sem_t& turn : shared->turns) sem_post(&turn);
    _exit(0);
}

[[noreturn]] void fail(const std::string& what) {
    std::snprintf(shared->defect, sizeof shared->defect, "rank %d: %s", me, what.c_str());
    end_run();
}

int next_rank() {
    for (int i = 1; i <= shared->size; ++i)
        if (const int rank = (me + i) % shared->size; !shared->done[std::size_t(rank)]) return rank;
    return me;
}

void await_turn() {
    while (sem_wait(&shared->turns[std::size_t(me)]) != 0) {
    }
    if (shared->over) _exit(0);
}

/// Waits until `ready`. If no rank can go on, there is a deadlock, unless one only waits for a message that
/// it might have seen.
void wait_until(const std::function<bool()>& ready, bool may_go_on = false) {
    const auto own = std::size_t(me);
    while (!ready()) {
        shared->waits[own] = true;
        shared->seen[own] = shared->steps;
        shared->may_go_on[own] = may_go_on;
        bool stuck = true, infeasible = false;
        for (std::size_t i = 0; i < std::size_t(shared->size); ++i) {
            if (shared->done[i]) continue;
            stuck = stuck && shared->waits[i] && shared->seen[i] == shared->steps;
            infeasible = infeasible || (shared->waits[i] && shared->may_go_on[i]);
        }
        if (stuck && !infeasible) fail("all ranks wait");
        if (stuck) {
            shared->infeasible = true;
            end_run();
        }
        sem_post(&shared->turns[std::size_t(next_rank())]);
        await_turn();
    }
    shared->waits[own] = false;
}

// Contributions.

std::size_t place_of(const Key& key) {
    std::uint64_t hash = key.context;
    for (const std::uint64_t part :
         {std::uint64_t(key.from), std::uint64_t(key.to), std::uint64_t(key.tag), std::uint64_t(key.number)})
        hash = (hash ^ part) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    std::size_t place = hash % shared->places.size();
    while (shared->places[place] != 0 && shared->entry[shared->places[place] - 1].key != key)
        place = (place + 1) % shared->places.size();
    return place;
}

const Entry* find(const Key& key) {
    const std::uint32_t found = shared->places[place_of(key)];
    return found == 0 ? nullptr : &shared->entry[found - 1];
}

const char* data_of(const Key& key) { return shared->data.data() + find(key)->offset; }

void put(const Key& key, const void* data, std::size_t bytes) {
    if (shared->entries == most_entries || shared->bytes + bytes > most_bytes) fail("too many messages");
    shared->entry[shared->entries] = {key, shared->bytes, bytes};
    if (bytes > 0) std::memcpy(shared->data.data() + shared->bytes, data, bytes);
    shared->bytes += bytes;
    shared->places[place_of(key)] = std::uint32_t(++shared->entries);
    ++shared->steps;
}

// Communicators and requests of this rank.

struct Communicator {
    std::uint64_t context;
    std::vector<int> members;  // ranks in MPI_COMM_WORLD
    int rank;
    std::map<std::pair<int, int>, std::uint32_t> sent, received;  // by the other rank, and by tag
    std::uint32_t collectives = 0, made = 0;
    std::map<int, void*> attributes = {};
};
std::map<MPI_Comm, Communicator> communicators;
std::map<MPI_Group, std::vector<int>> groups;
std::map<int, MPI_Comm_delete_attr_function*> keyvals;
int last_handle = 0;

/// What a request awaits, and its last action, which returns the number of bytes.
struct Request {
    std::vector<Key> awaited;
    std::function<std::size_t()> complete;
    bool is_complete() const {
        return std::ranges::all_of(awaited, [](const Key& key) { return find(key) != nullptr; });
    }
};
std::map<MPI_Request, Request> requests;

Communicator& at(MPI_Comm comm) {
    const auto found = communicators.find(comm);
    if (found == communicators.end()) fail("an unknown communicator");
    return found->second;
}
std::size_t size_of_type(MPI_Datatype type) { return std::size_t(type) >> 8 & 0xff; }
std::size_t bytes_of(int count, MPI_Datatype type) { return std::size_t(count) * size_of_type(type); }

MPI_Comm make(std::uint64_t context, std::vector<int> members) {
    const auto own = std::ranges::find(members, me);
    if (own == members.end()) return MPI_COMM_NULL;
    const int rank = int(own - members.begin());
    const MPI_Comm comm = MPI_Comm(0x84000000u) | ++last_handle;
    communicators[comm] = {context, std::move(members), rank, {}, {}};
    return comm;
}
std::uint64_t context_of(const Communicator& parent, std::uint64_t number, int colour) {
    return (parent.context * 31 + number) * 1009 + std::uint64_t(colour) + 7;
}

MPI_Request make(Request request) {
    const MPI_Request handle = MPI_Request(0x98000000u) | ++last_handle;
    requests[handle] = std::move(request);
    return handle;
}
void complete(MPI_Request& handle, MPI_Status* status) {
    const auto found = requests.find(handle);
    if (found == requests.end()) fail("an unknown request");
    const std::size_t bytes = found->second.complete();
    if (status != MPI_STATUS_IGNORE) status->count_lo = int(bytes), status->count_hi_and_cancelled = 0;
    requests.erase(found);
    handle = MPI_REQUEST_NULL;
}
bool is_complete(const MPI_Request& handle) {
    return handle == MPI_REQUEST_NULL || requests.at(handle).is_complete();
}

/// The part of this rank in the next collective of a communicator, and the parts of the others.
struct Part {
    const Communicator& comm;
    std::uint32_t number;
    Key of(int rank) const { return {comm.context, rank, all_ranks, 0, number}; }
    std::vector<Key> all() const {
        std::vector<Key> keys;
        for (int i = 0; i < int(comm.members.size()); ++i) keys.push_back(of(i));
        return keys;
    }
};
Part contribute(MPI_Comm handle, const void* data, std::size_t bytes) {
    Communicator& comm = at(handle);
    const Part part{comm, comm.collectives++};
    clock_now += 1e-2;
    put(part.of(comm.rank), data, bytes);
    return part;
}
void await(const std::vector<Key>& keys) {
    wait_until(
        [&] { return std::ranges::all_of(keys, [](const Key& key) { return find(key) != nullptr; }); });
}
/// Waits for the ranks for which this one must wait, or for all.
void await(const Part& part, bool for_all, int root) {
    if (for_all || shared->sends == Sends::wait)
        await(part.all());
    else
        await(std::vector{part.of(root)});
}

template <class T>
void combine_as(void* into, const char* other, int count, MPI_Op op) {
    for (int i = 0; i < count; ++i) {
        T a, b;
        std::memcpy(&a, static_cast<char*>(into) + std::size_t(i) * sizeof a, sizeof a);
        std::memcpy(&b, other + std::size_t(i) * sizeof b, sizeof b);
        a = op == MPI_MIN ? std::min(a, b) : op == MPI_MAX ? std::max(a, b) : T(a + b);
        std::memcpy(static_cast<char*>(into) + std::size_t(i) * sizeof a, &a, sizeof a);
    }
}
void combine(void* into, const char* other, int count, MPI_Datatype type, MPI_Op op) {
    if (type == MPI_DOUBLE) return combine_as<double>(into, other, count, op);
    if (type == MPI_INT) return combine_as<int>(into, other, count, op);
    if (type == MPI_INT64_T) return combine_as<std::int64_t>(into, other, count, op);
    if (type == MPI_UINT64_T) return combine_as<std::uint64_t>(into, other, count, op);
    fail("a reduction of another type");
}
std::size_t reduce_all(const Part& part, void* out, int count, MPI_Datatype type, MPI_Op op) {
    std::memcpy(out, data_of(part.of(0)), bytes_of(count, type));
    for (int i = 1; i < int(part.comm.members.size()); ++i)
        combine(out, data_of(part.of(i)), count, type, op);
    return bytes_of(count, type);
}
std::size_t gather_all(const Part& part, void* out, std::size_t bytes) {
    for (std::size_t i = 0; i < part.comm.members.size(); ++i)
        std::memcpy(static_cast<char*>(out) + i * bytes, data_of(part.of(int(i))), bytes);
    return bytes;
}

/// The result of a test of messages.
bool choose(const std::function<bool()>& arrived) {
    if (std::exchange(waits_in_any_case, false)) return wait_until(arrived), true;
    const std::size_t number = last_choice = shared->choices++;
    if (number == most_choices) fail("too many choices");
    if (number >= shared->given) shared->chosen[number] = false;
    shared->forced[number] = false;
    if (!shared->chosen[number]) return false;
    wait_until(arrived, true);
    return true;
}

void begin_rank(int rank) {
    me = rank;
    clock_now = 1000.0 * rank + 1;
    cpu_set_t one;  // processes that wait for each other change places faster on one processor
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    std::vector<int> world(std::size_t(shared->size));
    std::iota(world.begin(), world.end(), 0);
    communicators[MPI_COMM_WORLD] = {1, world, me, {}, {}};
    communicators[MPI_COMM_SELF] = {100 + std::uint64_t(me), {me}, 0, {}, {}};
    await_turn();
}

void end_rank() {
    shared->done[std::size_t(me)] = true;
    ++shared->steps;
    sem_post(&shared->turns[std::size_t(next_rank())]);
    _exit(0);
}

/// One run by the given choices.
void run(const std::function<void()>& program) {
    shared->over = shared->infeasible = false;
    shared->done = shared->waits = shared->may_go_on = {};
    shared->choices = shared->entries = shared->bytes = shared->texts = 0;
    shared->places.fill(0);
    std::vector<pid_t> children;
    for (sem_t& turn : shared->turns) sem_init(&turn, 1, 0);
    for (int rank = 0; rank < shared->size; ++rank) {
        const pid_t child = fork();
        if (child < 0) throw std::runtime_error("no process is left");
        if (child == 0) {
            begin_rank(rank);
            try {
                program();
            } catch (const std::exception& error) {
                fail(error.what());
            }
            end_rank();
        }
        children.push_back(child);
    }
    sem_post(&shared->turns[0]);
    for (std::size_t ended = 0; ended < children.size(); ++ended) {
        int status = 0;
        if (wait(&status) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) continue;
        if (shared->defect[0] == 0)
            std::snprintf(shared->defect, sizeof shared->defect, "a rank ended with status %d", status);
        shared->over = true;
        for (sem_t& turn : shared->turns) sem_post(&turn);
    }
}

}  // namespace

Found explore(int ranks, Sends sends, const std::function<void()>& program) {
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
    shared = static_cast<Shared*>(memory);
    shared->size = ranks;
    shared->sends = sends;
    processor = std::max(0, sched_getcpu());
    std::fflush(nullptr);
    Found found;
    for (bool more = true; more;) {
        run(program);
        found.runs += shared->infeasible ? 0 : 1;
        const std::size_t made = std::min(shared->choices, most_choices);
        found.defect = shared->defect;
        if (!found.defect.empty()) {
            found.defect += "; messages had arrived in tests";
            for (std::size_t i = 0; i < made; ++i)
                if (shared->chosen[i]) found.defect += " " + std::to_string(i);
        }
        // The next choices: the last one that can still change does.
        std::size_t last = made;
        while (last > 0 && (shared->chosen[last - 1] || shared->forced[last - 1])) --last;
        more = found.defect.empty() && last > 0;
        if (more) shared->chosen[last - 1] = true;
        shared->given = last;
    }
    munmap(memory, sizeof(Shared));
    shared = nullptr;
    return found;
}

void agree(const std::string& text) {
    if (own_texts == most_texts) fail("too many texts");
    auto& common = shared->text[own_texts];
    char own[sizeof common] = {};
    text.copy(own, sizeof own - 1);
    if (own_texts == shared->texts) {
        std::memcpy(common.data(), own, sizeof own);
        ++shared->texts;
    } else if (std::strcmp(common.data(), own) != 0) {
        fail("\"" + std::string(own) + "\" in place of \"" + common.data() + "\"");
    }
    ++own_texts;
}

void expect(bool good, const std::string& what) {
    if (!good) fail(what);
}

}  // namespace echelon::mpi_explorer

// The functions of the system and of MPI that a rank calls.

using namespace echelon::mpi_explorer;

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    if (me < 0) return int(syscall(SYS_clock_gettime, clock, time));
    clock_now += 1e-6;
    *time = {time_t(clock_now), long(1e9 * (clock_now - double(time_t(clock_now))))};
    return 0;
}

/// A rank that yields after a test waits for the message in any case.
int sched_yield() noexcept {
    if (me < 0) return int(syscall(SYS_sched_yield));
    if (last_choice < most_choices) shared->forced[last_choice] = waits_in_any_case = true;
    return 0;
}

int PMPI_Initialized(int* flag) { return *flag = me >= 0 ? 1 : 0, MPI_SUCCESS; }
int PMPI_Finalized(int* flag) { return *flag = 0, MPI_SUCCESS; }
int PMPI_Query_thread(int* level) { return *level = MPI_THREAD_SINGLE, MPI_SUCCESS; }
double PMPI_Wtime() { return clock_now += 1e-6; }
int PMPI_Comm_get_parent(MPI_Comm* parent) { return *parent = MPI_COMM_NULL, MPI_SUCCESS; }
int PMPI_Get_library_version(char* text, int* length) {
    return *length = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "explorer"), MPI_SUCCESS;
}
int PMPI_Get_processor_name(char* text, int* length) {
    return *length = std::snprintf(text, MPI_MAX_PROCESSOR_NAME, "node%d", me), MPI_SUCCESS;
}
int PMPI_Error_string(int code, char* text, int* length) {
    return *length = std::snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code), MPI_SUCCESS;
}
int PMPI_Abort(MPI_Comm, int) { fail("MPI_Abort"); }

int PMPI_Comm_rank(MPI_Comm comm, int* rank) { return *rank = at(comm).rank, MPI_SUCCESS; }
int PMPI_Comm_size(MPI_Comm comm, int* size) { return *size = int(at(comm).members.size()), MPI_SUCCESS; }
int PMPI_Comm_test_inter(MPI_Comm, int* flag) { return *flag = 0, MPI_SUCCESS; }
int PMPI_Comm_get_errhandler(MPI_Comm, MPI_Errhandler* handler) {
    return *handler = MPI_ERRORS_RETURN, MPI_SUCCESS;
}
int PMPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) { return MPI_SUCCESS; }
int PMPI_Errhandler_free(MPI_Errhandler* handler) { return *handler = MPI_ERRHANDLER_NULL, MPI_SUCCESS; }

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function* deleted, int* keyval,
                            void*) {
    keyvals[*keyval = ++last_handle] = deleted;
    return MPI_SUCCESS;
}
int PMPI_Comm_free_keyval(int* keyval) { return *keyval = MPI_KEYVAL_INVALID, MPI_SUCCESS; }
int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
    return at(comm).attributes[keyval] = value, MPI_SUCCESS;
}
int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
    static int tags = 1 << 28;
    void* found = keyval == MPI_TAG_UB ? &tags : nullptr;
    if (const auto own = at(comm).attributes.find(keyval); own != at(comm).attributes.end())
        found = own->second;
    *flag = found != nullptr ? 1 : 0;
    *static_cast<void**>(value) = found;
    return MPI_SUCCESS;
}
int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval) {
    const auto own = at(comm).attributes.extract(keyval);
    return own.empty() ? MPI_SUCCESS : keyvals.at(keyval)(comm, keyval, own.mapped(), nullptr);
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
    groups[*group = MPI_Group(0x88000000u) | ++last_handle] = at(comm).members;
    return MPI_SUCCESS;
}
int PMPI_Group_free(MPI_Group* group) {
    groups.erase(std::exchange(*group, MPI_GROUP_NULL));
    return MPI_SUCCESS;
}
int PMPI_Group_translate_ranks(MPI_Group from, int count, const int* ranks, MPI_Group to, int* found) {
    for (int i = 0; i < count; ++i) {
        const auto& others = groups.at(to);
        const auto place = std::ranges::find(others, groups.at(from)[std::size_t(ranks[i])]);
        found[i] = place == others.end() ? MPI_UNDEFINED : int(place - others.begin());
    }
    return MPI_SUCCESS;
}
int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
    *made = make(context_of(at(comm), at(comm).made++, tag), groups.at(group));
    await(contribute(*made, nullptr, 0), false, at(*made).rank);
    return MPI_SUCCESS;
}
int PMPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
    const std::array<int, 2> own{colour, key};
    const Part part = contribute(comm, own.data(), sizeof own);
    await(part.all());
    std::vector<std::pair<int, int>> members;
    for (int i = 0; i < int(part.comm.members.size()); ++i) {
        std::array<int, 2> other{};
        std::memcpy(other.data(), data_of(part.of(i)), sizeof other);
        if (other[0] == colour) members.emplace_back(other[1], part.comm.members[std::size_t(i)]);
    }
    std::ranges::stable_sort(members, {}, &std::pair<int, int>::first);
    std::vector<int> ranks;
    for (const auto& one : members) ranks.push_back(one.second);
    *made = colour == MPI_UNDEFINED
                ? MPI_COMM_NULL
                : make(context_of(part.comm, 1000 + part.number, colour), std::move(ranks));
    return MPI_SUCCESS;
}
int PMPI_Comm_split_type(MPI_Comm comm, int, int key, MPI_Info, MPI_Comm* made) {
    return PMPI_Comm_split(comm, me, key, made);  // each rank has a node of its own
}
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) { return PMPI_Comm_split(comm, 0, at(comm).rank, made); }
int PMPI_Comm_free(MPI_Comm* comm) {
    while (!at(*comm).attributes.empty()) PMPI_Comm_delete_attr(*comm, at(*comm).attributes.begin()->first);
    *comm = MPI_COMM_NULL;  // its messages may still be under way
    return MPI_SUCCESS;
}

int PMPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    Communicator& own = at(comm);
    put({own.context, own.rank, to, tag, own.sent[{to, tag}]++}, data, bytes_of(count, type));
    *request = make({{}, [] { return std::size_t(0); }});
    return MPI_SUCCESS;
}
int PMPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request* request) {
    Communicator& own = at(comm);
    const Key key{own.context, from, own.rank, tag, own.received[{from, tag}]++};
    *request = make({{key}, [=] {
                         const std::size_t bytes = find(key)->bytes;
                         if (bytes > bytes_of(count, type)) fail("a message is too long");
                         std::memcpy(data, data_of(key), bytes);
                         return bytes;
                     }});
    return MPI_SUCCESS;
}
int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (*request == MPI_REQUEST_NULL) return MPI_SUCCESS;
    wait_until([&] { return is_complete(*request); });
    complete(*request, status);
    return MPI_SUCCESS;
}
int PMPI_Waitall(int count, MPI_Request* all, MPI_Status*) {
    for (int i = 0; i < count; ++i) PMPI_Wait(&all[i], MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}
int PMPI_Waitany(int count, MPI_Request* all, int* index, MPI_Status* status) {
    const auto open = [](const MPI_Request& one) { return one != MPI_REQUEST_NULL; };
    const auto ready = [&](const MPI_Request& one) { return open(one) && is_complete(one); };
    *index = MPI_UNDEFINED;
    if (std::none_of(all, all + count, open)) return MPI_SUCCESS;
    wait_until([&] { return std::any_of(all, all + count, ready); });
    *index = int(std::find_if(all, all + count, ready) - all);
    complete(all[*index], status);
    return MPI_SUCCESS;
}
int PMPI_Testall(int count, MPI_Request* all, int* flag, MPI_Status*) {
    const auto awaits = [](const MPI_Request& one) {
        return one != MPI_REQUEST_NULL && !requests.at(one).awaited.empty();
    };
    const auto done = [&] { return std::all_of(all, all + count, is_complete); };
    *flag = std::none_of(all, all + count, awaits) || choose(done) ? 1 : 0;
    for (int i = 0; i < count && *flag != 0; ++i)
        if (all[i] != MPI_REQUEST_NULL) complete(all[i], MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}
int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    if (*request == MPI_REQUEST_NULL) return *flag = 1, MPI_SUCCESS;
    const bool awaits = !requests.at(*request).awaited.empty();
    *flag = !awaits || choose([&] { return is_complete(*request); }) ? 1 : 0;
    if (*flag != 0) complete(*request, status);
    return MPI_SUCCESS;
}
int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status*) {
    return *flag = is_complete(request) ? 1 : 0, MPI_SUCCESS;
}
int PMPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
    return *count = int(std::size_t(status->count_lo) / size_of_type(type)), MPI_SUCCESS;
}
int PMPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(data, count, type, to, tag, comm, &request);
    return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}
int PMPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status* status) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(data, count, type, from, tag, comm, &request);
    return PMPI_Wait(&request, status);
}

int PMPI_Barrier(MPI_Comm comm) { return await(contribute(comm, nullptr, 0), true, 0), MPI_SUCCESS; }
int PMPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    const std::size_t bytes = bytes_of(count, type);
    const bool sends = at(comm).rank == root;
    const Part part = contribute(comm, data, sends ? bytes : 0);
    auto awaited = std::vector{part.of(root)};
    if (sends) awaited = shared->sends == Sends::wait ? part.all() : std::vector<Key>{};
    *request = make({awaited, [=, from = part.of(root)] {
                         if (find(from)->bytes != bytes) fail("a broadcast of another length");
                         if (!sends) std::memcpy(data, data_of(from), bytes);
                         return bytes;
                     }});
    return MPI_SUCCESS;
}
int PMPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Ibcast(data, count, type, root, comm, &request);
    return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}
int PMPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Request* request) {
    const Part part = contribute(comm, in == MPI_IN_PLACE ? out : in, bytes_of(count, type));
    *request = make({part.all(), [=] { return reduce_all(part, out, count, type, op); }});
    return MPI_SUCCESS;
}
int PMPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Iallreduce(in, out, count, type, op, comm, &request);
    return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}
int PMPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    const Part part = contribute(comm, in == MPI_IN_PLACE ? out : in, bytes_of(count, type));
    const bool is_root = part.comm.rank == root;
    await(part, is_root, part.comm.rank);
    if (is_root) reduce_all(part, out, count, type, op);
    return MPI_SUCCESS;
}
int PMPI_Reduce_local(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op) {
    return combine(out, static_cast<const char*>(in), count, type, op), MPI_SUCCESS;
}
int PMPI_Gatherv(const void* in, int count, MPI_Datatype type, void* out, const int* counts,
                 const int* places, MPI_Datatype as, int root, MPI_Comm comm) {
    constexpr int tag = -2;
    PMPI_Send(in, count, type, root, tag, comm);
    for (int r = 0; at(comm).rank == root && r < int(at(comm).members.size()); ++r)
        PMPI_Recv(static_cast<char*>(out) + bytes_of(places[r], as), counts[r], as, r, tag, comm,
                  MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}
int PMPI_Alltoallv(const void* in, const int* sent, const int* from, MPI_Datatype type, void* out,
                   const int* counts, const int* places, MPI_Datatype as, MPI_Comm comm) {
    constexpr int tag = -3;
    const int ranks = int(at(comm).members.size());
    for (int r = 0; r < ranks; ++r)
        PMPI_Send(static_cast<const char*>(in) + bytes_of(from[r], type), sent[r], type, r, tag, comm);
    for (int r = 0; r < ranks; ++r)
        PMPI_Recv(static_cast<char*>(out) + bytes_of(places[r], as), counts[r], as, r, tag, comm,
                  MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}
int PMPI_Iallgather(const void* in, int count, MPI_Datatype type, void* out, int, MPI_Datatype, MPI_Comm comm,
                    MPI_Request* request) {
    const std::size_t bytes = bytes_of(count, type);
    const Part part = contribute(comm, in, bytes);
    *request = make({part.all(), [=] { return gather_all(part, out, bytes); }});
    return MPI_SUCCESS;
}
int PMPI_Allgather(const void* in, int count, MPI_Datatype type, void* out, int each, MPI_Datatype as,
                   MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Iallgather(in, count, type, out, each, as, comm, &request);
    return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // extern "C"
