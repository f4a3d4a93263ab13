# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Compilers, flags, libraries, Fortran, test partners.

# PCIO_COMPILERS_BENEATH: where CC, CXX or FC is itself an MPI wrapper, keep the wrapper as the
# answer to "which MPI" and go on with the compiler beneath it: the pure rooms must not see MPI.
AC_DEFUN([PCIO_COMPILERS_BENEATH], [
AC_BEFORE([$0], [AC_PROG_CC])dnl
for pcio_pair in CC:MPICC CXX:MPICXX FC:MPIFC; do
  pcio_var=`AS_ECHO([$pcio_pair]) | sed 's/:.*//'`
  pcio_wrapper_var=`AS_ECHO([$pcio_pair]) | sed 's/.*://'`
  eval pcio_value=\$$pcio_var
  set dummy $pcio_value
  pcio_first=$[2]
  case `AS_ECHO(["$pcio_first"]) | sed 's,.*/,,'` in
  *mpi*)
    pcio_beneath=`$pcio_first -showme:command 2>/dev/null` ||
      pcio_beneath=`$pcio_first -show 2>/dev/null | sed 's/ .*//;q'`
    AS_IF([test -n "$pcio_beneath"], [
      AC_MSG_NOTICE([$pcio_var=$pcio_value is an MPI wrapper: compiling with $pcio_beneath])
      eval "test -n \"\$$pcio_wrapper_var\" || $pcio_wrapper_var=\$pcio_first"
      eval "$pcio_var=\$pcio_beneath"
    ])
    ;;
  esac
done
])

# PCIO_CXX20: the flag that makes CXX a C++20 compiler, in CXXSTD.
AC_DEFUN([PCIO_CXX20], [
AC_LANG_PUSH([C++])
AC_CACHE_CHECK([for the C++20 flag of $CXX], [pcio_cv_cxx20], [
  pcio_cv_cxx20=none
  pcio_save=$CXXFLAGS
  for pcio_flag in -std=c++20 -std=c++2a; do
    CXXFLAGS="$pcio_save $pcio_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <concepts>
#include <span>
#if __cplusplus < 201709L
#error not C++20
#endif
template <class T> concept Small = sizeof(T) <= 8;
template <Small T> T twice(T x) { return x + x; }]], [[int a[2] = {1, 2};
std::span<int> s(a); return twice(s[0]) - 2;]])], [pcio_cv_cxx20=$pcio_flag; break])
  done
  CXXFLAGS=$pcio_save
])
AS_IF([test "$pcio_cv_cxx20" = none], [AC_MSG_ERROR([a C++20 compiler is needed (GCC 12, clang 14)])])
AC_LANG_POP([C++])
CXXSTD=$pcio_cv_cxx20
AC_SUBST([CXXSTD])
])

# PCIO_TRY_FLAG(VARIABLE, FLAG): append FLAG to VARIABLE if the C++ compiler accepts it.
AC_DEFUN([PCIO_TRY_FLAG], [
AC_LANG_PUSH([C++])
AC_MSG_CHECKING([whether $CXX accepts $2])
pcio_save=$CXXFLAGS
CXXFLAGS="$CXXFLAGS $2"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int pcio_flag_probe() { return 0; }]])],
  [AC_MSG_RESULT([yes]); AS_VAR_APPEND([$1], [" $2"])], [AC_MSG_RESULT([no])])
CXXFLAGS=$pcio_save
AC_LANG_POP([C++])
])

# PCIO_LINKER: VERSION_SCRIPT_PREFIX (what to put before the path of the map) and NO_UNDEFINED.
AC_DEFUN([PCIO_LINKER], [
AC_CACHE_CHECK([whether the linker takes a version script], [pcio_cv_version_script], [
  printf 'PCIO_1 { global: pcio_probe; local: *; };\n' > conftest.map
  pcio_save=$LDFLAGS
  LDFLAGS="$LDFLAGS -shared -fPIC -Wl,--version-script=conftest.map"
  AC_LINK_IFELSE([AC_LANG_SOURCE([[int pcio_probe(void) { return 0; }]])],
    [pcio_cv_version_script=yes], [pcio_cv_version_script=no])
  LDFLAGS=$pcio_save
  rm -f conftest.map
])
AM_CONDITIONAL([WITH_VERSION_SCRIPT], [test "$pcio_cv_version_script" = yes])
NO_UNDEFINED=-no-undefined
# A sanitized library leaves its runtime's symbols to the executable.
AS_IF([test "x$SANITIZE_FLAGS" = x], [
  AC_CACHE_CHECK([whether the linker takes -z defs], [pcio_cv_z_defs], [
    pcio_save=$LDFLAGS
    LDFLAGS="$LDFLAGS -Wl,-z,defs"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [pcio_cv_z_defs=yes], [pcio_cv_z_defs=no])
    LDFLAGS=$pcio_save
  ])
  AS_IF([test "$pcio_cv_z_defs" = yes], [NO_UNDEFINED="-no-undefined -Wl,-z,defs"])
])
AC_SUBST([NO_UNDEFINED])
])

