# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# steady.py LOG [LATE]: prints the log with the times that a plain machine would take for what was counted: calls, bytes,
# messages. What is said of such a log follows from counts alone, whatever else the machine that ran the program did.
# LATE: milliseconds by which one rank comes last to each transfer; which one it is stands in the log. Room: test/report.
import json
import sys

# Seconds: of a byte in the file, between ranks, converted, filtered; of a call of MPI-IO, a message, an agreement, a chunk.
FILE, SENT, CONVERTED, FILTERED, COPIED = 1e-9, 1e-9, 2e-9, 4e-9, 0.2e-9
CALL, MESSAGE, AGREEMENT, CHUNK = 10e-6, 5e-6, 50e-6, 1e-6
CALLS = ["independent_writes", "independent_reads", "collective_writes", "collective_reads", "posix_writes", "posix_reads"]


def times(count, transfers, late):
    """Of all ranks together, by metric; `count` gives the sum over the ranks of what is counted."""
    spent = {
        "nanoseconds_agreement": 2 * AGREEMENT * transfers,
        "nanoseconds_exchange": SENT * count("bytes_sent") + MESSAGE * count("messages_sent"),
        "nanoseconds_file": FILE * (count("bytes_written") + count("bytes_read")) + CALL * sum(map(count, CALLS)),
        "nanoseconds_filters": FILTERED * count("bytes_raw"),
        "nanoseconds_conversion": CONVERTED * count("bytes_selected") if count("converted") else 0,
        "nanoseconds_fill": FILE * count("bytes_filled"),
    }
    rest = COPIED * count("bytes_selected") + CHUNK * count("chunks_touched")
    spent["nanoseconds"] = sum(spent.values()) + rest + late
    spent["nanoseconds_agreement"] += late
    return spent


def shared_out(metric, seconds, ranks, last):
    """Each rank has as much; but the last one does not wait."""
    each = round(1e9 * seconds / ranks)
    least = 0 if last is not None else each
    return {"sum": each * ranks, "min": least, "min_rank": last or 0, "max": each, "max_rank": 0}


def steady_transfer(line, late):
    totals, ranks = line["totals"], line["ranks"]
    count = lambda metric: totals.get(metric, {}).get("sum", 0)
    collective = line["kind"] == "collective"
    last = totals["nanoseconds_agreement"]["min_rank"] if collective and late else None
    transfers = ranks if collective else 0
    for metric, seconds in times(count, transfers, late * (ranks - 1) if collective else 0).items():
        totals[metric] = shared_out(metric, seconds, ranks, last if metric == "nanoseconds_agreement" else None)


def steady_calls(calls, ranks):
    """Metadata: a call agrees once, and writes what it writes on one rank."""
    count = lambda metric: calls.get(metric, {}).get("sum", 0)
    fill = FILE * count("bytes_filled") / ranks
    file = FILE * (count("bytes_written") + count("bytes_read")) / ranks
    agreement = AGREEMENT * calls["calls"]
    for metric, seconds in [("nanoseconds", fill + file + agreement), ("nanoseconds_agreement", agreement),
                            ("nanoseconds_file", file), ("nanoseconds_fill", fill)]:
        calls[metric] = {"sum": round(1e9 * seconds * ranks), "max": round(1e9 * seconds)}


def main(log, late=0):
    for text in open(log):
        line = json.loads(text)
        if line["kind"] in ("collective", "independent"):
            steady_transfer(line, float(late) / 1000)
        elif line["kind"] == "file":
            for calls in line["metadata"].values():
                steady_calls(calls, line["ranks"])
        print(json.dumps(line))


main(*sys.argv[1:])
