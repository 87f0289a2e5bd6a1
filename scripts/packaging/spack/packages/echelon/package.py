# SPDX-License-Identifier: Apache-2.0
"""For Spack: `spack repo add scripts/packaging/spack`, then `spack install echelon ^mpich`. It builds the
checkout that contains this file."""
import pathlib

from spack.package import *


class Echelon(CMakePackage):
    """Hierarchical collectives above any MPI, without a change to programs."""

    git = str(pathlib.Path(__file__).resolve().parents[5])
    license("Apache-2.0")

    version("main", branch="main")

    variant("programs", default=True, description="The tool, benchmark and calibration")
    variant("tests", default=False, description="Tests, examples and studies")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build", when="+programs")
    depends_on("python@3:", type="run", when="+programs")
    depends_on("mpi")
    depends_on("hwloc")
    depends_on("nlohmann-json")
    depends_on("zlib-api")
    depends_on("eigen")
    depends_on("boost")
    depends_on("boost+program_options", when="+programs")
    depends_on("fmt", when="+programs")
    depends_on("googletest+gmock", when="+tests")
    depends_on("benchmark", when="+programs+tests")
    depends_on("blas", when="+programs+tests")

    conflicts("%gcc@:11", msg="Echelon needs the C++20 of GCC 12")
    conflicts("%clang@:13", msg="Echelon needs the C++20 of Clang 14")
    conflicts("platform=windows", msg="Echelon preloads shared libraries, which Windows does not")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("ECHELON_PROGRAMS", "programs"),
            self.define_from_variant("ECHELON_TESTS", "tests"),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]

    def test_proof(self):
        """A recipe is proved without MPI."""
        if self.spec.satisfies("~programs"):
            raise SkipTest("the tool is not installed")
        echelon = which(self.prefix.bin.echelon)
        said = echelon("simulate", "-p", "13", "--quiet", "--check", "leaders(sqrt, binomial, ring)", output=str.split)
        assert ": proved" in said

    def test_settings(self):
        """The tool knows its version and settings."""
        if self.spec.satisfies("~programs"):
            raise SkipTest("the tool is not installed")
        echelon = which(self.prefix.bin.echelon)
        assert "ECHELON_ALLREDUCE" in echelon("settings", output=str.split)
