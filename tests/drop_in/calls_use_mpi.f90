! SPDX-License-Identifier: Apache-2.0
! The collectives through `use mpi`.
program calls
    use mpi
    implicit none
    integer :: world, absolute, request
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
    include 'calls_body.inc'
end program
