# SPDX-License-Identifier: Apache-2.0
# The randomised differential tester is a plain MPI program; scripts/fuzz preloads the drop-in library. It
# uses the catalog and the grammar of recipes of Echelon.
if(NOT ECHELON_SMPI)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
    add_executable(fuzz ${sources})
    target_include_directories(fuzz PRIVATE ${echelon_tests_folder} ${PROJECT_SOURCE_DIR}/src/api/include ${PROJECT_BINARY_DIR}/include)
    target_link_libraries(fuzz PRIVATE echelon_hier echelon_any_mpi ${CMAKE_DL_LIBS})
endif()
echelon_script_test(fuzz fuzz/fuzz_test.sh mpi fuzz echelon_pmpi echelon_yield)
echelon_script_test(library_defects fuzz/library_defects_test.sh mpi)
echelon_thorough(all library_defects)
