// SPDX-License-Identifier: Apache-2.0
#include "apps/common/started_sum.hpp"

#include "apps/common/example.hpp"
#include "mpi/quirks.hpp"

namespace examples {
namespace {

#ifdef ECHELON_HAS_PERSISTENT
constexpr bool has_persistent = true;
constexpr auto init_sum = ECHELON_PERSISTENT(MPI, Allreduce);
#else
constexpr bool has_persistent = false;
int init_sum(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*) {
    return MPI_ERR_OTHER;
}
#endif

}  // namespace

Form parse_form(const std::string& option, const std::string& text) {
    if (text == "blocking") return Form::blocking;
    if (text != "nonblocking" && text != "persistent")
        throw WrongUse(option + ": expected blocking, nonblocking or persistent, not '" + text + "'");
    if (echelon::quirks::simulated)
        throw WrongUse(option + ": only blocking, because SimGrid's nonblocking sums in place are wrong");
    if (text == "nonblocking") return Form::nonblocking;
    if (!has_persistent) throw WrongUse(option + ": this MPI library has no persistent collectives");
    return Form::persistent;
}

StartedSum::StartedSum(Form form, void* data, int count, MPI_Datatype type, MPI_Comm comm)
    : form_(form), data_(data), count_(count), type_(type), comm_(comm) {
    if (form_ == Form::persistent)
        init_sum(MPI_IN_PLACE, data_, count_, type_, MPI_SUM, comm_, MPI_INFO_NULL, &request_);
}

StartedSum::~StartedSum() {
    if (form_ == Form::persistent) MPI_Request_free(&request_);
}

void StartedSum::start() {
    switch (form_) {
        case Form::blocking:
            MPI_Allreduce(MPI_IN_PLACE, data_, count_, type_, MPI_SUM, comm_);
            break;
        case Form::nonblocking:
            MPI_Iallreduce(MPI_IN_PLACE, data_, count_, type_, MPI_SUM, comm_, &request_);
            break;
        case Form::persistent:
            MPI_Start(&request_);
            break;
    }
}

void StartedSum::poll() {
    int done = 0;
    if (form_ != Form::blocking) MPI_Request_get_status(request_, &done, MPI_STATUS_IGNORE);
}

void StartedSum::finish() {
    if (form_ != Form::blocking) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

}  // namespace examples
