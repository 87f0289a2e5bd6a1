# SPDX-License-Identifier: Apache-2.0
# Dependencies of Echelon besides MPI. scripts/setup installs them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(pmix IMPORTED_TARGET pmix)  # header only; it serves to find ranks without the drop-in library
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Boost REQUIRED)  # Boost.Math: headers alone, for tests
if(ECHELON_PROGRAMS)
    find_package(Boost REQUIRED COMPONENTS program_options)
    find_package(fmt REQUIRED)
endif()
if(ECHELON_PROGRAMS AND ECHELON_TESTS)  # targets that need a missing one are left out
    foreach(optional benchmark BLAS)
        find_package(${optional} QUIET)
        if(NOT ${optional}_FOUND)
            message(STATUS "Without ${optional}, which is not found: some of bench/ and apps/ is not built")
        endif()
    endforeach()
endif()
