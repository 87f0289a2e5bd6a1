# SPDX-License-Identifier: Apache-2.0

# echelon_room(name [FOLDERS folder...] LINKS target...): the static library `echelon_<name>` of all *.cpp files of this folder
# and of these in it. A room of headers alone is an interface library.
function(echelon_room name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;LINKS")
    set(room echelon_${name})
    list(TRANSFORM arg_FOLDERS APPEND /*.cpp)
    file(GLOB sources CONFIGURE_DEPENDS *.cpp ${arg_FOLDERS})
    if(sources)
        add_library(${room} STATIC ${sources})
        set(scope PUBLIC)
        set_property(GLOBAL APPEND PROPERTY ECHELON_ROOMS ${room})
    else()
        add_library(${room} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(${room} ${scope} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${room} ${scope} ${arg_LINKS})
endfunction()
