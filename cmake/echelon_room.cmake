# SPDX-License-Identifier: Apache-2.0

# echelon_room(name [FOLDERS folder...] LINKS target...): the static library `echelon_<name>` of all *.cpp
# files of this folder and of the given subfolders. A room of headers alone is an interface library.
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
    if(arg_FOLDERS AND sources)  # one unity build per folder, if unity builds are on
        set_target_properties(${room} PROPERTIES UNITY_BUILD_MODE GROUP)
        foreach(source ${sources})
            cmake_path(GET source PARENT_PATH folder)
            cmake_path(GET folder FILENAME folder)
            set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
        endforeach()
    endif()
    target_include_directories(${room} ${scope} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${room} ${scope} ${arg_LINKS})
endfunction()
