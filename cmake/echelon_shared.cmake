# SPDX-License-Identifier: Apache-2.0

# echelon_shared(name source...): a shared library with the public API. It takes only the parts of the rooms
# that serve calls: no checker, no pictures, no lint.
function(echelon_shared name)
    add_library(${name} SHARED ${ARGN} $<TARGET_OBJECTS:echelon_api>)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_options(${name} PRIVATE -Wl,--gc-sections)
    target_link_libraries(${name} PRIVATE echelon_measure ${hwloc_LINK_LIBRARIES} ${zlib_LINK_LIBRARIES} ${CMAKE_DL_LIBS})
    if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # sanitizers look for their own names
        set(exported ${PROJECT_SOURCE_DIR}/cmake/exported.map)
        target_link_options(${name} PRIVATE -Wl,--version-script=${exported})
        set_target_properties(${name} PROPERTIES LINK_DEPENDS ${exported})
    endif()
endfunction()
