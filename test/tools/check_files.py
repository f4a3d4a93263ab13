# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# pciocheck against files that h5py makes, and against damages that are planted in them. Room: test/tools.
#
#   check_files.py sound WORK                  files with some of everything: each is sound
#   check_files.py damage WORK SEED CASES      one damage a case; what is told must fit it
#
# PCIO_CHECK_TOOL has the command, as words. The last line of `damage` is the seed, the cases, how many there were of
# each kind, and the failures; a kind of which there was none is one.
import ctypes
import json
import os
import random
import shlex
import struct
import subprocess
import sys

import h5py
import numpy

TOOL = shlex.split(os.environ["PCIO_CHECK_TOOL"])
SIGNATURES = [b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTIN", b"BTLF", b"FAHD", b"FADB", b"EAHD",
              b"EAIB", b"EADB", b"EASB", b"FSHD", b"FSSE", b"SMTB", b"SMLI"]
UNSUMMED = [b"TREE", b"SNOD", b"HEAP", b"GCOL"]


def check(path, *options):
    done = subprocess.run([*TOOL, "--json", *options, path], capture_output=True, timeout=120)
    try:
        report = json.loads(done.stdout)[0]
    except (ValueError, IndexError):
        report = {"wrong": [], "notes": [], "wrong_count": -1, "error": done.stderr.decode(errors="replace")}
    return done.returncode, report


def fill(f, rng):
    """Some of everything that h5py can write."""
    f.attrs["title"] = "a text of variable length"
    f.attrs["numbers"] = numpy.arange(5)
    f["plain"] = numpy.arange(3000, dtype="f8")
    f.create_dataset("empty", shape=(10,), dtype="i4")
    f.create_dataset("compact", data=numpy.arange(4), dtype="i2")
    f.create_dataset("chunks/pages", (4000,), "i2", chunks=(2,))[...] = 1
    fixed = f.create_dataset("chunks/fixed", (40, 30), "i4", chunks=(8, 10))
    fixed[...] = rng.integers(0, 99, (40, 30))
    f.create_dataset("chunks/single", (40,), "i4", chunks=(40,))[...] = 1
    grown = f.create_dataset("chunks/grown", (6000,), "f4", chunks=(4,), maxshape=(None,))
    grown[...] = rng.random(6000)
    both = f.create_dataset("chunks/both", (30, 30), "f4", chunks=(2, 3), maxshape=(None, None))
    both[...] = rng.random((30, 30))
    packed = f.create_dataset("chunks/packed", (64, 64), "i8", chunks=(16, 16), compression="gzip", shuffle=True)
    packed[...] = rng.integers(0, 1000, (64, 64))
    summed = f.create_dataset("chunks/summed", (100,), "i8", chunks=(25,), fletcher32=True)
    summed[...] = rng.integers(0, 1000, 100)
    words = f.create_dataset("words", (200,), h5py.string_dtype())
    words[...] = ["word %d " % i * int(rng.integers(1, 9)) for i in range(200)]
    lists = f.create_dataset("lists", (50,), h5py.vlen_dtype("i4"), chunks=(7,), compression="gzip")
    for i in range(50):
        lists[i] = numpy.arange(i % 6)
    many = f.create_group("many")
    for i in range(80):
        many["n%03d" % i] = h5py.SoftLink("/empty") if i % 9 == 0 else f["compact"] if i % 9 == 1 else numpy.int32(i)
    few = f.create_group("tracked", track_order=True)
    for i in range(20):
        few.create_group("g%d" % (20 - i))
    for i in range(30):
        few.attrs["a%02d" % i] = numpy.arange(i)
    f["type"] = numpy.dtype([("x", "f8"), ("y", "i4")])
    f.create_dataset("typed", (20,), f["type"])[...] = 0
    # A type that only its users have.
    f["gone"] = numpy.dtype([("z", "f8")])
    f.create_dataset("typed2", (20,), f["gone"])
    del f["gone"]
    refs = f.create_dataset("refs", (4,), h5py.ref_dtype)
    refs[0], refs[1] = f["plain"].ref, f["chunks"].ref
    regions = f.create_dataset("regions", (3,), h5py.regionref_dtype)
    regions[0] = f["plain"].regionref[5:9]
    f["lost"] = h5py.SoftLink("/nowhere")
    f["outside"] = h5py.ExternalLink("none.h5", "/x")
    layout = h5py.VirtualLayout((3000,), "f8")
    layout[:] = h5py.VirtualSource(".", "plain", (3000,))
    if f.libver[0] != "earliest":
        f.create_virtual_dataset("virtual", layout)