# PCIO_REQUIRE_HEADER(HEADER, DEBIAN-PACKAGE)
AC_DEFUN([PCIO_REQUIRE_HEADER], [
AC_CHECK_HEADER([$1], [], [AC_MSG_ERROR([<$1> is needed (Debian: $2)])])
])

# PCIO_REQUIRE_LIB(PREFIX, PKG-CONFIG-MODULE, HEADER, FUNCTION, LIBRARY, DEBIAN-PACKAGE)
AC_DEFUN([PCIO_REQUIRE_LIB], [
PKG_CHECK_MODULES([$1], [$2], [], [
  AC_CHECK_HEADER([$3], [], [AC_MSG_ERROR([<$3> is needed (Debian: $6)])])
  pcio_save=$LIBS
  AC_CHECK_LIB([$5], [$4], [], [AC_MSG_ERROR([lib$5 is needed (Debian: $6)])])
  LIBS=$pcio_save
  $1_CFLAGS=
  $1_LIBS=-l$5
])
])

# PCIO_ISAL: ISA-L where it is there and not refused; there is none for many processors.
AC_DEFUN([PCIO_ISAL], [
have_isal=no
AS_IF([test "x$with_isal" != xno], [
  PKG_CHECK_MODULES([ISAL], [libisal], [have_isal=yes], [
    AC_CHECK_HEADER([isa-l/igzip_lib.h], [
      pcio_save=$LIBS
      AC_CHECK_LIB([isal], [isal_deflate_stateless], [have_isal=yes; ISAL_LIBS=-lisal])
      LIBS=$pcio_save
    ])
  ])
])
AS_IF([test $have_isal = yes],
  [AC_DEFINE([HAVE_ISAL], [1], [Define to 1 if ISA-L is there and shall be used])],
  [test "x$with_isal" = xyes],
  [AC_MSG_ERROR([--with-isal was given, but there is no libisal (Debian: libisal-dev)])])
AS_IF([test $have_isal = yes], [deflate_fast_how=ISA-L], [deflate_fast_how=libdeflate])
])

