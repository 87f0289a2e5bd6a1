# SPDX-License-Identifier: Apache-2.0
# Tests that take long for what they find beyond the others; label thorough: `scripts/test --thorough` runs them, too.

set(thorough endurance figures killed_calibration library_defects mpich_suite)
if(MPIEXEC_EXECUTABLE MATCHES openmpi)
    # What they test hardly knows the MPI library: they run with MPICH.
    list(APPEND thorough bench cluster drop_in_profiles drop_in_shm drop_in_summary examples install presence profile_choice scripts three_ways)
endif()
if(ECHELON_SMPI)
    list(APPEND thorough guard learn)
endif()
foreach(test ${thorough})
    if(TEST ${test})
        set_property(TEST ${test} APPEND PROPERTY LABELS thorough)
    endif()
endforeach()
