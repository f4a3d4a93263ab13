# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# PCIO_LIBRARY_NAMES: what files are called and where those are that only building programs needs.
#
# LIBRARY_SUFFIX stands in file names and SONAMEs: an MPI_Comm is a pointer in one MPI library and a number in another, so a
# program must never be given the libpcio of another MPI library than it was built with. The linker's names have no suffix.
# linkdir: for the linker's names, pkg-config's and CMake's files; its default is libdir.
# SYSTEM_LIBRARY_FOLDERS: where the dynamic loader looks without being told; PREFIX_RPATH: whether libdir is none of them,
# HDF5_PC_RPATH: the flag for it.
AC_DEFUN([PCIO_LIBRARY_NAMES], [
AC_REQUIRE([LT_INIT])
AS_CASE([$MPI_FLAVOR], [openmpi], [LIBRARY_SUFFIX=], [LIBRARY_SUFFIX=_$MPI_FLAVOR])
AS_IF([test -n "$LIBRARY_SUFFIX"], [
  pcio_name='s/[[$]]libname[[$]]release/${libname}'$LIBRARY_SUFFIX'$release/g'
  library_names_spec=`AS_ECHO(["$library_names_spec"]) | sed "$pcio_name"`
  soname_spec=`AS_ECHO(["$soname_spec"]) | sed "$pcio_name"`
])
AC_SUBST([LIBRARY_SUFFIX])
AC_DEFINE_UNQUOTED([PCIO_SHIM_FOLDER], ["libpcio$LIBRARY_SUFFIX"],
  [The folder, beside the library, of the shim for filter plugins])

linkdir='${libdir}'
AS_CASE([$with_link_folder],
  [auto|yes|no], [],
  [/*], [linkdir=$with_link_folder],
  [AC_MSG_ERROR([--with-link-folder takes an absolute path])])
AC_SUBST([linkdir])

# Not asked of this machine, so that a package is the same wherever it is built. /usr/local is left out: the loader looks there
# only after ldconfig has.
SYSTEM_LIBRARY_FOLDERS="/lib /usr/lib /lib64 /usr/lib64"
pcio_multiarch=`$CC -print-multiarch 2>/dev/null`
AS_IF([test -n "$pcio_multiarch"],
  [AS_VAR_APPEND([SYSTEM_LIBRARY_FOLDERS], [" /lib/$pcio_multiarch /usr/lib/$pcio_multiarch"])])
AC_SUBST([SYSTEM_LIBRARY_FOLDERS])
pcio_expand() (
  test "x$prefix" != xNONE || prefix=$ac_default_prefix
  test "x$exec_prefix" != xNONE || exec_prefix=$prefix
  pcio_value=$[]1
  for pcio_turn in 1 2 3; do eval "pcio_value=\"$pcio_value\""; done
  AS_ECHO(["$pcio_value"])
)
pcio_libdir=`pcio_expand "$libdir"`
PREFIX_RPATH=yes
for pcio_folder in $SYSTEM_LIBRARY_FOLDERS; do
  AS_IF([test "$pcio_libdir" = "$pcio_folder"], [PREFIX_RPATH=no])
done
AS_IF([test $PREFIX_RPATH = yes], [HDF5_PC_RPATH='-Wl,-rpath,${libdir}'], [HDF5_PC_RPATH=])
# For find_package(libpcio): where the headers are, and the way there from the folder of the linker's names.
PCIO_CMAKE_INCLUDEDIR=`pcio_expand "$includedir"`
pcio_linkdir=`pcio_expand "$linkdir"`
PCIO_CMAKE_WAY=`realpath -m --relative-to="$pcio_linkdir" "$PCIO_CMAKE_INCLUDEDIR" 2>/dev/null || echo ../include`
PCIO_CMAKE_INCLUDEDIR=$PCIO_CMAKE_INCLUDEDIR/pcio
AC_SUBST([PCIO_CMAKE_INCLUDEDIR])
AC_SUBST([PCIO_CMAKE_WAY])
AC_SUBST([PREFIX_RPATH])
AC_SUBST([HDF5_PC_RPATH])
])
