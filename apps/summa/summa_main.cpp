// SPDX-License-Identifier: Apache-2.0
#include "apps/summa/product_program.hpp"
#include "apps/summa/summa.hpp"

int main(int argc, char** argv) {
    bool overlap = false;
    examples::ProductProgram program(
        "summa",
        "multiplies matrices on a grid of processes, by broadcasts of panels along rows and columns.");
    program.example().options()("overlap", examples::po::bool_switch(&overlap),
                                "let the next panel come (MPI_Ibcast) while this one is multiplied");
    return program.run(argc, argv, [&](const examples::Job& job) {
        if (overlap)
            examples::summa_overlapped(job);
        else
            examples::summa(job);
    });
}
