# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# MPI: the wrapper is asked for its flags and never compiles anything itself, so that the pure
# rooms can be built by the same compiler without them.

# PCIO_MPI: MPICC, MPI_FLAVOR (openmpi | mpich | other), MPI_CPPFLAGS, MPI_LIBS, MPI_NAME.
AC_DEFUN([PCIO_MPI], [
AC_ARG_VAR([MPICC], [MPI C compiler wrapper, asked for flags only])
AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi=WHICH], [openmpi, mpich, a wrapper or a folder that has bin/mpicc])],
  [], [with_mpi=auto])
pcio_want_flavor=
AS_CASE([$with_mpi],
  [no], [AC_MSG_ERROR([libpcio is a parallel library: --without-mpi makes no sense])],
  [openmpi|mpich], [pcio_want_flavor=$with_mpi
    AS_CASE([$MPICC], [*.$with_mpi], [], [*.openmpi|*.mpich], [MPICC=])
    AC_CHECK_PROGS([MPICC], [mpicc.$with_mpi mpicc])],
  [auto|yes], [AC_CHECK_PROGS([MPICC], [mpicc mpicc.openmpi mpicc.mpich])],
  [AS_IF([test -x "$with_mpi/bin/mpicc"], [MPICC=$with_mpi/bin/mpicc], [MPICC=$with_mpi])])
pcio_path=`command -v ${MPICC:-none} 2>/dev/null`
AS_IF([test -z "$pcio_path"],
  [AC_MSG_ERROR([no MPI wrapper found (Debian: libopenmpi-dev openmpi-bin)])])

AC_MSG_CHECKING([for the flags of $MPICC])
AS_IF([pcio_words=`$MPICC -showme:compile 2>/dev/null` && test -n "$pcio_words"],
  [pcio_words="$pcio_words `$MPICC -showme:link`"],
  [pcio_words=`$MPICC -show 2>/dev/null | sed 's/^[[^ ]]* *//'`])
MPI_CPPFLAGS=
MPI_LIBS=
for pcio_word in $pcio_words; do
  AS_CASE([$pcio_word],
    [-I*|-D*|-isystem*], [AS_VAR_APPEND([MPI_CPPFLAGS], [" $pcio_word"])],
    [-Wl,-z,*|-Wl,-Bsymbolic*|-Wl,--enable-new-dtags|-flto*|-ffat-lto*], [],
    [-L*|-l*|-Wl,*|*.a|*.so], [AS_VAR_APPEND([MPI_LIBS], [" $pcio_word"])],
    [-pthread], [AS_VAR_APPEND([MPI_LIBS], [" $pcio_word"])])
done
# The MPI-2 C++ bindings would pull in their own library.
AS_VAR_APPEND([MPI_CPPFLAGS], [" -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"])
AC_MSG_RESULT([$MPI_CPPFLAGS$MPI_LIBS])

pcio_save_cppflags=$CPPFLAGS
pcio_save_libs=$LIBS
CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS"
LIBS="$MPI_LIBS $LIBS"
AC_MSG_CHECKING([whether an MPI-IO program links])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
    [[MPI_File f; return MPI_File_open(MPI_COMM_SELF, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);]])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no]); AC_MSG_ERROR([the flags of $MPICC do not build an MPI program])])
AC_CACHE_CHECK([which MPI library this is], [pcio_cv_mpi_name], [
  cat > conftest.c <<'_EOF'
#include <mpi.h>
#if defined(OPEN_MPI)
pcio_is openmpi OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION
#elif defined(MPICH_NAME) || defined(MPICH_VERSION)
pcio_is mpich MPICH_NUMVERSION 0 0
#elif defined(MVAPICH2_VERSION)
pcio_is mpich MVAPICH2_NUMVERSION 0 0
#else
pcio_is other 0 0 0
#endif
_EOF
  pcio_cv_mpi_name=`$CPP $CPPFLAGS conftest.c 2>/dev/null | sed -n 's/^pcio_is //p' | tr -s ' '`
  # MPICH codes 4.0.2 as 40002300: two digits each of minor and revision, three of the kind.
  AS_CASE([$pcio_cv_mpi_name], [mpich*], [
    pcio_n=`echo $pcio_cv_mpi_name | cut -d' ' -f2`
    pcio_cv_mpi_name="mpich `expr $pcio_n / 10000000` `expr $pcio_n / 100000 % 100` `expr $pcio_n / 1000 % 100`"])
  rm -f conftest.c
])
CPPFLAGS=$pcio_save_cppflags
LIBS=$pcio_save_libs
set dummy $pcio_cv_mpi_name
MPI_FLAVOR=$[2]
MPI_MAJOR=$[3]
MPI_NAME="$[2] $[3].$[4].$[5]"
AS_IF([test -n "$pcio_want_flavor" && test "$pcio_want_flavor" != "$MPI_FLAVOR"],
  [AC_MSG_ERROR([--with-mpi=$with_mpi, but $MPICC belongs to $MPI_NAME])])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPI_FLAVOR])