def shares_messages():
    """A creation list with shared messages, which h5py has no call for: its libhdf5 is asked."""
    with open("/proc/self/maps") as maps:
        names = {line.split()[-1] for line in maps if "libhdf5" in line and "_hl" not in line}
    lib = ctypes.CDLL(names.pop())
    plist = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    for call, numbers in ((lib.H5Pset_shared_mesg_nindexes, (2,)), (lib.H5Pset_shared_mesg_index, (0, 1 << 0xC, 20)),
                          (lib.H5Pset_shared_mesg_index, (1, 1 << 3 | 1 << 1, 20))):
        if call(ctypes.c_int64(plist.id), *map(ctypes.c_uint, numbers)) < 0:
            raise RuntimeError("no shared messages")
    return plist


def created(path, how):
    if how == "shared":
        fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
        fapl.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
        return h5py.File(h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, shares_messages(), fapl))
    options = {"earliest": {"libver": ("earliest", "latest")}, "latest": {"libver": "latest"},
               "paged": {"libver": "latest", "fs_strategy": "page", "fs_persist": True, "fs_page_size": 4096},
               "kept": {"libver": "latest", "fs_strategy": "fsm", "fs_persist": True},
               "block": {"libver": ("earliest", "latest"), "userblock_size": 1024}}[how]
    return h5py.File(path, "w", **options)


KINDS = ["earliest", "latest", "paged", "kept", "block", "shared"]


def make(work, seed):
    paths = {}
    for how in KINDS:
        paths[how] = os.path.join(work, how + ".h5")
        with created(paths[how], how) as f:
            fill(f, numpy.random.default_rng(seed))
        with h5py.File(paths[how], "r+") as f:  # free space: some is kept, some is lost
            if how in ("paged", "kept"):
                del f["plain"], f["chunks/both"]
    return paths


def sound(work):
    passed = failed = 0
    for how, path in make(work, 1).items():
        for options in ((), ("--deep",)):
            status, report = check(path, *options)
            notes = sorted(n["kind"] for n in report["notes"])
            well = status == 0 and not report["wrong"] and notes.count("link") >= 2
            if not options and well:
                well = report["space"]["bytes"]["data"] > 0 and report["counts"]["groups"] >= 20
            if options and well:
                well = report["counts"]["bytes_read"] > 100000 * (how not in ("paged", "kept"))
            passed, failed = passed + well, failed + (not well)
            if not well:
                print("FAILED %s %s: status %d, %s" % (how, options, status, json.dumps(report["wrong"])[:600]),
                      report.get("error", ""), notes)
    print("%d passed, %d failed" % (passed, failed))
    return failed == 0


def places(data, mark, space):
    """Where blocks with this signature begin that somebody owns."""
    gaps = space["unowned_ranges"] + space["free_ranges"]
    found, at = [], data.find(mark)
    while at >= 0:
        if not any(g["start"] <= at < g["start"] + g["bytes"] for g in gaps):
            found.append(at)
        at = data.find(mark, at + 1)
    return found


class Case:
    """One damage. `wants`: exit statuses; `kinds`: of what is told, one of which must be there; none: nothing."""

    def __init__(self, data, wants, kinds, deep=False):
        self.data, self.wants, self.kinds, self.deep = data, wants, kinds, deep


def flip(data, at, rng):
    data[at] ^= 1 << rng.randrange(8)


def flipped_block(files, rng, mark):
    having = [how for how in KINDS if places(files[how][0], mark, files[how][1])]
    if not having:
        return None
    data, space, _ = files[rng.choice(having)]
    data = bytearray(data)
    flip(data, rng.choice(places(data, mark, space)) + rng.randrange(8 if mark in SIGNATURES else 4), rng)
    return Case(data, (1, 3), None)


PLAIN_BYTES = 24000


def set_address(data, old, new, size=None):
    """False where the old one, with the size behind it if one is given, is not in the file exactly once."""
    bytes_old = old.to_bytes(8, "little") + (size.to_bytes(8, "little") if size else b"")
    if data.count(bytes_old) != 1:
        return False
    at = data.find(bytes_old)
    data[at:at + 8] = new.to_bytes(8, "little")
    return True


