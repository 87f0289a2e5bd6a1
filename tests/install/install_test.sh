#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a fresh folder, moves that folder, and builds a user's programs against it: by find_package
# and by pkg-config, with the shared and the static library. Each must run on two ranks. Two MPIs in one
# folder stay apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "FAILED: $1"
    exit 1
}
runs() {  # program
    # shellcheck disable=SC2086  # launcher and options are several words
    output=$($TEST_MPIEXEC 2 "$1") || fail "$1 does not run: $output"
    [ "$output" = "echelon $TEST_VERSION: ring gives the right sum" ] || fail "$1 prints: $output"
    echo "$1: $output"
}

cmake --install "$TEST_BUILD" --prefix "$folder/first" >install.log
mv first prefix
library=$(dirname "$(find prefix -name libechelon.so)")
[ "$(basename "$library")" = "$TEST_MPI" ] || fail "the library is in $library, not in a folder of its MPI"

echo "find_package"
cmake -G Ninja -S "$TEST_SOURCE/tests/install/consumer" -B by_cmake -DCMAKE_PREFIX_PATH="$folder/prefix" >cmake.log ||
    { cat cmake.log; fail "the package is not found"; }
cmake --build by_cmake >build.log || { cat build.log; fail "the programs do not build"; }
runs by_cmake/uses_shared
runs by_cmake/uses_static
grep -q libechelon <<<"$(ldd by_cmake/uses_static)" && fail "the static program needs the shared library"

echo "pkg-config"
export PKG_CONFIG_PATH="$folder/$library/../../pkgconfig"
version=$(pkg-config --modversion "echelon-$TEST_MPI")
[ "$version" = "$TEST_VERSION" ] || fail "pkg-config says version $version"
# shellcheck disable=SC2046  # flags are several words
g++ -std=c++20 "$TEST_SOURCE/tests/install/consumer/main.cpp" $(pkg-config --cflags --libs "echelon-$TEST_MPI") -o by_pkg_config
runs ./by_pkg_config

echo "only marked symbols are exported"
hidden=$(nm -DC --defined-only "$library/libechelon.so" | grep -v ' [VWu] ' | awk '{print $3}' | grep -vE '^(echelon)' || true)
[ -z "$hidden" ] || fail "libechelon.so exports $hidden"
grep -q echelon_version <<<"$(nm -DC --defined-only "$library/libechelon.so")" || fail "echelon_version is not exported"

echo "what to read"
for file in share/doc/echelon/LICENSE share/doc/echelon/docs/drop_in.md share/echelon/profile.schema.json share/bash-completion/completions/echelon; do
    [ -s "prefix/$file" ] || fail "$file is not installed"
done
# Plays Environment Modules or Lmod with the module file.
tclsh /dev/stdin "prefix/share/modulefiles/echelon/$TEST_VERSION" >module.log 2>&1 <<'TCL' || fail "the module file: $(cat module.log)"
set ModulesCurrentModulefile [lindex $argv 0]
proc module-whatis {text} {}
proc conflict {name} {}
proc prepend-path {variable path} { puts "$variable $path" }
source $ModulesCurrentModulefile
TCL
while read -r variable path; do
    [ -d "$path" ] && [[ $path == "$folder"/prefix* ]] || fail "the module file sets $variable to $path"
