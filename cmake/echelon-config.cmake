# SPDX-License-Identifier: Apache-2.0
# find_package(echelon [COMPONENTS mpich]) defines echelon::echelon (shared) and echelon::static. Both bring
# the MPI that Echelon was built with. If Echelon is installed for several MPIs and no component is given, the
# project's MPI decides.
file(GLOB echelon_installed RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/*/echelon-mpi.cmake)
list(TRANSFORM echelon_installed REPLACE "/.*" "")
set(echelon_mpi ${echelon_FIND_COMPONENTS})
list(LENGTH echelon_installed echelon_count)
if(NOT echelon_mpi AND echelon_count EQUAL 1)
    set(echelon_mpi ${echelon_installed})
elseif(NOT echelon_mpi)
    find_package(MPI QUIET)
    set(echelon_dirs ${MPI_CXX_INCLUDE_DIRS})  # where C++ has an MPI of its own, it counts
    if(NOT MPI_CXX_FOUND)
        set(echelon_dirs ${MPI_C_INCLUDE_DIRS})
    endif()
    foreach(one ${echelon_installed})
        include(${CMAKE_CURRENT_LIST_DIR}/${one}/echelon-mpi.cmake)
        if(echelon_mpi_include_dirs STREQUAL echelon_dirs)
            set(echelon_mpi ${one})
        endif()
    endforeach()
endif()
list(LENGTH echelon_mpi echelon_count)
if(NOT echelon_count EQUAL 1 OR NOT echelon_mpi IN_LIST echelon_installed)
    list(JOIN echelon_installed " and " echelon_installed)
    set(echelon_FOUND FALSE)
    set(echelon_NOT_FOUND_MESSAGE "Echelon is installed here for ${echelon_installed}; ask for one: find_package(echelon COMPONENTS ...)")
    return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/${echelon_mpi}/echelon-mpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/${echelon_mpi}/echelon-targets.cmake)
if(MPI_CXX_FOUND AND NOT MPI_CXX_INCLUDE_DIRS STREQUAL echelon_mpi_include_dirs)
    message(WARNING "Echelon was built with the MPI of ${echelon_mpi_include_dirs}, this project uses the one of "
                    "${MPI_CXX_INCLUDE_DIRS}: build Echelon with that MPI, or set MPI_CXX_COMPILER here.")
endif()
