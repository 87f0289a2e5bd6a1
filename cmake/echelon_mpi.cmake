# SPDX-License-Identifier: Apache-2.0
# The target `echelon_any_mpi`: the MPI of this build.

add_library(echelon_any_mpi INTERFACE)

if(ECHELON_SMPI)
    set(echelon_mpi_name smpi)
    find_path(ECHELON_SMPI_INCLUDE smpi/mpi.h REQUIRED)
    find_library(ECHELON_SIMGRID_LIBRARY simgrid REQUIRED)
    target_include_directories(echelon_any_mpi SYSTEM INTERFACE ${ECHELON_SMPI_INCLUDE}/smpi)
    target_compile_definitions(echelon_any_mpi INTERFACE ECHELON_SMPI SMPI_NO_OVERRIDE_MALLOC)
else()
    # The libraries are named explicitly instead of by MPI::MPI_CXX. Handles of two MPIs do not mix: a program
    # that uses the installed library, in C or C++, must get this very MPI.
    # A launcher without a folder is in PATH. CMake before 3.21 takes it for a file of this folder.
    if(MPIEXEC_EXECUTABLE AND NOT IS_ABSOLUTE "${MPIEXEC_EXECUTABLE}")
        find_program(echelon_launcher "${MPIEXEC_EXECUTABLE}" REQUIRED)
        set(MPIEXEC_EXECUTABLE ${echelon_launcher} CACHE FILEPATH "Launcher of MPI programs" FORCE)
        unset(echelon_launcher CACHE)
    endif()
    find_package(MPI REQUIRED COMPONENTS CXX)
    set(echelon_mpi_libraries ${MPI_CXX_LIBRARIES})
    # mpi.h identifies the MPI, because an MPICH may be called libmpi.so, too (upstream's, Intel's, Cray's).
    include(CheckCXXSymbolExists)
    set(CMAKE_REQUIRED_INCLUDES ${MPI_CXX_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_DEFINITIONS -DOMPI_SKIP_MPICXX)  # its symbols are in another library
    check_cxx_symbol_exists(OPEN_MPI mpi.h ECHELON_MPI_HAS_OPEN_MPI)
    set(echelon_mpi_name mpich)
    if(ECHELON_MPI_HAS_OPEN_MPI)
        set(echelon_mpi_name openmpi)
    endif()
    set(ECHELON_MPI_NAME ${echelon_mpi_name} CACHE STRING "What is installed for this MPI is in a folder of this name")
    set(echelon_mpi_folder ${CMAKE_INSTALL_LIBDIR}/echelon/${ECHELON_MPI_NAME})
    list(FILTER echelon_mpi_libraries EXCLUDE REGEX "mpichcxx|mpi_cxx")
    target_include_directories(echelon_any_mpi SYSTEM INTERFACE ${MPI_CXX_INCLUDE_DIRS})
    target_compile_definitions(echelon_any_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(echelon_any_mpi INTERFACE ${echelon_mpi_libraries})
endif()
