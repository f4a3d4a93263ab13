# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Spack: libpcio, with any MPI library that Spack has."""
from spack.package import *


class Libpcio(AutotoolsPackage):
    """Parallel I/O on real HDF5 files with HDF5's own C and Fortran API: fast collective I/O on chunked
    datasets over MPI-IO, an account of what each transfer did, no hangs and no lost data."""

    homepage = "https://libpcio.example.org/"
    url = "https://libpcio.example.org/releases/libpcio-0.1.0.tar.xz"
    git = "https://libpcio.example.org/libpcio.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("fortran", default=True, description="Fortran modules")
    variant("tools", default=True, description="pcioinfo, pciorecover, pcio-run and other tools")
    variant("dropin", default=True, description="libraries of libhdf5's names for programs that are not built again")
    variant("isal", default=True, description="deflate at level 1 by ISA-L")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("mpi")
    depends_on("libdeflate")
    depends_on("libaec")
    depends_on("isa-l", when="+isal")
    depends_on("fmt", when="+tools")
    depends_on("cli11", type="build", when="+tools")
    depends_on("nlohmann-json", type="build", when="+tools")
    depends_on("tl-expected", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("autoconf", type="build", when="@main")
    depends_on("automake", type="build", when="@main")
    depends_on("libtool", type="build", when="@main")
    depends_on("python@3:", type="build", when="@main")

    conflicts("%gcc@:11", msg="a C++20 compiler is needed")
    conflicts("%clang@:13", msg="a C++20 compiler is needed")
    # ISA-L is for these processors only.
    for machine in ("ppc64le", "riscv64"):
        conflicts("+isal", when=f"target={machine}:")

    def autoreconf(self, spec, prefix):
        Executable("tools/autogen")()

    def configure_args(self):
        args = [
            f"--with-mpi={self.spec['mpi'].mpicc}",
            "--enable-unity",
            "--without-corpus",
            # Where packages are built no ranks can be started.
            "--with-complex-derived-datatypes=yes",
            "--with-special-collective-io=yes",
        ]
        args += self.enable_or_disable("fortran")
        args += self.with_or_without("isal")
        # The drop-ins stand for Debian's libhdf5 with Open MPI, so that only that one can have them.
        if self.spec.satisfies("~dropin"):
            args.append("--disable-dropin")
        return args

    @property
    def libs(self):
        return find_libraries(["libpcio_hl", "libpcio"], root=self.prefix, recursive=True)
