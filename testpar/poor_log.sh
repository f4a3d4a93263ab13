#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# poor_log.sh NP: the rank that writes the log of PCIO_REPORT runs out of memory, in calls of 2 and 3 ranks: no program
# ends or fails for that, and each line of the log is whole.
# poor_log.sh with PCIO_LONG=1: in every call, at each allocation of any rank.
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/poor_log.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
python=
for each in "${PYTHON-}" python3 /usr/bin/python3; do
  [ -n "$each" ] && "$each" -c 'import json' 2>/dev/null && { python=$each; break; }
done
[ -n "$python" ] || { echo "SKIP: no python"; exit 77; }
if [ -n "${PCIO_LONG-}" ]; then
  ranks="2 3" seeds=1 seconds=7200
else
  case ${1:-3} in 2 | 3) ;; *) echo "SKIP: on 2 and 3 ranks"; exit 77 ;; esac
  ranks=${1:-3} seeds="1 2" seconds=${PAR_SECONDS:-120}
  export PCIO_CULPRIT=0 PCIO_SCENE=write/filtered,read/filtered,flush/chunked,close,write_multi/filtered
fi
failed=0
for np in $ranks; do
  for seed in $seeds; do
    log=$folder/log.$np.$seed
    PCIO_RUN_QUIET=1 PCIO_SEED=$seed PCIO_REPORT=$log "$PCIO_RUN_PAR" "$np" "$seconds" \
      "$PCIO_BUILDDIR/testpar/t_out_of_memory" >"$folder/out" 2>&1 ||
      { echo "FAILURE: status $? on $np ranks, seed $seed"; tail -n 40 "$folder/out"; failed=1; }
    grep '^memory: seed' "$folder/out" || { failed=1; echo "no result on $np ranks"; }
    "$python" - "$log" <<'PY' || failed=1
import collections
import json
import sys
kinds = collections.Counter(json.loads(line)["kind"] for line in open(sys.argv[1]))
print("poor log:", ", ".join("%s %d" % pair for pair in sorted(kinds.items())))
sys.exit(0 if kinds["collective"] > 100 and kinds["file"] > 20 and kinds["dataset"] > 20 else 1)
PY
  done
done
exit $failed
