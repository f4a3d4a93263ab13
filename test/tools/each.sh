#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# each.sh: each tool on the file and the log of examples/heat, on ten files of the corpus and on three hostile ones: how it ends,
# that it says why, and that it leaves nothing; parallel ones on 4 ranks, too (of the files one in three; all with PCIO_LONG=1).
# What they find is other tests' matter. Room: test/tools.
set -u
tools=$PCIO_BUILDDIR/tools heat=$PCIO_BUILDDIR/examples/heat
[ -x "$tools/pciobench" ] || { echo "SKIP: built without tools (CLI11 and fmt)"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/each.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export TMPDIR=$PWD PCIO_RUN_QUIET=1
passed=0 failed=0
declare -A runs=()
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; tail -n 3 log; fi
}
# is "STATUSES" RANKS TOOL ARGUMENTS...: it ends with one of these, and with a word where it is not 0
is() {
  local wanted=$1 np=$2 tool=$3 status
  shift 3
  if [ "$np" -eq 1 ]; then timeout 120 "$tools/$tool" "$@" >log 2>&1; else "$PCIO_RUN_PAR" "$np" 120 "$tools/$tool" "$@" >log 2>&1; fi
  status=$?
  runs[$tool on $np]=$((${runs[$tool on $np]:-0} + 1))
  case " $wanted " in *" $status "*) [ $status -eq 0 ] || [ -s log ] ;; *) false ;; esac
  verdict $? "$tool $* on $np: status $status"
}
# dataset FILE: one that a transfer can be planned for, if there is one that pcioinfo knows
dataset() {
  "$tools/pcioinfo" --json "$1" 2>/dev/null | "$PYTHON" -c '
import json, sys
try:
    found = [o["path"] + " " + "x".join(["2"] + ["1"] * (len(o["shape"]) - 1)) for o in json.load(sys.stdin)["objects"] if o.get("shape") and o["shape"][0] > 1]
except ValueError:
    found = []
print(found[0] if found else "/none 2")'
}
# all_on "STATUSES" FILE 4: each tool that takes files; 4: parallel ones on as many ranks
all_on() {
  local wanted=$1 file=$2 many=$3 path grid np
  read -r path grid < <(dataset "$file")
  is "$wanted" 1 pcioinfo "$file"
  is "$wanted" 1 pciorecover "$file"
  [ ! -x "$tools/pcioexplain" ] || is "$([ "$wanted" = 0 ] && [ "$path" != /none ] && echo 0 || echo 0 1)" 1 pcioexplain "$file" "$path" --ranks "$grid"
  for np in 1 $many; do
    is "$wanted" "$np" pciocheck --deep "$file"
    rm -f copy.h5
    is "$wanted" "$np" pciorepack "$file" copy.h5
    [ -e copy.h5 ] || cp "$file" copy.h5
    is "$wanted" "$np" pciodiff "$file" copy.h5
  done
  [ -z "$(ls ./*.part-* 2>/dev/null)" ]; verdict $? "$file: no part of a file is left"
}
PCIO_REPORT=heat.log "$PCIO_RUN_PAR" 4 120 "$heat" --output heat.h5 --steps 5 >log 2>&1; verdict $? "heat"
all_on 0 heat.h5 4
if [ -x "$tools/pcioexplain" ]; then
  is 0 1 pcioexplain heat.h5 "$(dataset heat.h5 | cut -d ' ' -f 1)" --ranks 1x2x2 --map map.svg
  grep -q "</svg>" map.svg; verdict $? "the map"
fi
is 0 1 pcioreport --html page.html heat.log
grep -q "</html>" page.html; verdict $? "the page"
is "1 3" 1 pcioreport heat.h5
mkdir there
for np in 1 4; do is 0 $np pciobench -s 8KiB -r 1 --csv bench.csv --chart bench.svg there; done
[ "$(grep -c libpcio bench.csv)" -eq 14 ] && [ "$(ls there)" = "" ] && "$PYTHON" -c 'import xml.dom.minidom as x; x.parse("bench.svg")' >log 2>&1
verdict $? "pciobench: a line for each workload and direction, a picture, and nothing is left"
is 1 1 pciobench nowhere
is 1 1 pciobench --hdf5 nowhere.so there
is 2 1 pciobench -w none there
if [ -n "${PCIO_CORPUS-}" ]; then
  # Not JLD2's, of which some have references that need an option; not one with 4 GiB of nothing, for which h5diff takes minutes, too.
  mapfile -t files < <(awk -F '\t' '$7 ~ /^core/ && $1 !~ /^jld2|bigdims/ { print $1 }' "$PCIO_CORPUS/valid/INDEX.tsv")
  hostile=("$PCIO_CORPUS"/hostile/*.h5)
  # np I: on how many ranks, too, file number I is tried
  np() { [ "${PCIO_LONG-}" = 1 ] || [ $(($1 % 3)) -eq 0 ] && echo 4; }
  for i in {0..9}; do all_on 0 "$PCIO_CORPUS/valid/${files[i * ${#files[@]} / 10]}" "$(np "$i")"; done
  for i in {0..2}; do all_on "0 1 2 3 4" "${hostile[i * ${#hostile[@]} / 3]}" "$(np "$i")"; done
  [ "${runs[pcioinfo on 1]}" -eq 14 ]; verdict $? "heat's file, ten of the corpus and three hostile ones"
fi
for what in "${!runs[@]}"; do echo "$what: ${runs[$what]}"; done | sort | paste -sd ';'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
