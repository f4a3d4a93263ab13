#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Compares two listings of every well-formed foreign file: by libhdf5 and by libpcio.
# Room: test/corpus. Run by valid.sh.
#
# Files of a class that begins with core must be listed and read equal but for those named below, and
# those with a plugin's filter where the plugin is installed.
# Of every other file each object is equal or refused with a reason; nothing is misread.
# Arguments: names of files to look at, with their differences; none means all.

import collections
import concurrent.futures
import csv
import glob
import os
import subprocess
import sys

CORPUS = os.path.join(os.environ["PCIO_CORPUS"], "valid")
ORACLE = os.path.join(os.environ["ORACLE_HDF5"], "listall")
SUBJECT = os.path.join(os.environ["ORACLE_PCIO"], "listall")
SECONDS = 60
LIMIT_MIB = "48"

# Files of the core in which the two differ, and why.
NEWER = "references as 1.12 writes them: bytes; libhdf5 1.10.8 takes these for region references, or crashes"
COUNTS = "libhdf5 1.10.8 lists attributes of these committed types and counts none"
EXPLAINED = {
    "hdf5-suite/trefer_grp.h5": NEWER,
    "hdf5-suite/trefer_param.h5": NEWER,
    "hdf5-suite/trefer_reg.h5": NEWER,
    "hdf5-suite/trefer_reg_1d.h5": NEWER,
    "jld2/recoverable_changes_in_structs.jld2": COUNTS,
    "jld2/struct_reconstruction.jld2": COUNTS,
    "jld2/unionall_typeparam.jld2": COUNTS,
}
FILTERS = {"1", "2", "3", "4", "5", "6"}
# Filters that come with plugins: what Debian's packages install.
PLUGINS = {"307": "libh5bz2.so", "32000": "liblzf_filter.so", "32001": "libH5Zblosc.so",
           "32004": "libh5lz4.so", "32013": "libh5zzfp.so"}


def installed_plugins():
    folders = os.environ.get("HDF5_PLUGIN_PATH", "").split(":")
    folders += glob.glob("/usr/lib/*/hdf5/serial/plugins")
    return {number for number, name in PLUGINS.items()
            if any(os.path.exists(os.path.join(folder, name)) for folder in folders if folder)}


WITH_PLUGINS = FILTERS | installed_plugins()

# Lines of an object that come after those of its attributes.
BACK_TO_THE_OBJECT = ("  links: ", "  elements", "  refused: H5G", "  refused: H5L",
                      "  refused: H5D")


def parts(text):
    return {part for part in text.split("+") if part not in ("", "-")}


def must_be_equal(row):
    plugin = row["class"].startswith("plugin filter")
    return ((row["class"].startswith("core") or plugin) and row["file"] not in EXPLAINED and
            parts(row["filters"]) <= (WITH_PLUGINS if plugin else FILTERS))


def oracle_environment():
    """Debian's plugin for lzf does not say that it needs liblzf; libhdf5 must be helped."""
    changed = dict(os.environ)
    if glob.glob("/usr/lib/*/liblzf.so.1"):
        changed["LD_PRELOAD"] = "liblzf.so.1"
    return changed


ORACLE_ENVIRONMENT = oracle_environment()


