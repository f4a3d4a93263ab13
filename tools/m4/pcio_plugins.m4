# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# PCIO_PLUGINS: where filter plugins lie, and whether the shim for plugins that need libhdf5_serial
# can be linked: it needs symbol versions and functions that are resolved when they are bound.
AC_DEFUN([PCIO_PLUGINS], [
DEFAULT_PLUGIN_PATH=$with_plugin_path
AS_CASE([$DEFAULT_PLUGIN_PATH], [auto|yes|no], [
  pcio_multiarch=`$CC -print-multiarch 2>/dev/null`
  pcio_plugins=/usr/lib${pcio_multiarch:+/$pcio_multiarch}/hdf5
  DEFAULT_PLUGIN_PATH=$pcio_plugins/serial/plugins])
AC_SUBST([DEFAULT_PLUGIN_PATH])
pcio_save=$LIBS
LIBS=
AC_SEARCH_LIBS([dlopen], [dl])
DL_LIBS=$LIBS
LIBS=$pcio_save
AC_SUBST([DL_LIBS])
AC_CACHE_CHECK([whether symbols can be versioned and resolved late], [pcio_cv_plugin_shim], [
  AC_LINK_IFELSE([AC_LANG_SOURCE([[
    static int one(void) { return 1; }
    int (*resolve(void))(void);
    int (*resolve(void))(void) { return one; }
    int late(void) __attribute__((ifunc("resolve")));
    int main(void) { return late() - 1; }]])],
    [pcio_cv_plugin_shim=yes], [pcio_cv_plugin_shim=no])])
AM_CONDITIONAL([WITH_PLUGIN_SHIM], [test "$pcio_cv_plugin_shim" = yes])
])

# PCIO_DROPIN: whether libraries of libhdf5's names are built: where symbols can be versioned and resolved late, with
# the MPI library that Debian's libhdf5_openmpi has, and not for a sanitized library, which programs of others
# can't load.
AC_DEFUN([PCIO_DROPIN], [
AS_IF([test "$pcio_cv_version_script$pcio_cv_plugin_shim$MPI_FLAVOR" != yesyesopenmpi], [build_dropin=no],
  [test "x$SANITIZE_FLAGS" != x], [build_dropin=no],
  [test "x$enable_dropin" = xno], [build_dropin=no],
  [build_dropin=yes])
AS_IF([test "$enable_dropin$build_dropin" = yesno],
  [AC_MSG_ERROR([--enable-dropin: it needs Open MPI, symbol versions and no sanitizer])])
AM_CONDITIONAL([WITH_DROPIN], [test "$build_dropin" = yes])
])