# Pure rooms can be shown to see no MPI only if the compiler does not find mpi.h by itself.
AC_MSG_CHECKING([whether mpi.h is found without flags])
AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <mpi.h>]])], [MPI_ALWAYS_FOUND=yes], [MPI_ALWAYS_FOUND=no])
AC_MSG_RESULT([$MPI_ALWAYS_FOUND])
AC_SUBST([MPI_ALWAYS_FOUND])
])

# PCIO_MPI_LAUNCHER: MPIRUN, the launcher that belongs to MPICC; MPIFC, its Fortran wrapper;
# pcio_can_run says whether 2 ranks were seen to run.
AC_DEFUN([PCIO_MPI_LAUNCHER], [
AC_ARG_VAR([MPIRUN], [launcher of the MPI library])
AC_ARG_VAR([MPIFC], [MPI Fortran compiler wrapper, asked for flags only])
pcio_dir=`AS_DIRNAME(["$pcio_path"])`
pcio_suffix=`AS_ECHO(["$pcio_path"]) | sed -n 's,^.*/mpicc,,p'`
AC_MSG_CHECKING([for the launcher of $MPI_NAME])
AS_IF([test -z "$MPIRUN"], [
  for pcio_try in $pcio_dir/mpirun$pcio_suffix $pcio_dir/mpiexec$pcio_suffix \
      mpirun.$MPI_FLAVOR mpiexec.$MPI_FLAVOR mpirun mpiexec; do
    MPIRUN=`command -v $pcio_try 2>/dev/null` && break
    MPIRUN=
  done
])
AC_MSG_RESULT([${MPIRUN:-none}])
AS_IF([test -z "$MPIFC"], [
  for pcio_try in $pcio_dir/mpifort$pcio_suffix $pcio_dir/mpif90$pcio_suffix \
      mpifort.$MPI_FLAVOR mpifort; do
    MPIFC=`command -v $pcio_try 2>/dev/null` && break
    MPIFC=
  done
])
MPI_FCFLAGS=
MPI_FCLIBS=
AS_IF([test -n "$MPIFC"], [
  AS_IF([pcio_words=`$MPIFC -showme:compile 2>/dev/null` && test -n "$pcio_words"],
    [pcio_words="$pcio_words `$MPIFC -showme:link`"],
    [pcio_words=`$MPIFC -show 2>/dev/null | sed 's/^[[^ ]]* *//'`])
  for pcio_word in $pcio_words; do
    AS_CASE([$pcio_word],
      [-I*|-D*|-J*], [AS_VAR_APPEND([MPI_FCFLAGS], [" $pcio_word"])],
      [-fallow-*], [AS_VAR_APPEND([MPI_FCFLAGS], [" $pcio_word"])],
      [-Wl,-z,*|-Wl,-Bsymbolic*|-flto*|-ffat-lto*], [],
      [-L*|-l*|-Wl,*|*.a|*.so|-pthread], [AS_VAR_APPEND([MPI_FCLIBS], [" $pcio_word"])])
  done
])
AC_SUBST([MPI_FCFLAGS])
AC_SUBST([MPI_FCLIBS])

AC_MSG_CHECKING([whether 2 ranks can be started])
pcio_can_run=no
AS_IF([test "$cross_compiling" = yes], [AC_MSG_RESULT([no, cross-compiling])],
  [test -z "$MPIRUN"], [AC_MSG_RESULT([no launcher])], [
  PCIO_RUN_2([[#include <mpi.h>
int main(int argc, char** argv) {
  int n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Finalize();
  return n == 2 ? 0 : 1;
}]], [pcio_can_run=yes], [pcio_can_run=no])
  AC_MSG_RESULT([$pcio_can_run])
])
AS_IF([test "$pcio_can_run$cross_compiling" = nono],
  [AC_MSG_WARN([parallel programs do not run here (see config.log): answers come from a table, and 'make check-p' will fail])])
])

