// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <string>

namespace examples {

/// The form in which a program calls a collective.
enum class Form { blocking, nonblocking, persistent };

/// Reads the name of a form. Throws WrongUse, with the name of the option; also for a form
/// that the MPI library lacks.
Form parse_form(const std::string& option, const std::string& text);

/// An MPI_Allreduce of sums in place, with work between its start and its end. Each function is called by all
/// ranks, in turn; start() is collective.
class StartedSum {
public:
    /// Collective over `comm`. `data` must live as long as this.
    StartedSum(Form form, void* data, int count, MPI_Datatype type, MPI_Comm comm);
    ~StartedSum();
    StartedSum(const StartedSum&) = delete;
    StartedSum& operator=(const StartedSum&) = delete;

    /// Starts the sum; the blocking form ends it, too.
    void start();
    /// Lets the MPI library make progress. Local.
    void poll();
    /// Waits for the end.
    void finish();

private:
    Form form_;
    void* data_;
    int count_;
    MPI_Datatype type_;
    MPI_Comm comm_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace examples
