# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Chunked datasets with filters, written, read, resized and rewritten at random by libpcio and
# libhdf5 in turn (filter_campaign.cpp), each time compared with a model by both.
#
#   filter_campaign.py FIRST_SEED COUNT
#
# The last line has seed, cases, failures and how often each value of each dimension was there; a
# value that never was is a failure. Room: test/oracle.
import collections
import os
import subprocess
import sys
import tempfile

EXPECTED = {
    "filter": "none deflate shuffle+deflate fletcher32 szip nbit scaleoffset deflate+fletcher32 "
    "shuffle+deflate+fletcher32".split(),
    "type": "i32le i16be i64le f64be u12in32".split(),
    "ndims": "1 2 3".split(),
    "alloc": "default early late incr".split(),
    "fill": "0 1 2".split(),
    "fill_time": "0 1 2".split(),
    "cache": "0 1 2 3".split(),
    "libver": "0 1".split(),
    "transform": "0 1".split(),
    "edge": "0 1".split(),
    "max": "0 1 2".split(),
    "memory": "0 1 2 3".split(),
    "op": "write_whole write_box write_strided write_points read_box grow shrink reopen flush "
    "recreate write_chunk_copy".split(),
    "who": "pcio hdf5 pcio+hdf5 hdf5+pcio".split(),
}
PCIO = os.path.join(os.environ["ORACLE_PCIO"], "filter_campaign")
HDF5 = os.path.join(os.environ["ORACLE_HDF5"], "filter_campaign")


def run(program, seed, first, last, path):
    done = subprocess.run([program, str(seed), str(first), str(last), path], capture_output=True,
                          text=True, timeout=120, errors="replace")
    if done.returncode == 0:
        return 0, done.stdout
    return done.returncode, done.stdout + done.stderr


def one_case(seed, path):
    """Runs a case; returns (who, line of its dimensions or None, what went wrong or None)."""
    who = EXPECTED["who"][seed % 4]
    order = {"pcio": [PCIO], "hdf5": [HDF5], "pcio+hdf5": [PCIO, HDF5], "hdf5+pcio": [HDF5, PCIO]}
    programs = order[who]
    line = None
    steps = []
    for session in range(4):
        mine = programs[session % len(programs)]
        other = HDF5 if mine == PCIO else PCIO
        steps.append((mine, session, session + 1))
        steps.append((other, session + 1, session + 1))
    for program, first, last in steps:
        code, text = run(program, seed, first, last, path)
        if code != 0:
            name = "pcio" if program == PCIO else "hdf5"
            return who, None, f"{name} session {first}-{last}: {text[-1500:]}"
        line = text.strip().split("\n")[-1]
        if int(line.split("sessions=")[1].split()[0]) <= last and first == last:
            break
    return who, line, None


def oracle_fails(seed, path):
    """True where libhdf5 by itself does not get through the case: it has faults of its own."""
    try:
        return run(HDF5, seed, 0, 99, path)[0] != 0
    except subprocess.TimeoutExpired:
        return True


MASKS = """
import sys, h5py
data = h5py.File(sys.argv[1], "r")
for name in data:
    for i in range(data[name].id.get_num_chunks()):
        info = data[name].id.get_chunk_info(i)
        if info.filter_mask:
            print(name, info.chunk_offset, info.size, info.filter_mask)
"""


def masks(path):
    """Chunks with a mask: where, how large, which."""
    python = os.environ.get("ORACLE_H5PY")
    if not python:
        return set()
    done = subprocess.run([python, "-c", MASKS, path], capture_output=True, text=True, timeout=120)
    return set(done.stdout.splitlines())


def oracle_kept_masks(seed, wrong, path):
    """True where the session of libhdf5 that went wrong left masks as they were: 1.10.8 forgets to
    change the mask of a chunk that takes as many bytes as before."""
    if not wrong.startswith("hdf5 session"):
        return False
    first, last = map(int, wrong.split()[2].rstrip(":").split("-"))
    programs = [PCIO, HDF5] if seed % 4 == 2 else [HDF5, PCIO]
    for session in range(first):
        run(programs[session % 2], seed, session, session + 1, path)
    before = masks(path)
    run(HDF5, seed, first, last, path)
    return first < last and bool(before & masks(path))


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    seen = {key: collections.Counter() for key in EXPECTED}
    failures = left_out = 0
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        path = os.path.join(folder, "case.h5")
        for seed in range(first, first + count):
            who, line, wrong = one_case(seed, path)
            if wrong and who != "pcio" and (oracle_fails(seed, path) or
                                            oracle_kept_masks(seed, wrong, path)):
                left_out += 1
                continue
            if wrong:
                failures += 1
                print(f"seed {seed} ({who}): {wrong}")
                continue
            seen["who"][who] += 1
            for word in line.split()[1:]:
                key, value = word.split("=")
                if key in seen:
                    seen[key][value] += 1
    empty = [f"{key}={value}" for key, values in EXPECTED.items() for value in values
             if seen[key][value] == 0]
    parts = " ".join(f"{key}:" + ",".join(f"{v}={seen[key][v]}" for v in values)
                     for key, values in EXPECTED.items())
    print(f"filter_campaign seed {first} cases {count} failures {failures} "
          f"left out for libhdf5's faults {left_out} empty {len(empty)} {parts}")
    if empty:
        print("never seen: " + " ".join(empty))
    return 1 if failures or empty or left_out * 20 > count else 0


sys.exit(main())