done <module.log
[ "$(cut -d ' ' -f 1 module.log | xargs)" = "PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH" ] || fail "the module file sets $(cat module.log)"
if [ -x prefix/bin/echelon ]; then
    [ "$(prefix/bin/echelon map --version)" = "echelon $TEST_VERSION" ] || fail "a subcommand does not know its version"
    completed() {  # words of a command line: what bash proposes for the last one
        bash -c '. prefix/share/bash-completion/completions/echelon; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _echelon "$1" "${!#}"; echo "${COMPREPLY[*]}"' - prefix/bin/echelon "$@"
    }
    [ "$(completed ma)" = map ] && [ "$(completed map --ranks-p)" = --ranks-per-node ] || fail "bash completes $(completed ma), $(completed map --ranks-p)"
    # The programs that are bound to an MPI, by their names and as subcommands.
    for program in "echelon bench" echelon-bench; do
        # shellcheck disable=SC2086  # launcher and options are several words
        measured=$($TEST_MPIEXEC 2 "prefix/bin/"$program --collectives barrier --repetitions 1 2>&1) || fail "$program does not run: $measured"
        grep -q "native$" <<<"$measured" || fail "$program prints: $measured"
    done
    grep -q -- --crowded <<<"$(prefix/bin/echelon calibrate --help)" || fail "echelon calibrate has no help"
    # The parts in Python; without programs for a simulator they report the missing part.
    [ "$(prefix/bin/echelon compare --dry-run | grep -c allreduce)" -eq 6 ] || fail "echelon compare draws $(prefix/bin/echelon compare --dry-run 2>&1)"
    code=0
    said=$(prefix/bin/echelon compare 2>&1) || code=$?
    [ $code -eq 2 ] && [[ $said == "echelon compare: needs "*SimGrid* ]] && [ "$(wc -l <<<"$said")" -eq 1 ] || fail "echelon compare ends with $code, says $said"
    grep -q "measured  *native" <<<"$(prefix/bin/echelon explain --profile prefix/share/echelon/profiles/lumi.json --layout 16x1 -c allreduce -b 64K)" || fail "the profile of LUMI knows no measurement"
    [ -s prefix/share/echelon/profiles/leonardo.json ] || fail "the profile of Leonardo is not installed"
    profiles=$(dirname "$library")/profile.d
    mkdir "$profiles"
    echo '{"echelon_profile": 1, "rules": [{"collective": "allreduce", "recipe": "ring"}]}' >"$profiles/all.json"
    listed=$(XDG_CONFIG_HOME=/nowhere prefix/bin/echelon profiles) && grep -q "^  all.json: taken by programs of" <<<"$listed" || fail "the installation's profile is not listed: $listed"
    # The drop-in library and a program find the profile in the installation.
    printf '#include <mpi.h>\nint main(void) { int one = 1, sum; MPI_Init(0, 0); MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); return MPI_Finalize(); }\n' >sum.c
    "mpicc.$TEST_MPI" sum.c -o sum
    # shellcheck disable=SC2086  # launcher and options are several words
    XDG_CONFIG_HOME=/nowhere prefix/bin/echelon run --summary=json:summary.json -- $TEST_MPIEXEC 2 ./sum && grep -q '"source": *"profile_rule"' summary.json || fail "the drop-in library goes without the installation's profile: $(cat summary.json)"
    # shellcheck disable=SC2086  # launcher and options are several words
    XDG_CONFIG_HOME=/nowhere $TEST_MPIEXEC 2 "$library/bin/echelon-bench" --collectives allreduce --bytes 1K --recipes auto --repetitions 2 --json bench.json >bench.log 2>&1 && grep -q '"source": *"profile_rule"' bench.json || fail "a program goes without the installation's profile: $(cat bench.log)"
    # shellcheck disable=SC2086  # launcher and options are several words
    XDG_CONFIG_HOME=/nowhere ECHELON_SUMMARY=json:site.json LD_PRELOAD=$folder/prefix/lib/echelon/libechelon-preload.so $TEST_MPIEXEC 2 ./sum && grep -q '"source": *"profile_rule"' site.json || fail "the library for a whole site finds no drop-in library"
    rm -r "$profiles"
    if command -v help2man >/dev/null; then
        grep -q '^\.SH SYNOPSIS' prefix/share/man/man1/echelon-map.1 && grep -q 'ranks.-per.-node' prefix/share/man/man1/echelon-map.1 || fail "the manual page of map lacks its options"
        for section in 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
            grep -q "^\.SH \"*$section" prefix/share/man/man1/echelon-run.1 || fail "the manual page of run lacks $section"
        done
        ! man --warnings -l prefix/share/man/man1/*.1 2>&1 >/dev/null | grep . || fail "manual pages have warnings"
    fi
fi

other=$TEST_SOURCE/build/$([ "$TEST_MPI" = mpich ] && echo openmpi || echo release)
if [ -x prefix/bin/echelon ] && [ -e "$other/bin/echelon-calibrate" ] && [ -e "$other/lib/libechelon.a" ]; then
    echo "two MPIs"
    cmake --install "$other" --prefix "$folder/prefix" >install.log
    prefix/bin/echelon bench 2>one_rank && fail "without a launcher, an MPI is picked for two"
    grep -q "or name one first, as --mpi mpich" one_rank || fail "without a launcher: $(cat one_rank)"
    for mpi in mpich openmpi; do
        grep -q "$([ $mpi = mpich ] && echo MPICH || echo 'Open MPI')" <<<"$(prefix/bin/echelon bench --mpi $mpi --version)" || fail "--mpi $mpi runs another"
        cmake -G Ninja -S "$TEST_SOURCE/tests/install/consumer" -B "for_$mpi" -DCMAKE_PREFIX_PATH="$folder/prefix" -DWANTED=$mpi >cmake.log ||
            { cat cmake.log; fail "the component $mpi is not found"; }
        cmake --build "for_$mpi" >build.log || { cat build.log; fail "the programs for $mpi do not build"; }
        grep -q "$([ $mpi = mpich ] && echo libmpich || echo 'libmpi\.so')" <<<"$(ldd "for_$mpi/uses_shared")" || fail "the component $mpi brings another MPI"
        # The MPI of the C compiler was taken where C and C++ had different ones.
        cmake -G Ninja -S "$TEST_SOURCE/tests/install/consumer" -B "cxx_$mpi" -DCMAKE_PREFIX_PATH="$folder/prefix" -DMPI_CXX_COMPILER="mpicxx.$mpi" >cmake.log && cmake --build "cxx_$mpi" >build.log || { cat cmake.log build.log; fail "the MPI of C++ is not found"; }
        grep -q "echelon/$mpi/libechelon" <<<"$(ldd "cxx_$mpi/uses_shared")" || fail "a project with the C++ compiler of $mpi gets another MPI"
    done
    cmake -S "$TEST_SOURCE/tests/install/consumer" -B for_none -DCMAKE_PREFIX_PATH="$folder/prefix" -DWANTED=cray >cmake.log 2>&1 &&
        fail "a component that is not installed is found"
    grep -q "installed here for mpich and openmpi" cmake.log || fail "a component that is not there: $(cat cmake.log)"
fi

echo "uninstalled"
cmake --install "$TEST_BUILD" --prefix "$folder/third" >install.log
touch third/bin/of_another
uninstall() {
    cmake -Dmanifest="$TEST_BUILD/install_manifest.txt" -P "$TEST_SOURCE/cmake/uninstall.cmake" >uninstall.log 2>&1 || { cat uninstall.log; fail "it is not uninstalled"; }
}
# If two MPIs share a folder, uninstalling one removed the tool that the other needs.
mkdir third/lib/echelon/another
touch third/lib/echelon/another/libechelon-pmpi.so
uninstall
[ -x third/bin/echelon ] && [ -e third/lib/echelon/libechelon-preload.so ] || fail "what another MPI needs is gone"
[ ! -e "third/lib/echelon/$TEST_MPI" ] && [ ! -e "third/lib/pkgconfig/echelon-$TEST_MPI.pc" ] && [ ! -e "third/lib/cmake/echelon/$TEST_MPI" ] ||
    fail "something of $TEST_MPI stays"
rm -r third/lib/echelon/another
uninstall
[ "$(find third -type f)" = third/bin/of_another ] || fail "something is left, or too little: $(find third -type f)"
