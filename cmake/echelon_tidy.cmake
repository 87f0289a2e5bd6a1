# SPDX-License-Identifier: Apache-2.0
# Targets `format` (rewrites), `format-check` and `clang-tidy` over all sources that git knows. The test `tidy`
# checks the format too.
find_program(CLANG_FORMAT NAMES clang-format clang-format-14)
find_program(CLANG_TIDY NAMES clang-tidy clang-tidy-14)
set(all_sources git -C ${PROJECT_SOURCE_DIR} ls-files -z --cached --others --exclude-standard --)
list(JOIN all_sources " " all_sources)

if(CLANG_FORMAT)
    set(formatted "${all_sources} '*.cpp' '*.hpp' '*.c' '*.h' | (cd ${PROJECT_SOURCE_DIR} && xargs -0 ${CLANG_FORMAT}")
    add_custom_target(format COMMAND sh -c "${formatted} -i)" VERBATIM)
    add_custom_target(format-check COMMAND sh -c "${formatted} --dry-run -Werror)" VERBATIM)
endif()
if(CLANG_TIDY)
    add_custom_target(clang-tidy VERBATIM COMMAND sh -c
        "${all_sources} '*.cpp' ':!tests/install' | (cd ${PROJECT_SOURCE_DIR} && xargs -0 -n 1 -P 2 ${CLANG_TIDY} -p ${PROJECT_BINARY_DIR} --quiet)")
endif()
