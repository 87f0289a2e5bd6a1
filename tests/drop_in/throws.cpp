// SPDX-License-Identifier: Apache-2.0
// A program that lives on exceptions, its own and (with -DTUNED) Echelon's, and that formats and sorts between its calls.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TUNED
#include <echelon/echelon.hpp>
#endif

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
#ifdef TUNED
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