def listing(program, name):
    try:
        done = subprocess.run([program, "--max-mib", LIMIT_MIB, name], stdout=subprocess.PIPE,
                              env=ORACLE_ENVIRONMENT if program == ORACLE else None,
                              stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 124, ""
    return done.returncode, done.stdout.decode("ascii", "replace")


def blocks(text):
    """The listing cut at lines that begin an object or an attribute: {heading: lines}.

    A heading is the object's name and, of an attribute, its name too.
    """
    found, heading, of = collections.OrderedDict(), "", ""
    for line in text.splitlines():
        if line.startswith("object ") or line.startswith("file"):
            heading = of = line[:line.rfind('"') + 1] if '"' in line else line.split(" ")[0]
        elif line.startswith("  attribute "):
            heading = of + line
        elif line.startswith("link: "):
            heading = line
        elif line.startswith(BACK_TO_THE_OBJECT):
            heading = of
        found.setdefault(heading, []).append(line)
    return found


def refusals(lines):
    return [line.strip() for line in lines if line.startswith("  refused: ")]


def is_subsequence(few, many):
    rest = iter(many)
    return all(line in rest for line in few)


def said_in(lines, refused):
    """What a block says; the heading of an object that was refused says nothing."""
    said = [line for line in lines if not line.startswith("  refused: ")]
    if said and said[0].startswith("object "):
        # libhdf5 does not count the attributes of some types that it lists.
        said[0] = said[0].split(" attributes=")[0]
    if refused and said and said[0].startswith(("object ", "file")):
        said = said[1:]
    return said


def misread(theirs, ours):
    """Lines that libpcio says and libhdf5 does not, and what is missing without a refusal."""
    wrong, refused_above = [], False
    their_blocks, our_blocks = blocks(theirs), blocks(ours)
    # Where libhdf5 itself refuses an object it cannot say what is right there.
    unknown = {heading.split("  attribute ")[0] for heading, lines in their_blocks.items()
               if refusals(lines)}
    for heading, lines in our_blocks.items():
        refused = refusals(lines)
        refused_above = refused_above or bool(refused)
        said = said_in(lines, refused)
        full = said_in(their_blocks.get(heading, []), refused)
        if any(line.endswith("no reason given") for line in refused):
            wrong.append("a refusal without a reason: " + refused[0])
        elif heading.split("  attribute ")[0] in unknown or "file" in unknown:
            continue
        elif not is_subsequence(said, full):
            extra = [line for line in said if line not in full]
            wrong.append("says %s of %s" % (extra[:2], heading))
        elif len(said) < len(full) and not refused:
            wrong.append("says less of %s" % heading)
    missing = [heading for heading in their_blocks if heading not in our_blocks]
    if missing and not refused_above and not refusals(theirs.splitlines()):
        wrong.append("does not see " + missing[0])
    return wrong


def compare(row):
    name = os.path.join(CORPUS, row["file"])
    _, theirs = listing(ORACLE, name)
    status, ours = listing(SUBJECT, name)
    if status not in (0, 1, 3):
        return "failed", ["ends with status %d" % status], ""
    if theirs == ours:
        return "equal", [], ours
    # A foreign writer's file with a plugin may be one that libhdf5 reads in part only.
    if must_be_equal(row) and (row["class"].startswith("core") or not refusals(theirs.splitlines())):
        lines = zip(theirs.splitlines() + ["(end)"], ours.splitlines() + ["(end)"])
        first = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
        return "failed", ["libhdf5: %s | libpcio: %s" % (first[0].strip(), first[1].strip())], ours
    wrong = misread(theirs, ours)
    return ("failed", wrong, ours) if wrong else ("refused", [], ours)


def main():
    with open(os.path.join(CORPUS, "INDEX.tsv"), newline="") as index:
        rows = list(csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [row for row in rows if len(sys.argv) == 1 or row["file"] in sys.argv[1:]]
    counts, reasons = collections.Counter(), collections.Counter()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for row, (result, wrong, ours) in zip(rows, pool.map(compare, rows)):
            core = must_be_equal(row)
            counts[(core, result)] += 1
            if result == "failed":
                failed += 1
                print("FAILED %s%s: %s" % (row["file"], " (core)" if core else "",
                                           "; ".join(wrong[:3])))
            if result == "refused":
                for line in set(refusals(ours.splitlines())):
                    reasons[line.split(": ", 2)[-1]] += 1
    selected = sum(number for (core, _), number in counts.items() if core)
    missing = sorted(set(PLUGINS) - WITH_PLUGINS)
    if missing:
        print("SKIP: no plugin for filter " + ", ".join(missing))
    print("core: %d files, %d listed and read equal to libhdf5" %
          (selected, counts[(True, "equal")]))
    print("others: %d equal, %d equal but for what is refused with a reason, %d failed" %
          (counts[(False, "equal")], counts[(False, "refused")], counts[(False, "failed")]))
    for name, why in sorted(EXPLAINED.items()):
        print("  explained: %s: %s" % (name, why))
    print("reasons of refusals, and in how many files:")
    for reason, number in reasons.most_common(40):
        print("  %4d %s" % (number, reason))
    print("%d passed, %d failed" % (len(rows) - failed, failed))
    return 1 if failed or selected == 0 and len(sys.argv) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
