#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files that are open while the process ends are closed by a handler of exit, which runs when other handlers
# have run already and the thread's own objects are gone. So nothing in the library is destroyed by exit
# (no object file registers anything with __cxa_atexit), and thread_local is used in two places that
# know about it.
set -u
passed=0 failed=0
verdict() {
  if [ -z "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2: $1"; fi
}
cd "$PCIO_BUILDDIR" || exit 1
verdict "$(grep -rln '\bthread_local\b' "$PCIO_SRCDIR/src" "$PCIO_SRCDIR/lib" --include=*.cpp --include=*.hpp |
  grep -v -e '/base/kept_by_thread.hpp$' -e '/lib/error_stack.cpp$' |
  xargs -r grep -lE '^[^/]*\bthread_local (const )?[A-Za-z_:<>, ]+[ &][a-z_]+( =|;|\{)' | tr '\n' ' ')" "thread_local elsewhere"
[ $failed -eq 0 ] || exit 1
objects=$(find src lib -path '*/.libs/*.o' ! -path '*/shim/*')
[ "$(printf '%s\n' "$objects" | wc -l)" -gt 200 ] || { echo "SKIP: no object files of the shared library"; exit 77; }
# has_handler FILES...: those that register a destructor.
has_handler() { nm -A -u "$@" 2>/dev/null | grep -E ' __cxa_atexit$' | sed 's/:.*//' | sort -u; }
# shellcheck disable=SC2086 # names without blanks
verdict "$(has_handler $objects | tr '\n' ' ')" "static objects that exit destroys"
# And it would be seen.
work=$(mktemp -d "$PCIO_TEST_TMP/statics.XXXXXX")
trap 'rm -rf "$work"' EXIT
printf '#include <string>\nconst std::string& f() { static const std::string s("x"); return s; }\n' >"$work/a.cpp"
# shellcheck disable=SC2086 # flags are words
$PCIO_CXX $PCIO_CXXSTD -fPIC -c "$work/a.cpp" -o "$work/a.o"
verdict "$([ -n "$(has_handler "$work/a.o")" ] || echo not seen)" "a planted static object"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
