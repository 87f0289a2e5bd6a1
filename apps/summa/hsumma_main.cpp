// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/hsumma.hpp"
#include "apps/summa/product_program.hpp"

int main(int argc, char** argv) {
    using namespace examples;
    std::string groups;
    long outer_width = 0;
    ProductProgram program(
        "hsumma",
        "multiplies matrices on a grid of groups of processes: wide panels go from group to "
        "group, narrower ones inside of each.");
    auto add = program.example().options();
    add("groups", po::value(&groups)->value_name("RxC")->default_value("1x1"),
        "rows x columns of groups; they divide the grid evenly");
    add("outer-block", po::value(&outer_width)->value_name("N")->default_value(0, "as --block"),
        "width of the panels that go between groups, at most");
    return program.run(argc, argv, [&](const Job& job) {
        hsumma(job, parse_shape("--groups", groups), outer_width == 0 ? job.width : outer_width);
    });
}
