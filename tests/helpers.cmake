# SPDX-License-Identifier: Apache-2.0
# Functions that declare tests. Each does nothing in a preset that cannot run the test.

find_package(GTest REQUIRED)

set(echelon_tests_folder ${CMAKE_CURRENT_LIST_DIR})

# The launcher of a test; the number of ranks and the program follow.
if(ECHELON_SMPI)
    set(echelon_launch ${PROJECT_SOURCE_DIR}/scripts/smpirun -n)
elseif(MPIEXEC_EXECUTABLE MATCHES openmpi)
    set(echelon_launch ${MPIEXEC_EXECUTABLE} --allow-run-as-root --oversubscribe -n)
else()
    set(echelon_launch ${MPIEXEC_EXECUTABLE} -n)
endif()

# The PCI discovery of hwloc, which MPI_Init starts, leaks. Leak checkers should report our own leaks only.
set(echelon_mpi_environment HWLOC_COMPONENTS=-pci)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    list(APPEND echelon_mpi_environment ASAN_OPTIONS=detect_leaks=0)  # MPI libraries leak; valgrind tells the owner
endif()

# The target <label>_tests builds only the dependencies of the tests with that label.
function(echelon_counts_as label)
    if(NOT TARGET ${label}_tests)
        add_custom_target(${label}_tests)
    endif()
    if(ARGN)
        add_dependencies(${label}_tests ${ARGN})
    endif()
endfunction()

# The headers of the test framework are precompiled once for all tests.
set(echelon_test_options $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-O1>)  # the time is in the rooms
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND echelon_test_options "SHELL:-Xclang -fno-pch-timestamp")  # ccache finds the objects of another checkout
endif()
if(NOT ECHELON_SMPI)
    file(CONFIGURE OUTPUT test_headers.cpp CONTENT "" @ONLY)
    add_library(echelon_test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp)
    set_target_properties(echelon_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(echelon_test_headers PRIVATE -fPIE ${echelon_test_options})
    target_link_libraries(echelon_test_headers PRIVATE GTest::gtest GTest::gmock)
    target_precompile_headers(echelon_test_headers PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
endif()

function(echelon_test_links name)
    if(TARGET echelon_test_headers)
        target_precompile_headers(${name} REUSE_FROM echelon_test_headers)
    endif()
    target_include_directories(${name} PRIVATE ${echelon_tests_folder})
    target_compile_definitions(${name} PRIVATE ECHELON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_compile_options(${name} PRIVATE ${echelon_test_options})
    target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock)
endfunction()

# A test counts as hanging after this number of seconds, on the slowest and busiest machine. Tests have no
# limits of their own.
set(echelon_hangs 3600)

# echelon_proof_test(name source...): a GoogleTest program of the rooms that know no MPI; label proof.
function(echelon_proof_test name)
    if(ECHELON_SMPI)
        return()  # the other presets prove the same code
    endif()
    add_executable(test_${name} ${ARGN})
    echelon_test_links(test_${name})
    target_link_libraries(test_${name} PRIVATE echelon_estimators GTest::gtest_main)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES LABELS proof TIMEOUT ${echelon_hangs})
    echelon_counts_as(proof test_${name})
endfunction()

# echelon_mpi_test(name ranks source...): a GoogleTest program that mpiexec starts on `ranks` ranks; label
# mpi. Every rank runs every test, hence a test may call collectives. tests/mpi_main.cpp is its main function.
function(echelon_mpi_test name ranks)
    if(ECHELON_SMPI)
        return()
    endif()
    echelon_mpi_program(test_${name} ${echelon_tests_folder}/mpi_main.cpp ${ARGN})
    echelon_test_links(test_${name})
    target_link_libraries(test_${name} PRIVATE -Wl,--no-as-needed echelon_yield -Wl,--as-needed)
    add_test(NAME ${name} COMMAND ${echelon_launch} ${ranks} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${name} PROPERTIES LABELS mpi TIMEOUT ${echelon_hangs} ENVIRONMENT "${echelon_mpi_environment}")
    echelon_counts_as(mpi test_${name})
endfunction()

# echelon_smpi_test(name ranks source...): like echelon_mpi_test, on simulated ranks in virtual time; label
# smpi.
function(echelon_smpi_test name ranks)
    if(NOT ECHELON_SMPI)
        return()
    endif()
    echelon_mpi_program(test_${name} ${echelon_tests_folder}/mpi_main.cpp ${ARGN})
    echelon_test_links(test_${name})
    add_test(NAME ${name} COMMAND ${echelon_launch} ${ranks} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${name} PROPERTIES LABELS smpi TIMEOUT ${echelon_hangs})
    echelon_counts_as(smpi test_${name})
endfunction()

# echelon_script_test(name script label target...): a bash or Python script that needs these targets. It runs
# in the build folder, which contains bin/ and lib/. Its environment: TEST_SOURCE, TEST_BUILD, TEST_VERSION,
# TEST_MPI (mpich, openmpi, smpi), TEST_MPIEXEC (the launcher with its options; the number of ranks and the
# program follow) and TEST_YIELD (libyield.so, to preload if ranks share cores; else empty).
function(echelon_script_test name script label)
    if(ECHELON_SMPI AND NOT label STREQUAL smpi OR label STREQUAL smpi AND NOT ECHELON_SMPI)
        return()
    endif()
    set(interpreter bash)
    if(script MATCHES "\\.py$")
        set(interpreter python3)
    endif()
    add_test(NAME ${name} COMMAND ${interpreter} ${CMAKE_CURRENT_SOURCE_DIR}/${script} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    string(REPLACE ";" " " launch "${echelon_launch}")
    set(yield $<$<TARGET_EXISTS:echelon_yield>:$<TARGET_FILE:echelon_yield>>)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")  # asan must be loaded first
        execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        set(yield ${asan}:${yield})
    endif()
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${echelon_hangs} ENVIRONMENT "${echelon_mpi_environment};\
TEST_SOURCE=${PROJECT_SOURCE_DIR};TEST_BUILD=${PROJECT_BINARY_DIR};TEST_VERSION=${PROJECT_VERSION};TEST_MPI=${echelon_mpi_name};\
TEST_MPIEXEC=${launch};TEST_YIELD=${yield}")
    echelon_counts_as(${label} ${ARGN})
endfunction()

# echelon_alone(test...): no other test runs beside these, because their ranks spin while they wait.
function(echelon_alone)
    foreach(test ${ARGN})
        if(TEST ${test})
            set_property(TEST ${test} PROPERTY RUN_SERIAL ON)
        endif()
    endforeach()
endfunction()

# echelon_thorough(mpi test...): on that library (mpich, openmpi, smpi; all) these tests take long and find
# few defects that the others do not. They get the label thorough, for `scripts/test --thorough`.
function(echelon_thorough mpi)
    if(NOT mpi STREQUAL all AND NOT mpi STREQUAL echelon_mpi_name)
        return()
    endif()
    foreach(test ${ARGN})
        if(TEST ${test})
            set_property(TEST ${test} APPEND PROPERTY LABELS thorough)
        endif()
    endforeach()
endfunction()