def moved_chunk(files, rng):
    data, _, facts = files["earliest"]
    data = bytearray(data)
    one, other = rng.sample(facts["chunks"], 2)
    return Case(data, (3,), ("overlap",)) if set_address(data, one, other) else None


def past_the_end(files, rng):
    data, _, facts = files["earliest"]
    data = bytearray(data)
    moved = set_address(data, facts["plain"], len(data) - 8 * rng.randrange(1, 2000), PLAIN_BYTES)
    return Case(data, (3,), ("end",)) if moved else None


def lost_space(files, rng):
    data, space, facts = files["earliest"]
    data = bytearray(data)
    end = len(data)
    data += bytes(PLAIN_BYTES)
    if not set_address(data, facts["plain"], end, PLAIN_BYTES):
        return None
    data[40:48] = (end + PLAIN_BYTES).to_bytes(8, "little")
    case = Case(data, (0,), ())
    case.unowned = space["unowned"] + PLAIN_BYTES
    return case


def broken_chunk(files, rng):
    data, _, facts = files[rng.choice(["earliest", "latest", "block"])]
    data = bytearray(data)
    start, size = rng.choice(facts["packed"])
    flip(data, start + rng.randrange(size), rng)
    return Case(data, (3,), ("data",), deep=True)


def superblock(files, rng):
    data = bytearray(files["latest"][0])
    flip(data, rng.randrange(8, 48), rng)
    return Case(data, (1, 3), None)


