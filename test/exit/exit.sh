#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Programs that end with files open: every ending, with every driver, each with a file for every layout
# and filter. Nothing may crash or hang, and where the process ends in an orderly way the files are complete, as
# libhdf5 sees them. Parallel files of more than one rank: testpar/exit.sh.
# PCIO_CASES=N: N endings and drivers chosen by PCIO_SEED instead of all of them.
set -u
program=$PCIO_BUILDDIR/test/exit_cases check=$PCIO_BUILDDIR/test/exit_check
[ -x "$check" ] || { echo "SKIP: no libhdf5 to look at the files"; exit 77; }
work=$(mktemp -d "$PCIO_TEST_TMP/exit.XXXXXX")
trap 'rm -rf "$work"' EXIT
ulimit -c 0
lzf=
if [ "${PCIO_WITH_ASAN-}" != yes ] && ls /usr/lib/*/hdf5/serial/plugins/liblzf_filter.so >/dev/null 2>&1; then
  # It does not say that it needs liblzf; libpcio helps it, libhdf5 must be helped.
  export PCIO_TEST_PLUGIN=lzf
  lzf=liblzf.so.1
fi
unset HDF5_PLUGIN_PATH HDF5_PLUGIN_PRELOAD

# The same program as a library of its own, for one that loads and unloads it.
module=$work/module.so loader=$work/load_and_close
build_module() {
  [ "${PCIO_WITH_ASAN-}" != yes ] || return 1
  # shellcheck disable=SC2086 # flags are words
  $PCIO_CC $PCIO_MPI_CPPFLAGS -I"$PCIO_BUILDDIR/include" -I"$PCIO_SRCDIR/include" -O1 -g -fPIC -shared \
    -DPCIO_TEST_MODULE -o "$module" "$PCIO_SRCDIR/test/exit/exit_cases.c" \
    "$PCIO_SRCDIR/test/exit/exit_files.c" -L"$PCIO_BUILDDIR/.libs" -lpcio \
    -Wl,-rpath,"$PCIO_BUILDDIR/.libs" $PCIO_MPI_LIBS -lpthread &&
    $PCIO_CC -O1 -g -o "$loader" "$PCIO_SRCDIR/test/exit/load_and_close.c" -ldl
}
loads=""
build_module 2>"$work/log" && loads="dlclose exit dlclose-finalize" || sed 's/^/note: /' "$work/log"

complete="return exit exit-in-thread thread-then-exit pthread_exit H5close handler-before handler-after destructor fork"
cut="_exit _exit-in-thread quick_exit abort"
cases=()
for driver in sec2 core mpio mpiposix; do
  for ending in $complete $cut; do
    # Threads of MPI outlive main; and what a handler does there comes after MPI_Finalize.
    case $driver.$ending in mpi*.pthread_exit | mpi*.handler-*) continue ;; esac
    cases+=("$driver $ending linked")
  done
  for ending in $loads; do
    [ "$ending" = dlclose-finalize ] && [ "${driver#mpi}" = "$driver" ] && continue
    cases+=("$driver $ending loaded")
  done
  [ "${driver#mpi}" = "$driver" ] || cases+=("$driver finalize linked" "$driver no-finalize linked")
done
seed=${PCIO_SEED:-1}
if [ -n "${PCIO_CASES-}" ]; then
  mapfile -t cases < <(printf '%s\n' "${cases[@]}" |
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n | cut -f 2- |
    head -n "$PCIO_CASES")
fi

# run FOLDER DRIVER ENDING HOW [LAYOUT FILTER]: says what was wrong.
run() {
  local folder=$1 driver=$2 ending=$3 how=$4 status want=0
  shift 4
  rm -rf "$folder" && mkdir "$folder"
  local start=("$program")
  [ "$how" = linked ] || start=("$loader" "$module")
  # It is not the time that is tested: a hang.
  { timeout "${PAR_SECONDS:-60}" "${start[@]}" "$folder" "$driver" "${ending%-finalize}" "$@" \
    >"$folder/out" 2>"$folder/err" </dev/null; } 2>/dev/null
  status=$?
  grep -q '^written$' "$folder/out" || { echo "not made: $(tail -n 2 "$folder/err")"; return; }
  [ "$ending" != abort ] || want=134
  [ $status -eq $want ] || echo "exit status $status"
  if [ "$ending" != abort ] && [ -s "$folder/err" ] && ! grep -q 'has exited improperly\|mpirun has' "$folder/err"; then
    echo "said: $(head -n 1 "$folder/err")"
  fi
  case " $cut " in *" $ending "*) return ;; esac
  LD_PRELOAD=$lzf "$check" "$folder" "$ending" >"$folder/found" 2>"$folder/missing" ||
    echo "incomplete: $(head -n 1 "$folder/missing") ($(wc -l <"$folder/missing") in all)"
  files=$((files + $(tail -n 1 "$folder/found")))
}

files=0 failures=0
declare -A by_driver by_ending
for one in "${cases[@]}"; do
  read -r driver ending how <<<"$one"
  by_driver[$driver]=$((${by_driver[$driver]-0} + 1))
  by_ending[$ending.$how]=$((${by_ending[$ending.$how]-0} + 1))
  run "$work/f" "$driver" "$ending" "$how" >"$work/wrong"
  wrong=$(tr '\n' ';' <"$work/wrong")
  [ -n "$wrong" ] || continue
  failures=$((failures + 1))
  echo "FAIL: $driver, $ending, $how: $wrong"
done
printf 'exit: seed %s, %d cases, %d files complete; drivers:' "$seed" "${#cases[@]}" "$files"
for key in "${!by_driver[@]}"; do printf ' %s %d' "$key" "${by_driver[$key]}"; done
printf '; endings:'
for key in "${!by_ending[@]}"; do printf ' %s %d' "$key" "${by_ending[$key]}"; done
printf '; failures: %d\n' "$failures"
[ $failures -eq 0 ] && [ $files -gt 0 ]
