! SPDX-License-Identifier: Apache-2.0
! Persistent collectives through `mpif.h`, or with -DF08 through `use mpi_f08`.
#ifdef OPEN_MPI
#define INIT(name) MPIX_/**/name/**/_init
#else
#define INIT(name) MPI_/**/name/**/_init
#endif
program persistent
#ifdef F08
    use mpi_f08
#ifdef OPEN_MPI
    use mpi_f08_ext
#endif
    implicit none
    type(MPI_Request) :: requests(3)
#else
    implicit none
    include 'mpif.h'
    integer :: requests(3)
#endif
    integer :: rank, round, ierror
    integer, asynchronous :: mine(4), total(4), all_of(8)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call INIT(Allreduce)(MPI_IN_PLACE, total, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierror)
    call INIT(Allgather)(mine, 2, MPI_INTEGER, all_of, 2, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierror)
    call INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), ierror)
    do round = 1, 5
        mine = rank + round
        total = mine
        all_of = -1
        call MPI_Start(requests(1), ierror)
        call MPI_Startall(2, requests(2:3), ierror)
        call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierror)
        if (rank == 0) print '(a, 13i5)', 'persistent', total, all_of
    end do
    do round = 1, 3
        call MPI_Request_free(requests(round), ierror)
        if (requests(round) /= MPI_REQUEST_NULL) print *, 'a request is not freed'
    end do
    call MPI_Finalize(ierror)
end program
