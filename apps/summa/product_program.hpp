// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/summa/job.hpp"

#include <functional>
#include <string>

namespace examples {

/// Common to the programs that multiply matrices: the product, its grid, and the check of the result.
class ProductProgram {
public:
    ProductProgram(const std::string& program, const std::string& about);
    Example& example() { return example_; }
    /// The body of main.
    int run(int argc, char** argv, const std::function<void(const Job&)>& multiply);

private:
    bool multiply(MPI_Comm world, const std::function<void(const Job&)>& multiply);
    bool check(const Matrices& matrices, const ProcessGrid& grid);

    Example example_;
    std::string size_, grid_;
    long width_ = 0, panels_ = 0;
    bool exact_ = false, warm_up_ = false;
};

}  // namespace examples
