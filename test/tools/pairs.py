#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Pairs of small files, and what h5diff and pciodiff say of each. Room: test/tools. Run by diff.sh, in a folder of
# its own. Arguments: the command for pciodiff. The exit status and, where there are no words of its own in it, the
# text are the same.

import subprocess
import sys

import h5py
import numpy as np

PAIRS = []


def pair(name, first, second, *options):
    PAIRS.append((name, first, second, options))


def data(values, dtype=None, **more):
    return lambda f: f.create_dataset("d", data=values, dtype=dtype, **more)


def both(*makers):
    return lambda f: [make(f) for make in makers]


def attribute(value, name="a", **more):
    return lambda f: f.create_dataset("d", data=np.arange(3)).attrs.create(name, value, **more)


def link(target):
    return both(base, lambda f: f.__setitem__("s", target))


def sequences(rows):
    def make(f):
        d = f.create_dataset("d", (len(rows),), dtype=h5py.vlen_dtype("i4"))
        for i, row in enumerate(rows):
            d[i] = np.array(row, dtype="i4")
    return make


def references(targets):
    def make(f):
        f["x"], f["y"] = np.arange(3), np.arange(3) + 1
        f.create_group("g"), f.create_group("h")
        d = f.create_dataset("d", (len(targets),), dtype=h5py.ref_dtype)
        for i, target in enumerate(targets):
            d[i] = f[target].ref
    return make


def regions(part):
    def make(f):
        f["x"] = np.arange(30)
        f.create_dataset("d", (1,), dtype=h5py.regionref_dtype)[0] = f["x"].regionref[part]
    return make


def arrays(start):
    def make(f):
        d = f.create_dataset("d", (3,), dtype=np.dtype(("i4", (2,))))
        d[...] = np.arange(start, 6 + start).reshape(3, 2)
    return make


def linked_twice(values):
    def make(f):
        f["a"] = values
        f["b"] = f["a"]
        group = f.create_group("g")
        group["c"], group["loop"], f["h"] = f["a"], f["/"], group
    return make


def many_elements(last):
    return lambda f: f.create_dataset("d", data=np.r_[0:1200000, last], dtype="f8", chunks=(100000,))


base = data(np.arange(10), "i4")
extra = both(base, lambda f: f.create_dataset("e", data=1))
text = h5py.string_dtype()
two = np.dtype([("a", "i4"), ("b", "f8")])
nan = float("nan")


def enum(values, names):
    return data(values, h5py.enum_dtype(names))