# PCIO_FORTRAN: sets enable_fortran to yes or no, and fortran_uses_mpi: MPI's module files may be another compiler's;
# FC_MODOUT is the flag that places modules, FC_KIND_FLAGS says which
# types there are, FC_NAME is the compiler in names of folders. fortran_beside says that only its own modules are to be
# installed, beside a libpcio that is.
AC_DEFUN([PCIO_FORTRAN], [
fortran_beside=no
AS_IF([test "x$enable_fortran" = xbeside], [fortran_beside=yes enable_fortran=yes])
pcio_fortran_asked=$enable_fortran
FC_NAME=
FC_MODOUT=
FC_KIND_FLAGS=
FC_WARN_FLAGS=
fortran_uses_mpi=no
AS_IF([test "x$enable_fortran" != xno], [
  AS_IF([test -z "$FC"], [enable_fortran=no], [
    AC_LANG_PUSH([Fortran])
    AC_FC_PP_SRCEXT([F90], [enable_fortran=yes], [enable_fortran=no])
    AS_IF([test "$enable_fortran" = yes],
      [AC_FC_SRCEXT([f90], [enable_fortran=yes], [enable_fortran=no])])
    AS_IF([test "$enable_fortran" = yes],
      [AC_FC_MODULE_OUTPUT_FLAG([FC_MODOUT=$ac_cv_fc_module_output_flag], [enable_fortran=no])])
    # A release has what fortran/generate.py writes; else Python writes it.
    AS_IF([test ! -f "$srcdir/fortran/values.F90" && ! ${PYTHON:-python3} -c pass >/dev/null 2>&1],
      [AC_MSG_WARN([no Python 3, so no Fortran modules]); enable_fortran=no])
    AS_IF([test "$enable_fortran" = yes], [
      PCIO_FORTRAN_KIND([integer(16)], [INTEGER_16])
      PCIO_FORTRAN_KIND([real(10)], [REAL_10])
      PCIO_FORTRAN_KIND([real(16)], [REAL_16])
      PCIO_FORTRAN_KIND([integer, dimension(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)], [RANK_15])
      # Other compilers warn of other things, or take these flags for something else.
      AS_IF([test "x$ac_cv_fc_compiler_gnu" = xyes], [FC_WARN_FLAGS="-Wall -Wextra"
        AS_IF([test "x$enable_werror" = xyes], [FC_WARN_FLAGS="$FC_WARN_FLAGS -Werror"])])
      pcio_save=$FCFLAGS
      FCFLAGS="$FCFLAGS $MPI_FCFLAGS"
      AC_CACHE_CHECK([whether $FC can read MPI's module files], [pcio_cv_fc_uses_mpi],
        [AC_COMPILE_IFELSE([AC_LANG_SOURCE([[      program main
      use mpi
      end program main]])], [pcio_cv_fc_uses_mpi=yes], [pcio_cv_fc_uses_mpi=no])])
      FCFLAGS=$pcio_save
      fortran_uses_mpi=$pcio_cv_fc_uses_mpi
      AS_IF([test $fortran_uses_mpi = no],
        [AC_MSG_WARN([$FC can't read MPI's Fortran modules: tests and examples that use them are left out])])
    ])
    AC_LANG_POP([Fortran])
  ])
  AS_IF([test "$enable_fortran$pcio_fortran_asked" = noyes],
    [AC_MSG_ERROR([--enable-fortran was given, but there is no working Fortran compiler, or no Python])])
])
AS_IF([test "$enable_fortran" = yes], [PCIO_FORTRAN_NAME])
AC_SUBST([FC_NAME])
AC_SUBST([FC_MODOUT])
AC_SUBST([FC_KIND_FLAGS])
AC_SUBST([FC_WARN_FLAGS])
AM_CONDITIONAL([FC_INTEGER_16], [test "x$pcio_cv_fc_INTEGER_16" = xyes])
AM_CONDITIONAL([FC_REAL_10], [test "x$pcio_cv_fc_REAL_10" = xyes])
AM_CONDITIONAL([FC_REAL_16], [test "x$pcio_cv_fc_REAL_16" = xyes])
])

# PCIO_FORTRAN_NAME: sets FC_NAME; for modules beside an installed libpcio looks whether it is there.
AC_DEFUN([PCIO_FORTRAN_NAME], [
AC_MSG_CHECKING([what folders with modules of $FC are called])
AS_CASE([$with_fortran_name],
  [auto|yes], [FC_NAME=`sh "$srcdir/fortran/fortran-name" $FC` || FC_NAME=],
  [no], [],
  [FC_NAME=$with_fortran_name])
AC_MSG_RESULT([${FC_NAME:-nobody knows}])
AS_CASE([$FC_NAME], [*[[!A-Za-z0-9._-]]*], [AC_MSG_ERROR([--with-fortran-name=$FC_NAME: letters, digits, points and hyphens only])])
AS_IF([test $fortran_beside = yes], [
  AS_IF([test -z "$FC_NAME"], [AC_MSG_ERROR([--enable-fortran=beside: $FC does not say what it is: --with-fortran-name=NAME does])])
  # As they will be: prefix and exec_prefix get their defaults at the end only.
  pcio_save=$prefix pcio_save_exec=$exec_prefix
  test "x$prefix" != xNONE || prefix=$ac_default_prefix
  test "x$exec_prefix" != xNONE || exec_prefix=$prefix
  eval "pcio_libdir=\"$libdir\""
  prefix=$pcio_save exec_prefix=$pcio_save_exec
  AC_MSG_CHECKING([for libpcio $PACKAGE_VERSION in $pcio_libdir])
  AS_IF([grep -q "^Version: $PACKAGE_VERSION\$" "$pcio_libdir/pkgconfig/pcio.pc" 2>/dev/null &&
         test -e "$pcio_libdir/libpcio_hl.so"], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([--enable-fortran=beside: install this version of libpcio there first, or give its --prefix and --libdir])])
])
])

