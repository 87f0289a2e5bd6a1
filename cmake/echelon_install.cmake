# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: libraries, public headers, programs, a CMake package and a pkg-config file
# (docs/install.md). Simulated programs run from the build folder and are not installed.
if(ECHELON_SMPI)
    return()
endif()
include(CMakePackageConfigHelpers)

# Files that depend on an MPI have a folder of that MPI; several MPIs can share one prefix.
set_target_properties(echelon_any_mpi PROPERTIES EXPORT_NAME mpi)
install(TARGETS echelon echelon_static echelon_any_mpi EXPORT echelon-targets
        LIBRARY DESTINATION ${echelon_mpi_folder} ARCHIVE DESTINATION ${echelon_mpi_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/api/include/ ${PROJECT_BINARY_DIR}/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# find_package(echelon)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/echelon)
install(EXPORT echelon-targets NAMESPACE echelon:: DESTINATION ${package_folder}/${ECHELON_MPI_NAME})
configure_file(${CMAKE_CURRENT_LIST_DIR}/echelon-mpi.cmake.in ${PROJECT_BINARY_DIR}/echelon-mpi.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/echelon-mpi.cmake DESTINATION ${package_folder}/${ECHELON_MPI_NAME})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/echelon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/echelon-config.cmake ${PROJECT_BINARY_DIR}/echelon-config-version.cmake
        DESTINATION ${package_folder})

# pkg-config echelon-mpich: the flags name the MPI explicitly; the plain compiler serves as well as MPI's
# wrapper.
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE mpi_cflags)
list(APPEND mpi_cflags -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
list(JOIN mpi_cflags " " mpi_cflags)
list(JOIN echelon_mpi_libraries " " mpi_libraries)
list(JOIN hwloc_LINK_LIBRARIES " " hwloc_libraries)
list(JOIN zlib_LINK_LIBRARIES " " zlib_libraries)
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/echelon.pc.in ${PROJECT_BINARY_DIR}/echelon-${ECHELON_MPI_NAME}.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/echelon-${ECHELON_MPI_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# A module file for Environment Modules and Lmod. It selects no MPI; the tool `echelon` does.
set(module_folder ${CMAKE_INSTALL_DATADIR}/modulefiles/echelon)
file(RELATIVE_PATH prefix_from_module /${module_folder} /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/echelon.modulefile.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${module_folder} RENAME ${PROJECT_VERSION})

# Documents, the schema of profiles, completion for bash, and manual pages if help2man is installed.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/docs/profile.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/echelon)
if(ECHELON_PROGRAMS)
    foreach(program echelon echelon-bench echelon-calibrate)
        install(FILES ${CMAKE_CURRENT_LIST_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program})
    endforeach()
    # Links with these names start the tool as `echelon bench` and `echelon calibrate`.
    foreach(program echelon-bench echelon-calibrate)
        install(CODE "
            set(link \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${program}\")
            file(CREATE_LINK echelon \"\$ENV{DESTDIR}\${link}\" SYMBOLIC)
            list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${link}\")")
    endforeach()
    # Profiles of measured machines, for use by name: the data do not identify processor and network.
    install(CODE "
        file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/profiles)
        foreach(machine leonardo lumi)
            execute_process(COMMAND ${PROJECT_BINARY_DIR}/bin/echelon fit ${PROJECT_SOURCE_DIR}/bench/data/supercomputers.csv
                            --machine \${machine} -o ${PROJECT_BINARY_DIR}/profiles/\${machine}.json
                            OUTPUT_QUIET ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
        endforeach()")
    install(FILES ${PROJECT_BINARY_DIR}/profiles/leonardo.json ${PROJECT_BINARY_DIR}/profiles/lumi.json DESTINATION ${CMAKE_INSTALL_DATADIR}/echelon/profiles)
    install(FILES ${PROJECT_SOURCE_DIR}/bench/data/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME profiles.md)  # with their licence
    find_program(ECHELON_HELP2MAN help2man)
    if(ECHELON_HELP2MAN)
        install(CODE "
            set(pages \"${PROJECT_BINARY_DIR}/man\")
            file(REMOVE_RECURSE \${pages})
            execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/manuals.sh ${PROJECT_BINARY_DIR}/bin \${pages} ${PROJECT_VERSION})
            file(GLOB made \${pages}/*.1)
            file(INSTALL \${made} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")")
    endif()
endif()

if(echelon_is_top)
    add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -Dmanifest=${PROJECT_BINARY_DIR}/install_manifest.txt -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake)
endif()
