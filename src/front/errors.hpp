// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/make_plan.hpp"
#include "mpi/check.hpp"

#include <new>
#include <optional>
#include <string>
#include <utility>

namespace echelon {

/// The class of Refused. The MPI library makes its number on first use.
constexpr int class_of_refused = -1;

/// An error of Echelon for MPI: a code of `error_class`, whose MPI_Error_string is the sentence if the
/// library allows it.
int code_for(int error_class, const std::string& sentence);
/// MPI_ERR_ARG; only last_error_text() has the sentence.
int returned(const std::string& sentence);
/// The sentence of this thread's last error from Echelon; empty if there was none.
const char* last_error_text();

/// Hands an error code to the communicator's error handler; returns it if the handler does.
int report(MPI_Comm comm, int code);

/// An invalid argument.
using WrongArgument = FoundError;

/// Prints the sentence of an error on standard error, once. After some dozens no more are printed.
void tell_once(const std::string& sentence);

/// Runs `call`, which returns an MPI code, and turns exceptions into MPI errors of `comm`. No exception
/// leaves this function.
template <class Call>
int guarded(MPI_Comm comm, Call&& call) {
    // MPI is called outside of the catch blocks, because simulated ranks share a stack of caught exceptions.
    int code = MPI_SUCCESS;
    std::optional<std::pair<int, std::string>> failure;
    try {
        return call();
    } catch (const MpiError& error) {
        code = error.code;
    } catch (const Refused& error) {
        failure.emplace(class_of_refused, error.what());
    } catch (const FoundError& error) {
        failure.emplace(error.error_class, error.what());
    } catch (const std::bad_alloc&) {
        failure.emplace(MPI_ERR_NO_MEM, "echelon: out of memory");
    } catch (const std::exception& error) {
        failure.emplace(MPI_ERR_ARG, error.what());
    }
    if (failure) {
        tell_once(failure->second);
        code = code_for(failure->first, "echelon: " + failure->second);
    }
    return report(comm, code);
}

}  // namespace echelon
