# SPDX-License-Identifier: Apache-2.0

# echelon_program(name source...): a program that needs no MPI, made of the rooms that know none.
function(echelon_program name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE echelon_estimators echelon_options)
endfunction()

# Links a program for mpiexec or smpirun.
function(echelon_link_mpi name)
    target_link_libraries(${name} PRIVATE echelon_any_mpi)
    if(ECHELON_SMPI)
        # smpirun loads programs as shared objects and looks up main in them. A private libsupc++ gives each
        # rank its own stack of caught exceptions: an MPI call inside a catch block switches to another rank.
        set_target_properties(${name} PROPERTIES
            C_VISIBILITY_PRESET default
            CXX_VISIBILITY_PRESET default
            POSITION_INDEPENDENT_CODE OFF)  # it would mean -fPIE
        target_compile_options(${name} PRIVATE -fPIC)
        target_link_options(${name} PRIVATE -shared -Wl,-z,defs)
        target_link_libraries(${name} PRIVATE ${ECHELON_SIMGRID_LIBRARY} -Wl,-Bstatic -lsupc++ -Wl,-Bdynamic)
    endif()
endfunction()

# echelon_mpi_program(name source...): a program for mpiexec or smpirun that uses Echelon. Programs named
# echelon-* are for users: they are installed, and the tool calls them (`echelon bench` runs echelon-bench).
function(echelon_mpi_program name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE echelon_api)
    echelon_link_mpi(${name})
    if(name MATCHES "^echelon-" AND NOT ECHELON_SMPI)
        install(TARGETS ${name} RUNTIME DESTINATION ${echelon_mpi_folder}/bin)
    endif()
endfunction()

# echelon_example(name source... LINKS library...): an application without knowledge of Echelon. LD_PRELOAD
# does not work for simulated ranks: <name>_drop_in is the same program linked with the drop-in names.
function(echelon_example name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE ${arg_LINKS} echelon_examples)
    echelon_link_mpi(${name})
    if(ECHELON_SMPI AND NOT name MATCHES "_drop_in$")
        echelon_example(${name}_drop_in ${arg_UNPARSED_ARGUMENTS} $<TARGET_OBJECTS:echelon_drop_in> $<TARGET_OBJECTS:echelon_api>
                        LINKS ${arg_LINKS} echelon_measure)
    endif()
endfunction()
