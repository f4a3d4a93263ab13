#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# report.sh NP: the log of PCIO_REPORT on NP ranks: each line is JSON with the documented keys, and the
# lines of a program add up to what MPI was asked for.
set -u
np=${1:-4}
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/report.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
python=
for each in "${PYTHON-}" python3 /usr/bin/python3; do
  [ -n "$each" ] && "$each" -c 'import json' 2>/dev/null && { python=$each; break; }
done
[ -n "$python" ] || { echo "SKIP: no python"; exit 77; }

export PCIO_COUNTS_CASES=24 PCIO_COUNTS_SEED=7
PCIO_RUN_QUIET=1 PCIO_REPORT=$folder/log.jsonl PCIO_COUNTS_TOTALS=$folder/totals \
  "$PCIO_RUN_PAR" "$np" "${PAR_SECONDS:-120}" "$PCIO_BUILDDIR/testpar/t_reported_counts" reports_equal || exit 1
"$python" - "$folder/log.jsonl" "$folder/totals" "$np" <<'PY' || exit 1
import json
import sys
log, totals, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
wanted = {word: int(number) for word, number in (line.split() for line in open(totals))}
lines = [json.loads(line) for line in open(log)]
failed = []
refused = 0


def check(good, what):
    if not good:
        failed.append(what)


collective = [line for line in lines if line["kind"] == "collective"]
independent = [line for line in lines if line["kind"] == "independent"]
sums = [line for line in lines if line["kind"] == "dataset"]
files = [line for line in lines if line["kind"] == "file"]
transfers = collective + independent
check(len(transfers) + len(sums) + len(files) == len(lines), "kinds")
check(len(collective) == wanted["collective"], "a line for each collective transfer")
check(sum(line["transfers"] for line in independent) == wanted["independent"], "independent transfers")
for line in lines:
    check(line["schema"] == 2 and line["ranks"] == ranks, "schema, ranks")
for line in transfers:
    for name, metric in line["totals"].items():
        check(metric["min"] <= metric["max"] and metric["max"] <= metric["sum"], "order of " + name)
        check(0 <= metric["min_rank"] < ranks and 0 <= metric["max_rank"] < ranks, "ranks of " + name)
for line in collective:
    check(line["function"] in ("H5Dwrite", "H5Dread"), "function")
    if not line["succeeded"]:  # a view was forced where there can be none
        refused += 1
        continue
    check(sum(line["io_mode"].values()) == ranks, "modes of all ranks")
    check(sum(line["transport"].values()) == ranks, "transports of all ranks")
    check(line["transport_why"] != "", "a reason")
    stored = line["stored"]
    check(stored["layout"] in ("compact", "contiguous", "chunked"), "layout")
    if stored["layout"] == "chunked":
        elements = 1
        for count in stored["chunk"]:
            elements *= count
        check(elements * stored["element_bytes"] == stored["chunk_bytes"], "bytes of a chunk")
    if stored["layout"] == "chunked" and line["totals"]["chunks_touched"]["sum"] > 0:
        chunks, touched = line["chunks"], line["totals"]["chunks_touched"]
        if "one_in" not in chunks:
            check(touched["max"] <= chunks["distinct"] <= touched["sum"], "distinct chunks")
            check(chunks["distinct"] + chunks["shared"] <= touched["sum"], "shared chunks")
            check((chunks["shared"] > 0) == (chunks["distinct"] < touched["sum"]), "shared or not")
            check(ranks > 1 or chunks["shared"] == 0, "shared with nobody")
times = ("agreement", "exchange", "file", "filters", "conversion", "fill")
for line in transfers:
    totals = line["totals"]
    spent = sum(totals["nanoseconds_" + what]["sum"] for what in times)
    check(spent <= totals["nanoseconds"]["sum"], "more time than there was")
    check((totals["nanoseconds_conversion"]["sum"] > 0) <= (totals["converted"]["sum"] > 0), "conversions")
for what in times[:3]:
    check(any(line["totals"]["nanoseconds_" + what]["sum"] > 0 for line in lines), "no time in " + what)
check(any(line["totals"]["nanoseconds_file"]["sum"] > 0 for line in independent), "no time in the file")
# The lines of a close say what the lines of transfers have said.
keys = lambda line: (line["file"], line["dataset"], line["direction"])
for metric in ("bytes_written", "bytes_read", "bytes_selected", "chunks_touched", "nanoseconds"):
    have, want = {}, {}
    for line in sums:
        have[keys(line)] = have.get(keys(line), 0) + line["sums"].get(metric, 0)
    for line in transfers:
        want[keys(line)] = want.get(keys(line), 0) + line["totals"][metric]["sum"]
    check(have == want, "sums of " + metric)
check(sum(line["collective"] for line in sums) == wanted["collective"], "collective transfers of datasets")
check(sum(line["independent"] for line in sums) == wanted["independent"], "independent transfers of datasets")
for line in files:
    calls = line["metadata"]
    check(calls["open"]["calls"] == 1 and calls["close"]["calls"] == 1, "opened and closed once")
    check(calls["create"]["calls"] >= 1, "datasets were created")
    check(all(each["nanoseconds"]["max"] <= line["nanoseconds_open"] * 2 for each in calls.values()), "time open")
check(len(files) > 0, "a line for each file")
for metric in ("independent_writes", "independent_reads", "collective_writes", "collective_reads",
               "view_changes", "bytes_written", "bytes_read"):
    have = sum(line["totals"][metric]["sum"] for line in transfers)
    check(have == wanted[metric], "%s: log %d, MPI %d" % (metric, have, wanted[metric]))
check(refused <= 2, "%d transfers failed" % refused)
print("report: %d lines, %d collective" % (len(lines), len(collective)))
for what in failed[:20]:
    print("not so: " + what)
sys.exit(1 if failed else 0)
PY

# A log that can't be written is one warning, and no failure.
PCIO_RUN_QUIET=1 PCIO_REPORT=$folder/missing/log.jsonl "$PCIO_RUN_PAR" "$np" "${PAR_SECONDS:-120}" \
  "$PCIO_BUILDDIR/testpar/t_reported_counts" >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
[ "$(grep -c "can't append" "$folder/out")" = 1 ] || { echo "not one warning"; cat "$folder/out"; exit 1; }
