! SPDX-License-Identifier: Apache-2.0
! The collectives through `use mpi_f08`.
program calls
    use mpi_f08
    implicit none
    type(MPI_Comm) :: world
    type(MPI_Datatype) :: absolute
    type(MPI_Request) :: request
    integer :: rank, ranks, root, step, n, i, ierror
    integer :: places(2), best(2), lengths(16), starts(16)
    integer, volatile :: numbers(20)
    integer(MPI_ADDRESS_KIND) :: places_in_memory(1)
    real(8) :: mine(250), result(250), all_of_them(48)
    real :: small(2)
    complex :: wave
    logical :: all_of
    call MPI_Init(ierror)
    world = MPI_COMM_WORLD
    call MPI_Comm_rank(world, rank, ierror)
    call MPI_Comm_size(world, ranks, ierror)
    call MPI_Allreduce(rank, i, 1, MPI_INTEGER, MPI_SUM, world)  ! ierror is optional
    if (rank == 0) print *, 'ranks', i
    call MPI_Barrier(world)
    include 'calls_body.inc'
end program
