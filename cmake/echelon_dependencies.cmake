# SPDX-License-Identifier: Apache-2.0
# What Echelon stands on besides MPI. scripts/setup installs it.
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(pmix IMPORTED_TARGET pmix)  # its header: by it ranks without the drop-in library are found
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Boost REQUIRED)  # Boost.Math: headers alone, for tests
if(ECHELON_PROGRAMS)
    find_package(Boost REQUIRED COMPONENTS program_options)
    find_package(fmt REQUIRED)
endif()
if(ECHELON_PROGRAMS AND ECHELON_TESTS)  # what needs one of these is left out where it is not here
    foreach(optional benchmark BLAS)
        find_package(${optional} QUIET)
        if(NOT ${optional}_FOUND)
            message(STATUS "Without ${optional}, which is not found: some of bench/ and apps/ is not built")
        endif()
    endforeach()
endif()
