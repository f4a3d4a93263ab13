#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The pure rooms cannot see MPI: a file with #include <mpi.h>, compiled with the build's
# command for them, fails; the same file with the engine's flags compiles; and the
# unit tests of the pure rooms link no MPI library.
set -u
# Under make -j a make of our own would speak of the jobserver.
unset MAKEFLAGS MFLAGS MAKELEVEL
if [ "$PCIO_MPI_ALWAYS_FOUND" = yes ]; then
  echo "SKIP: this compiler finds mpi.h without flags"
  exit 77
fi
work=$(mktemp -d "$PCIO_TEST_TMP/pure.XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
verdict() {
  if [ "$1" = yes ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}

printf '#include <mpi.h>\nint pcio_planted() { return MPI_SUCCESS; }\n' > "$work/planted.cpp"
printf '#include "base/status.hpp"\nint pcio_harmless() { return 0; }\n' > "$work/harmless.cpp"

# The compiler and flags of the rule that compiles libpure's objects.
command=$(cd "$PCIO_BUILDDIR" && make -s --no-print-directory print-pure-compile)
verdict "$([ -n "$command" ] && echo yes)" "make print-pure-compile says nothing"
# compile FILE
compile() {
  # shellcheck disable=SC2086 # the command is words
  (cd "$PCIO_BUILDDIR" && $command -c "$work/$1" -o "$work/out.o") >"$work/log" 2>&1
}

compile harmless.cpp
verdict "$([ $? -eq 0 ] && echo yes)" "a harmless file compiles with the pure flags: $(tail -n 3 "$work/log" 2>/dev/null)"
compile planted.cpp
verdict "$([ $? -ne 0 ] && echo yes)" "#include <mpi.h> must not compile with the pure flags"
verdict "$(grep -q 'mpi\.h' "$work/log" 2>/dev/null && echo yes)" "the failure is about mpi.h"
# shellcheck disable=SC2086 # flags are words
$PCIO_CXX $PCIO_CXXSTD $PCIO_MPI_CPPFLAGS -c "$work/planted.cpp" -o "$work/out.o"
verdict "$([ $? -eq 0 ] && echo yes)" "the planted file is fine where MPI is allowed"
if [ -x "$PCIO_BUILDDIR/test/pure_tests" ]; then
  verdict "$(ldd "$PCIO_BUILDDIR/test/pure_tests" | grep -q 'libmp[a-z]*\.so' || echo yes)" \
    "test/pure_tests links an MPI library"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
