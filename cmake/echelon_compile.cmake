# SPDX-License-Identifier: Apache-2.0
# Compiler settings for every file of the project.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # every room becomes part of libechelon.so
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)  # libechelon.so exports only what is marked ECHELON_API
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# clang includes sign conversions in -Wconversion, gcc does not; both get the same warnings.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_UNITY_BUILD)
    # Files of a unity build see each other's names. Builds of single files warn of shadowing within a file.
    add_compile_options(-Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)  # gcc 12 reports false ones
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options("SHELL:--param ggc-min-heapsize=1000000")  # kB; rare garbage collection saves compile time
endif()
if(ECHELON_WERROR)
    add_compile_options(-Werror)
endif()

# SMPI loads one copy of the program per rank. Symbols of the "unique" kind (inline variables, statics of
# inline functions) would still exist once for all ranks. Elsewhere the option does no harm: rooms without MPI
# are compiled alike in all presets, and ccache finds them.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
elseif(ECHELON_SMPI)
    message(FATAL_ERROR "ECHELON_SMPI needs g++, the compiler is ${CMAKE_CXX_COMPILER_ID}: set CXX=g++")
endif()
find_program(ECHELON_CCACHE ccache)
if(ECHELON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths are relative to the project: all presets share the results of equal compilations, also of unity
    # builds.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${ECHELON_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
add_link_options(-Wl,--as-needed)
add_compile_options(-ffunction-sections -fdata-sections)  # echelon_shared links only the needed parts of each file