# PCIO_RUN_2(SOURCE, IF-SUCCESS, IF-FAILURE): compile SOURCE and run it on 2 ranks, within a minute.
# The program may use files called conftest.pcio*.
AC_DEFUN([PCIO_RUN_2], [
pcio_save_cppflags=$CPPFLAGS
pcio_save_libs=$LIBS
CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS"
LIBS="$MPI_LIBS $LIBS"
pcio_ran=no
AC_LINK_IFELSE([AC_LANG_SOURCE([$1])], [
  AS_IF([MPIRUN="$MPIRUN" MPI_FLAVOR=$MPI_FLAVOR $SHELL "$srcdir/testpar/run-par" 2 60 ./conftest$EXEEXT \
      >conftest.out 2>&1 </dev/null], [pcio_ran=yes])
  sed 's/^/| /' conftest.out >&AS_MESSAGE_LOG_FD
])
rm -f conftest.pcio* conftest.out
CPPFLAGS=$pcio_save_cppflags
LIBS=$pcio_save_libs
AS_IF([test $pcio_ran = yes], [$2], [$3])
])

# PCIO_MPI_QUESTION(OPTION, SHELL-NAME, CACHE-VARIABLE, RESULT-VARIABLE, TEXT, PROGRAM)
# The answer is, in this order: what the option or the cache says; what a run on 2 ranks shows;
# what is known of the library where nothing can be run. An unknown library gets "no": the paths
# that need the ability are then not taken, which is slower and never wrong.
AC_DEFUN([PCIO_MPI_QUESTION], [
AC_ARG_WITH([$1],
  [AS_HELP_STRING([--with-$1=auto|yes|no], [$5: auto runs a program on 2 ranks @<:@auto@:>@])],
  [], [with_$2=auto])
AS_CASE([$with_$2],
  [yes|no], [$3=$with_$2; pcio_$2_how="as given"],
  [auto], [AS_IF([test -n "$[]$3"], [pcio_$2_how=cached])],
  [AC_MSG_ERROR([--with-$1 takes auto, yes or no])])
AC_CACHE_CHECK([whether $5], [$3], [
  AS_IF([test "$pcio_can_run" = yes],
    [pcio_$2_how="ran on 2 ranks"
     PCIO_RUN_2([$6], [$3=yes], [$3=no])],
    [pcio_$2_how="known of $MPI_NAME"
     AS_CASE([$MPI_FLAVOR:$MPI_MAJOR],
       [openmpi:@<:@4-9@:>@], [$3=yes],
       [mpich:@<:@3-9@:>@], [$3=yes],
       [$3=no; pcio_$2_how="unknown MPI library, nothing run"])])
])
AS_IF([test "$[]$3" = yes], [$4=1], [$4=0])
AC_SUBST([$4])
])