def truncated(files, rng):
    data = bytearray(files[rng.choice(["earliest", "latest"])][0])
    return Case(data[:len(data) - rng.randrange(1, len(data) // 2)], (3,), ("end",))


def lookup3(data):
    """Jenkins' lookup3, little-endian, as the file format has it."""
    mask, size = 0xffffffff, len(data)
    rot = lambda x, k: (x << k | x >> (32 - k)) & mask
    a = b = c = (0xdeadbeef + size) & mask
    if not data:
        return c
    data += bytes(-size % 12)
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    for at in range(0, len(words), 3):
        a, b, c = (a + words[at]) & mask, (b + words[at + 1]) & mask, (c + words[at + 2]) & mask
        if at + 3 == len(words):
            break
        for shift in (4, 6, 8, 16, 19, 4):
            a, c = (a - c & mask) ^ rot(c, shift), c + b & mask
            a, b, c = b, c, a
    for shift in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - rot(b, shift) & mask
        a, b, c = b, c, a
    return b


def link_count(files, rng):
    """An object whose header counts other links than there are."""
    data, _, facts = files["earliest"]
    data = bytearray(data)
    address, links = rng.choice(facts["headers"])
    wrong = rng.choice([n for n in (0, 1, links - 1, links + 1, 100, 1 << 31) if n != links])
    if data[address] != 1 or struct.unpack_from("<I", data, address + 4)[0] != links:
        return None
    struct.pack_into("<I", data, address + 4, wrong)
    return Case(data, (3,), ("link count",))


def with_journal(files, rng):
    """As a program leaves a file that is killed while it overwrites a header: doc/COMMIT.md says how such a file looks."""
    data, _, facts = files["earliest"]
    size, flag = 96, 1 << 62
    last = bytes(data[:size])
    window = last[:40] + struct.pack("<Q", len(data) | flag) + last[48:]
    address = facts["headers"][0][0]
    block = bytes(data[address:address + 16])
    table = struct.pack("<QQII", address, len(block), lookup3(block), 0)
    start, whole = len(data), len(data) + len(block) + len(table) + 2 * size + 128
    trailer = b"PCIOJRNL" + struct.pack("<II9Q4IQ", 1, 128, whole, start, 0, 1, len(block), 7, rng.getrandbits(60),
                                        rng.getrandbits(60), size, lookup3(last), lookup3(window), lookup3(last),
                                        lookup3(table + last + last), 0) + bytes(12)
    cut = bytearray(window + data[size:] + block + table + last + last + trailer + struct.pack("<I", lookup3(trailer)))
    cut[address:address + 8] = bytes(rng.getrandbits(8) for _ in range(8))
    return cut, start


def cut_commit(files, rng):
    return Case(with_journal(files, rng)[0], (3,), ("its journal is whole",))


def spoiled_journal(files, rng):
    cut, start = with_journal(files, rng)
    flip(cut, rng.randrange(start, len(cut)), rng)
    return Case(cut, (3,), ("it cannot be completed",))


def in_free_space(files, rng):
    """The address of a dataset leads into space that the file keeps as free."""
    data, space, facts = files["kept"]
    data = bytearray(data)
    start, size, header = facts["words"]
    free = [g["start"] for g in space["free_ranges"] if g["bytes"] >= 16]
    flags = data[header + 5]
    first = header + 6 + (16 if flags & 32 else 0) + (4 if flags & 16 else 0)
    end = first + (1 << (flags & 3)) + int.from_bytes(data[first:first + (1 << (flags & 3))], "little")
    at = data.find(struct.pack("<QQ", start, size), header, end)
    if not free or data[header:header + 4] != b"OHDR" or at < 0:
        return None
    struct.pack_into("<Q", data, at, rng.choice(free))
    struct.pack_into("<I", data, end, lookup3(bytes(data[header:end])))
    return Case(data, (3,), ("overlap",))


def facts_of(path):
    with h5py.File(path, "r") as f:
        block = f.userblock_size
        facts = {"packed": [], "chunks": [], "plain": 0, "headers": []}
        facts["words"] = (f["words"].id.get_offset(), 200 * 16, h5py.h5o.get_info(f["words"].id).addr)
        for name in ("compact", "empty", "chunks", "words"):
            info = h5py.h5o.get_info(f[name].id)
            facts["headers"].append((info.addr, info.rc))
        for name in ("chunks/packed", "chunks/summed"):
            ids = f[name].id
            facts["packed"] += [(c.byte_offset, c.size) for c in map(ids.get_chunk_info, range(ids.get_num_chunks()))]
        fixed = f["chunks/fixed"].id
        facts["chunks"] = [fixed.get_chunk_info(i).byte_offset - block for i in range(fixed.get_num_chunks())]
        if "plain" in f:
            facts["plain"] = f["plain"].id.get_offset() - block
    return facts


def kinds_of_damage():
    kinds = {m.decode(): (lambda files, rng, m=m: flipped_block(files, rng, m)) for m in SIGNATURES + UNSUMMED}
    kinds.update(counts=link_count, journal=cut_commit, spoiled=spoiled_journal, free=in_free_space, moved=moved_chunk, behind=past_the_end, lost=lost_space, chunk=broken_chunk, superblock=superblock,
                 truncated=truncated)
    return kinds


def well_told(case, status, report):
    told = [w["kind"] for w in report["wrong"]]
    if status not in case.wants:
        return False
    if case.kinds == ():
        return not told and report["space"]["unowned"] == case.unowned
    if case.kinds is None:
        return bool(told) or bool(report.get("error"))
    texts = [w["text"] for w in report["wrong"]]
    return any(kind in told or any(kind in text for text in texts) for kind in case.kinds)


def damage(work, seed, cases):
    rng = random.Random(seed)
    files = {}
    for how, path in make(work, seed).items():
        status, report = check(path)
        if status != 0:
            print("FAILED %s is not sound before anything is planted: %s" % (how, report["wrong"][:3]))
            return False
        with open(path, "rb") as f:
            files[how] = (f.read(), report["space"], facts_of(path))
    kinds = kinds_of_damage()
    names = list(kinds)
    histogram, failures = dict.fromkeys(names, 0), 0
    for number in range(cases):
        name = names[number % len(names)]
        case = kinds[name](files, rng)
        if case is None:
            continue
        path = os.path.join(work, "damaged.h5")
        with open(path, "wb") as f:
            f.write(case.data)
        histogram[name] += 1
        status, report = check(path, *(["--deep"] if case.deep else []))
        well = well_told(case, status, report)
        if well and case.deep:  # not a word of it without reading
            well = check(path)[0] == 0
        if not well:
            failures += 1
            kept = os.path.join(work, "case%d_%s.h5" % (number, name))
            os.replace(path, kept)
            print("FAILED case %d (%s): status %d, %s" % (number, name, status, json.dumps(report)[:500]))
    empty = [name for name, count in histogram.items() if count == 0]
    print("seed %d, %d cases: %s; %d failures%s" % (
        seed, cases, ", ".join("%s %d" % pair for pair in histogram.items()), failures + len(empty),
        ", none of " + " ".join(empty) if empty else ""))
    return failures == 0 and not empty


if __name__ == "__main__":
    if sys.argv[1] == "sound":
        sys.exit(0 if sound(sys.argv[2]) else 1)
    sys.exit(0 if damage(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])) else 1)
