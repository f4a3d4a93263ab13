# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced: installs the build into $work/stage and sets up an environment as a user has one: pciocc, pcioinfo, mpirun in PATH, pkg-config and
# the loader find libpcio; PCIO_PREFIX and PCIO_HDF5 say where it is. From the environment: tools/test-env.
: "${work:?is a folder of the script that sources this}"
unset MAKEFLAGS MFLAGS MAKELEVEL
"$PCIO_SRCDIR/tools/alone" make -C "$PCIO_BUILDDIR" install DESTDIR="$work/stage" >"$work/install.log" 2>&1 || {
  tail -n 20 "$work/install.log"; echo "FAIL: make install"; exit 1; }
wrapper=$(find "$work/stage" -path '*/bin/pciocc')
prefix=${wrapper%/bin/pciocc}
pc=$(find "$work/stage" -name pcio.pc)
libdir=${pc%/pkgconfig/pcio.pc}
# Files that name the configured prefix name the staging folder.
configured=${prefix#"$work/stage"}
for file in "$prefix"/bin/pcio?c "$libdir"/pkgconfig/*.pc "$libdir"/cmake/libpcio/*.cmake; do
  [ ! -f "$file" ] || sed -i -e "s|^prefix=.*|prefix=$prefix|" -e "s|^\(libdir\|linkdir\|includedir\)=$configured/|\1=$prefix/|" \
    -e "s|INCLUDE_DIRS \"$configured/|INCLUDE_DIRS \"$prefix/|" "$file"
done
mkdir -p "$work/bin"
# The launcher as a user has it, on any number of cores, as root too.
cat >"$work/bin/mpirun" <<EOF
#!/bin/sh
[ "\$1" = -n ] || exit 2
n=\$2
shift 2
PCIO_RUN_QUIET=1 exec '$PCIO_RUN_PAR' "\$n" 120 "\$@"
EOF
# By its place: by its name it would find itself.
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$MPICC")" >"$work/bin/mpicc"
chmod +x "$work/bin/mpirun" "$work/bin/mpicc"
export PATH="$work/bin:$prefix/bin:$PATH" PKG_CONFIG_PATH="$libdir/pkgconfig" PCIO_PREFIX="$prefix" PCIO_HDF5="$libdir/pcio/hdf5"
export LD_LIBRARY_PATH="$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CC="${PCIO_CC:-cc}"
export HWLOC_HIDE_ERRORS=2