# PCIO_FORTRAN_KIND(TYPE, NAME): whether the Fortran compiler has a type that not all have; adds to FC_KIND_FLAGS.
AC_DEFUN([PCIO_FORTRAN_KIND], [
AC_CACHE_CHECK([for $1 in Fortran], [pcio_cv_fc_$2],
  [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[      $1 :: x
      x = 1]])], [pcio_cv_fc_$2=yes], [pcio_cv_fc_$2=no])])
AS_IF([test "$pcio_cv_fc_$2" = yes], [FC_KIND_FLAGS="$FC_KIND_FLAGS -DPCIO_$2"])
])

# PCIO_HDF5(PREFIX, CANDIDATE PKG-CONFIG MODULES, SHELL VARIABLE): a libhdf5 to compare with.
AC_DEFUN([PCIO_HDF5], [
AC_MSG_CHECKING([for libhdf5 ($2) to compare with])
$3=no
for pcio_module in $2; do
  AS_IF([test -n "$PKG_CONFIG" && $PKG_CONFIG --exists $pcio_module], [
    $3=$pcio_module
    $1_CPPFLAGS=`$PKG_CONFIG --cflags $pcio_module`
    $1_LIBS=`$PKG_CONFIG --libs $pcio_module`
    break
  ])
done
AC_MSG_RESULT([$][$3])
AC_SUBST([$1_CPPFLAGS])
AC_SUBST([$1_LIBS])
])

# PCIO_TEST_PARTNERS: GoogleTest, rapidcheck, libhdf5, h5dump, Python with h5py, the corpus.
AC_DEFUN([PCIO_TEST_PARTNERS], [
PKG_CHECK_MODULES([GTEST], [gmock], [have_gtest=yes], [have_gtest=no])
AM_CONDITIONAL([WITH_GTEST], [test "$have_gtest" = yes])
AC_LANG_PUSH([C++])
AC_CHECK_HEADER([rapidcheck.h], [have_rapidcheck=yes], [have_rapidcheck=no])
AC_LANG_POP([C++])
RAPIDCHECK_LIBS=
AS_IF([test "$have_rapidcheck" = yes], [RAPIDCHECK_LIBS=-lrapidcheck])
AC_SUBST([RAPIDCHECK_LIBS])
AM_CONDITIONAL([WITH_RAPIDCHECK], [test "$have_rapidcheck$have_gtest" = yesyes])

PCIO_HDF5([HDF5_SERIAL], [hdf5-serial hdf5], [have_hdf5_serial])
AM_CONDITIONAL([WITH_HDF5_SERIAL], [test "$have_hdf5_serial" != no])
pcio_hdf5_modules=hdf5-$MPI_FLAVOR
PCIO_HDF5([HDF5_MPI], [$pcio_hdf5_modules], [have_hdf5_mpi])
AM_CONDITIONAL([WITH_HDF5_MPI], [test "$have_hdf5_mpi" != no])

AC_ARG_VAR([H5DUMP], [h5dump, for the tests])
AC_PATH_PROG([H5DUMP], [h5dump])
AC_ARG_VAR([PYTHON], [Python 3, with h5py for some tests])
# A Python that has h5py wins over the first one in PATH.
AS_IF([test -z "$PYTHON"], [
  for pcio_python in python3 /usr/bin/python3; do
    AS_IF([$pcio_python -c 'import h5py' >/dev/null 2>&1], [PYTHON=$pcio_python; break])
  done
])
AC_PATH_PROG([PYTHON], [python3])

AC_MSG_CHECKING([for the corpus of HDF5 files])
PCIO_CORPUS_DIR=
AS_CASE([$with_corpus],
  [no], [],
  [auto|yes], [for pcio_dir in "$PCIO_CORPUS" "$srcdir/../shared/corpus"; do
     AS_IF([test -n "$pcio_dir" && test -d "$pcio_dir"],
       [PCIO_CORPUS_DIR=`cd "$pcio_dir" && pwd`; break])
   done],
  [PCIO_CORPUS_DIR=`cd "$with_corpus" && pwd` ||
     AC_MSG_ERROR([--with-corpus=$with_corpus: no such folder])])
PCIO_CORPUS=$PCIO_CORPUS_DIR
AC_MSG_RESULT([${PCIO_CORPUS:-not found}])
AC_SUBST([PCIO_CORPUS])
])
