// SPDX-License-Identifier: Apache-2.0
// A program with exceptions of its own and (with -DTUNED) Echelon's, that formats and sorts between its
// calls, has its own memory allocation, and an error handler that throws.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TUNED
#include <echelon/echelon.hpp>
#endif

// Memory that crosses between the program and the library ends the program.
void* operator new(std::size_t bytes) {
    auto* const taken = static_cast<char*>(std::malloc(bytes + 64));
    if (taken == nullptr) throw std::bad_alloc();
    return taken + 64;
}
void operator delete(void* given) noexcept {
    if (given != nullptr) std::free(static_cast<char*>(given) - 64);
}
void operator delete(void* given, std::size_t) noexcept { operator delete(given); }

namespace {

struct Stop : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string words(double sum) {
    std::map<std::string, std::vector<double>> table{{"sum", {sum, sum / 2}}, {"a", {}}};
    std::ostringstream out;
    for (const auto& [key, numbers] : table)
        if (!numbers.empty()) out << key << ' ' << numbers.at(0);
    return out.str();
}

int caught(int call) {
    try {
        if (call % 3 == 0) throw Stop("stop");
        return int(words(call).at(100));  // throws std::out_of_range
    } catch (const Stop& stop) {
        return std::string(stop.what()) == "stop" ? 1 : 0;
    } catch (const std::exception&) {
        return 1;
    }
}

void throws(MPI_Comm* /*comm*/, int* /*code*/, ...) { throw Stop("no buffer"); }

int thrown_by_handler() {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(throws, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    int stopped = 0;
    try {
        double sum = 0;
        MPI_Allreduce(nullptr, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } catch (const Stop&) {
        stopped = 1;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return stopped;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, all = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double sum = 0;
    for (int call = 0; call < 9; ++call) {
        double mine = rank + call;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        all += caught(call);
    }
    all += thrown_by_handler();
#ifdef TUNED
    all += echelon::Tuning(MPI_COMM_WORLD).would_run("allreduce", 8).phases.size() > 20 ? 1 : 0;
    try {
        echelon::Tuning(MPI_COMM_WORLD).force("allreduce", "no_such_thing");
    } catch (const echelon::TuningError& error) {
        all += std::string(error.what()).find("no_such_thing") != std::string::npos ? 1 : 0;
    }
#endif
    if (rank == 0)
        std::printf("%s, caught %d, under way %d\n", words(sum).c_str(), all, std::uncaught_exceptions());
    MPI_Finalize();
    return 0;
}