# Nested derived types on both sides: a struct of a strided vector and unequal blocks, resized and
# repeated, interleaved between the ranks, from strided memory. Gaps must keep what was there.
AC_DEFUN([PCIO_MPI_COMPLEX_DATATYPES], [
PCIO_MPI_QUESTION([complex-derived-datatypes], [complex_derived_datatypes],
  [pcio_cv_mpi_complex_datatypes], [PCIO_COMPLEX_DERIVED_DATATYPE_WORKS],
  [complex derived datatypes work], [[#include <mpi.h>
#include <string.h>
enum { TILE = 32, TILES = 2, COUNT = 28, FILE_INTS = TILE * TILES };
static const int starts[2][3] = {{16, 19, 24}, {17, 22, 26}};
static const int lengths[2][3] = {{1, 3, 2}, {2, 2, 2}};
/* What rank r's i-th element is, and where it belongs. */
static int value(int r, int i) { return 1000 * (r + 1) + i; }
static void expect(int* file) {
  int r, t, b, k;
  for (k = 0; k < FILE_INTS; ++k) file[k] = -7;
  for (r = 0; r < 2; ++r) {
    int i = 0;
    for (t = 0; t < TILES; ++t) {
      for (b = 0; b < 4; ++b)
        for (k = 0; k < 2; ++k) file[t * TILE + r * 2 + b * 4 + k] = value(r, i++);
      for (b = 0; b < 3; ++b)
        for (k = 0; k < lengths[r][b]; ++k) file[t * TILE + starts[r][b] + k] = value(r, i++);
    }
  }
}
static MPI_Datatype file_type(int r) {
  MPI_Datatype part[2], both, tile, all;
  MPI_Aint at[2], disp[3];
  int one[2] = {1, 1}, i;
  MPI_Type_create_hvector(4, 2, 4 * (MPI_Aint)sizeof(int), MPI_INT, &part[0]);
  for (i = 0; i < 3; ++i) disp[i] = (starts[r][i] - r * 2) * (MPI_Aint)sizeof(int);
  MPI_Type_create_hindexed(3, lengths[r], disp, MPI_INT, &part[1]);
  at[0] = at[1] = r * 2 * (MPI_Aint)sizeof(int);
  MPI_Type_create_struct(2, one, at, part, &both);
  MPI_Type_create_resized(both, 0, TILE * (MPI_Aint)sizeof(int), &tile);
  MPI_Type_contiguous(TILES, tile, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&part[0]);
  MPI_Type_free(&part[1]);
  MPI_Type_free(&both);
  MPI_Type_free(&tile);
  return all;
}
int main(int argc, char** argv) {
  char name[] = "conftest.pcio-types", native[] = "native";
  int me, n, i, bad = 0, all_bad = 1, want[FILE_INTS], got[FILE_INTS], mem[2 * COUNT];
  MPI_File f;
  MPI_Datatype file, strided;
  MPI_Status s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (n != 2) return 1;
  expect(want);
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f)) return 1;
  for (i = 0; i < FILE_INTS; ++i) got[i] = -7;
  if (me == 0) bad |= MPI_File_write_at(f, 0, got, FILE_INTS, MPI_INT, &s);
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  file = file_type(me);
  MPI_Type_vector(COUNT, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  for (i = 0; i < 2 * COUNT; ++i) mem[i] = i % 2 ? -9 : value(me, i / 2);
  bad |= MPI_File_set_view(f, 0, MPI_BYTE, file, native, MPI_INFO_NULL);
  bad |= MPI_File_write_at_all(f, 0, mem, 1, strided, &s);
  memset(mem, 0, sizeof mem);
  bad |= MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  bad |= MPI_File_read_at_all(f, 0, mem, 1, strided, &s);
  for (i = 0; i < COUNT; ++i) bad |= mem[2 * i] != value(me, i) || mem[2 * i + 1 < 2 * COUNT ? 2 * i + 1 : 1] != 0;
  bad |= MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, native, MPI_INFO_NULL);
  bad |= MPI_File_read_at(f, 0, got, FILE_INTS, MPI_INT, &s);
  bad |= memcmp(got, want, sizeof want) != 0;
  MPI_Type_free(&file);
  MPI_Type_free(&strided);
  MPI_File_close(&f);
  MPI_Allreduce(&bad, &all_bad, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  MPI_Finalize();
  return all_bad != 0;
}]])
])

# One rank after the other has nothing to do in a collective write and read: with its own (empty)
# view and a count of 0.
AC_DEFUN([PCIO_MPI_SPECIAL_COLLECTIVE], [
PCIO_MPI_QUESTION([special-collective-io], [special_collective_io],
  [pcio_cv_mpi_special_collective], [PCIO_SPECIAL_COLLECTIVE_IO_WORKS],
  [special collective I/O works], [[#include <mpi.h>
#include <string.h>
enum { N = 64 };
int main(int argc, char** argv) {
  char name[] = "conftest.pcio-special", native[] = "native";
  int me, n, turn, i, got_count, bad = 0, all_bad = 1, mine[N], all[4 * N];
  MPI_File f;
  MPI_Datatype part;
  MPI_Status s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (n != 2) return 1;
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &f)) return 1;
  MPI_Type_vector(N, 1, 2, MPI_INT, &part);
  MPI_Type_commit(&part);
  for (turn = 0; turn < 2; ++turn) {
    int busy = me == turn;
    for (i = 0; i < N; ++i) mine[i] = 1000 * turn + i;
    bad |= MPI_File_set_view(f, busy ? turn * (MPI_Offset)sizeof(int) : 0, MPI_BYTE,
                             busy ? part : MPI_BYTE, native, MPI_INFO_NULL);
    bad |= MPI_File_write_at_all(f, 0, busy ? mine : 0, busy ? N : 0, busy ? MPI_INT : MPI_BYTE, &s);
    MPI_Get_count(&s, MPI_BYTE, &got_count);
    bad |= got_count != (busy ? (int)sizeof mine : 0);
    bad |= MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(mine, 0, sizeof mine);
    bad |= MPI_File_read_at_all(f, 0, busy ? mine : 0, busy ? N : 0, busy ? MPI_INT : MPI_BYTE, &s);
    for (i = 0; busy && i < N; ++i) bad |= mine[i] != 1000 * turn + i;
  }
  bad |= MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, native, MPI_INFO_NULL);
  bad |= MPI_File_read_at(f, 0, all, 2 * N, MPI_INT, &s);
  for (i = 0; i < 2 * N; ++i) bad |= all[i] != 1000 * (i % 2) + i / 2;
  MPI_Type_free(&part);
  MPI_File_close(&f);
  MPI_Allreduce(&bad, &all_bad, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  MPI_Finalize();
  return all_bad != 0;
}]])
])