pair("alike", base, base)
pair("an element", base, data(np.r_[0:9, 20], "i4"))
pair("an object more", base, extra)
pair("a group more", base, both(base, lambda f: f.create_group("e")))
pair("nothing in common", base, lambda f: f.create_dataset("e", data=1))
pair("wider integers", base, data(np.arange(10), "i8"))
pair("another sign", base, data(np.arange(10), "u4"))
pair("another class", base, data(np.arange(10), "f4"), "-c")
pair("wider floats", data([.5, 1], "f4"), data([.5, 2], "f8"))
pair("another order", base, data(np.arange(10) + 1, ">i4"))
pair("another shape", base, data(np.arange(11), "i4"))
pair("another shape, told", base, data(np.arange(11), "i4"), "-c")
pair("another rank", base, data(np.arange(10).reshape(2, 5), "i4"))
pair("another layout", base, data(np.arange(10), "i4", chunks=(3,), compression=1))
pair("no numbers", data([1, nan, 3.]), data([1, nan, 4.]))
pair("no number in one", data([1, nan, 3.]), data([1, 2, 3.]))
pair("no look for such", data([1, nan, 3.]), data([1, nan, 4.]), "-N")
pair("an attribute", attribute(1), attribute(2))
pair("an attribute more", attribute(1), attribute(1, "b"))
pair("type of an attribute", attribute(1, dtype="i4"), attribute(1, dtype="f8"))
pair("shape of an attribute", attribute([1, 2]), attribute([1, 2, 3]))
pair("text of an attribute", attribute("abc"), attribute("abd"))
pair("attributes, told", attribute([1, 2]), attribute([1, 3]), "-r")
pair("attributes, in full", attribute(1), attribute(2), "-v2")
pair("attribute of the root", lambda f: f.attrs.create("x", 1), lambda f: f.attrs.create("x", 2))
pair("soft links", link(h5py.SoftLink("/d")), link(h5py.SoftLink("/x")))
pair("soft links, followed", link(h5py.SoftLink("/d")), link(h5py.SoftLink("/x")), "--follow-symlinks")
pair("external links", link(h5py.ExternalLink("a.h5", "/d")), link(h5py.ExternalLink("b.h5", "/d")))
pair("another kind of link", link(h5py.SoftLink("/d")), both(base, lambda f: f.__setitem__("s", f["d"])))
pair("another kind of object", lambda f: f.create_group("d"), base)
pair("enumeration", enum([0, 1, 1], {"A": 0, "B": 1}), enum([0, 1, 0], {"A": 0, "B": 1}), "-r")
pair("values of enumeration", enum([0, 1, 1], {"A": 0, "B": 1}), enum([1, 0, 0], {"A": 1, "B": 0}))
pair("compound", data(np.array([(1, 2), (3, 4)], two)), data(np.array([(2, 3), (3, 4)], two)), "-r")
pair("fewer members", data(np.array([(1, 2)], two)), data(np.array([(1,)], [("a", "i4")])))
pair("sequences", sequences([[1, 2], [3]]), sequences([[1, 2], [4]]))
pair("longer sequences", sequences([[1, 2], [3]]), sequences([[1, 2, 3], [4, 4]]), "-r")
pair("texts", data(["ab", "xyz"], text), data(["abc", "x"], text), "-r")
pair("texts of one length", data(np.array([b"ab", b"xyz"], "S4")), data(np.array([b"abc", b"x"], "S4")), "-r")
pair("texts of two lengths", data(np.array([b"ab"], "S4")), data(np.array([b"ac"], "S5")))
pair("kinds of texts", data(np.array([b"ab"], "S4")), data(["ab"], text))
pair("arrays", arrays(0), arrays(1), "-r")
pair("opaque", data(np.array([b"abc", b"xyz"], "V3")), data(np.array([b"abc", b"xqq"], "V3")), "-r")
pair("committed types", lambda f: f.__setitem__("t", np.dtype("i4")), lambda f: f.__setitem__("t", np.dtype("i8")))
pair("references", references("xy"), references("yy"))
pair("references, alike", references("xy"), references("xy"), "-r")
pair("references to groups", references("gx"), references("hx"))
pair("regions", regions(slice(0, 5)), regions(slice(1, 6)))
pair("regions, alike", regions(slice(0, 5)), regions(slice(0, 5)))
pair("nothing in them", data(h5py.Empty("i4")), data(h5py.Empty("i4")))
pair("no elements", lambda f: f.create_dataset("d", (0,)), lambda f: f.create_dataset("d", (3,)))
pair("scalar", data(3), data([3]))
pair("delta", data([1., 2.]), data([1.05, 2.5]), "-d", "0.1")
pair("delta of integers", data([1, 20]), data([3, 30]), "-d", "5")
pair("relative", data([1., 2.]), data([1.05, 2.5]), "-p", "0.1", "-r")
pair("relative to nothing", data([0., 2.]), data([1, 2.]), "-p", "0.1", "-r")
pair("epsilon", data([1., 2.]), data([1 + 1e-17, 2 + 1e-15]), "--use-system-epsilon")
pair("so many", base, data(np.arange(10) + 1, "i4"), "-n", "3", "-r")
pair("quiet", base, data(np.arange(10) + 1, "i4"), "-q")
pair("verbose", extra, base, "-v")
pair("left out", base, extra, "--exclude-path", "/e")
pair("rows", data(np.zeros((3, 4))), data(np.eye(3, 4)), "-r")
pair("two links to one", linked_twice([1, 2]), linked_twice([1, 3]), "-v")
pair("many elements", many_elements(1.), many_elements(2.), "-r")
pair("large numbers", data([2**63, 1], "u8"), data([2**63 + 1, 1], "u8"))


def told(output):
    """What is compared of the text: h5diff's empty lines, and its order where one of two texts has ended, are its own."""
    return [line for line in output.splitlines() if line and "\\000" not in line]


def main():
    ours = sys.argv[1:]
    passed = failed = differ = alike = 0
    for number, (name, first, second, options) in enumerate(PAIRS):
        files = ["%d.%s.h5" % (number, side) for side in "ab"]
        for file, make in zip(files, (first, second)):
            with h5py.File(file, "w") as f:
                make(f)
        theirs = subprocess.run(["h5diff", *options, *files], capture_output=True, text=True)
        mine = subprocess.run([*ours, *options, *files], capture_output=True, text=True)
        if theirs.returncode == mine.returncode and told(theirs.stdout) == told(mine.stdout):
            passed += 1
        else:
            failed += 1
            print("FAILED %s %s: h5diff says %d, pciodiff %d\n%s--- pciodiff\n%s%s" % (
                name, " ".join(options), theirs.returncode, mine.returncode, theirs.stdout[:400],
                mine.stdout[:400], mine.stderr[:400]))
        differ, alike = differ + (theirs.returncode == 1), alike + (theirs.returncode == 0)
    print("%d pairs, %d of them different, %d not" % (len(PAIRS), differ, alike))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not differ or not alike else 0


if __name__ == "__main__":
    sys.exit(main())
