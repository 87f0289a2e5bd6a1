# SPDX-License-Identifier: Apache-2.0
# How every file of the project is compiled.

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

# clang counts sign conversions among -Wconversion, gcc does not: the same for both.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_UNITY_BUILD)
    # Files that are compiled together see each other's names; builds of single files warn of what a file shadows itself.
    add_compile_options(-Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)  # which gcc 12 sees where there are none
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options("SHELL:--param ggc-min-heapsize=1000000")  # kB; to collect its garbage seldom spares a tenth of its time
endif()
if(ECHELON_WERROR)
    add_compile_options(-Werror)
endif()

# SMPI loads one copy of the program per rank; symbols of the "unique" kind (inline variables, statics of inline
# functions) would still be one for all ranks. Elsewhere nothing is lost without them, and rooms that know no MPI
# are compiled alike in all presets, where ccache finds them.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
elseif(ECHELON_SMPI)
    message(FATAL_ERROR "ECHELON_SMPI needs g++, the compiler is ${CMAKE_CXX_COMPILER_ID}: set CXX=g++")
endif()
find_program(ECHELON_CCACHE ccache)
if(ECHELON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # By paths within the build folder, so that all presets find what is compiled alike, also files that are compiled together.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${ECHELON_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
add_link_options(-Wl,--as-needed)
add_compile_options(-ffunction-sections -fdata-sections)  # echelon_shared takes what is needed of each file
