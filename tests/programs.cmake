# SPDX-License-Identifier: Apache-2.0
# The programs of bench/ and apps/, and the documents that show them at work.

foreach(idea operand broad_list bench_options)
    echelon_proof_test(${idea} ${idea}_test.cpp)
endforeach()
foreach(idea rank_commands elf_file)
    echelon_proof_test(${idea} ${idea}_test.cpp)
endforeach()
if(NOT ECHELON_SMPI)
    foreach(idea operand broad_list bench_options)
        target_link_libraries(test_${idea} PRIVATE echelon_bench_values)
    endforeach()
    foreach(idea rank_commands elf_file)
        target_link_libraries(test_${idea} PRIVATE echelon_launch)
    endforeach()
endif()

echelon_script_test(profile_choice profile_test.sh mpi echelon-bench echelon-calibrate echelon_tool echelon_yield)
echelon_script_test(regret regret_test.sh smpi echelon-bench)
echelon_script_test(bench bench_test.sh mpi echelon-bench echelon_yield)
echelon_script_test(bench bench_smpi_test.sh smpi echelon-bench)

echelon_proof_test(example_numerics cg_test.cpp sgd_test.cpp kmeans_test.cpp)
echelon_mpi_test(summa 4 summa_test.cpp)
echelon_smpi_test(summa 12 summa_test.cpp)
target_link_libraries(test_summa PRIVATE echelon_summa)
echelon_script_test(three_ways three_ways_test.sh mpi summa hsumma summa_tuned echelon_pmpi echelon_yield)
echelon_script_test(three_ways three_ways_test.sh smpi summa hsumma summa_tuned summa_drop_in hsumma_drop_in)
echelon_script_test(examples examples_test.sh mpi cg sgd sgd_tuned kmeans echelon_pmpi echelon_yield)
echelon_script_test(examples examples_test.sh smpi cg sgd sgd_tuned kmeans cg_drop_in sgd_drop_in kmeans_drop_in)

echelon_script_test(simulate simulate_test.sh docs echelon_tool)
echelon_script_test(catalog_doc catalog_doc_test.sh docs echelon_tool)
echelon_script_test(settings_doc settings_doc_test.sh docs echelon_tool)
if(MPIEXEC_EXECUTABLE MATCHES mpich)
    echelon_script_test(shown_commands shown_commands_test.sh docs echelon_tool echelon echelon_pmpi echelon-bench echelon-calibrate
                        bench_local_reduction echelon_yield summa summa_tuned)
endif()
