#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A file with some of everything, and what h5diff doesn't see of a copy of it. Room: test/tools. Run by repack.sh.
#   repack_files.py make FILE
#   repack_files.py same FILE COPY [layout]     "layout": chunks and filters are as well
#   repack_files.py chunks COPY DATASET DIMxDIM FILTER

import sys

import h5py
import numpy as np


def make(name):
    with h5py.File(name, "w", userblock_size=1024, track_order=True) as f:
        f.attrs["z"], f.attrs["a"] = "last first", [1, 2, 3]
        rows = np.arange(60000, dtype="f8").reshape(300, 200)
        f.create_dataset("z/rows", data=rows, chunks=(64, 50), compression=4, shuffle=True, maxshape=(None, 200))
        f.create_dataset("z/plain", data=rows[:50].astype(">i4"), fillvalue=7)
        sparse = f.create_dataset("z/sparse", (100000, 100), "i2", chunks=(100, 100), fillvalue=-3)
        sparse[5000:5010] = 1
        f.create_dataset("never", (1000,), "f4", fillvalue=2.5)
        f.create_dataset("scalar", data=np.float32(1.5))
        f.create_dataset("empty", data=h5py.Empty("i4"))
        f.create_dataset("none", (0, 4), "i4", maxshape=(None, 4), chunks=(8, 4))
        f["type"] = np.dtype([("x", "i4"), ("name", h5py.string_dtype())])
        typed = f.create_dataset("typed", (40,), dtype=f["type"])
        typed[...] = np.array([(i, "n%d" % i) for i in range(40)], dtype=typed.dtype)
        words = f.create_dataset("words", (3000,), dtype=h5py.string_dtype(), chunks=(100,), compression=1)
        words[...] = ["word %d" % i * (i % 7) for i in range(3000)]
        lists = f.create_dataset("lists", (50,), dtype=h5py.vlen_dtype("i4"))
        for i in range(50):
            lists[i] = np.arange(i % 5)
        f["again"] = f["z/rows"]
        f["soft"], f["lost"] = h5py.SoftLink("/z/rows"), h5py.SoftLink("/nowhere")
        f["other"] = h5py.ExternalLink("other.h5", "/there")
        f["z/up"] = f["/"]
        targets = f.create_dataset("targets", (3,), dtype=h5py.ref_dtype)
        targets[0], targets[1] = f["z/rows"].ref, f["z"].ref
        parts = f.create_dataset("parts", (2,), dtype=h5py.regionref_dtype)
        parts[0], parts[1] = f["z/rows"].regionref[3:9, 2:4], f["z/plain"].regionref[7]
        f["z/rows"].make_scale("the rows")
        f["z/plain"].dims[0].label = "time"
        f["axis"] = np.arange(50)
        f["axis"].make_scale("axis")
        f["z/plain"].dims[0].attach_scale(f["axis"])
        h5py.h5o.set_comment(f["z"].id, b"a comment")
        layout = h5py.VirtualLayout(shape=(10, 200), dtype="f8")
        layout[...] = h5py.VirtualSource(".", "z/rows", shape=(300, 200))[:10]
        f.create_virtual_dataset("virtual", layout)
    with open(name, "r+b") as f:
        f.write(b"user block")


def walk(f):
    """What there is by path: links in order, and of each object what h5diff doesn't compare."""
    found = []

    def visit(group, path, seen):
        for name in group:
            link = group.get(name, getlink=True)
            words = [path + "/" + name, type(link).__name__, getattr(link, "path", ""), getattr(link, "filename", "")]
            if isinstance(link, h5py.HardLink):
                item = group[name]
                address = h5py.h5o.get_info(item.id).addr
                words += ["first at", seen.setdefault(address, path + "/" + name), list(item.attrs)]
                if isinstance(item, h5py.Dataset):
                    words += [item.shape, item.maxshape, str(item.dtype), str(item.fillvalue) if item.dtype.kind in "iuf" else "", item.is_virtual,
                              item.id.get_type().committed(), [d.label for d in item.dims] if item.shape else "",
                              [[s.name for s in d.values()] for d in item.dims] if item.shape and not h5py.h5ds.is_scale(item.id) else ""]
                if isinstance(item, h5py.Group) and seen[address] == path + "/" + name:
                    found.append(words)
                    visit(item, path + "/" + name, seen)
                    continue
            found.append(words)

    visit(f, "", {h5py.h5o.get_info(f.id).addr: "/"})
    found.append(["root", list(f.attrs), f.userblock_size])
    for i, reference in enumerate(f["targets"][()]):
        found.append(["target", i, f[reference].name if reference else None])
    for i, reference in enumerate(f["parts"][()]):
        found.append(["part", i, f[reference].name, h5py.h5r.get_region(reference, f.id).get_select_bounds()])
    found.append(["stored of sparse", f["z/sparse"].id.get_num_chunks() <= 2, f["z/sparse"].chunks])
    return found


def same(name, copy, layout):
    with h5py.File(name) as one, h5py.File(copy) as other:
        a, b = walk(one), walk(other)
        wrong = [(x, y) for x, y in zip(a, b) if str(x) != str(y)]
        if layout:
            for path in ("z/rows", "words", "z/plain"):
                x, y = one[path], other[path]
                if (x.chunks, x.compression, x.compression_opts, x.shuffle) != (
                        y.chunks, y.compression, y.compression_opts, y.shuffle):
                    wrong.append((path, y.chunks, y.compression))
    blocks = [open(file, "rb").read(1024) for file in (name, copy)]
    if blocks[0] != blocks[1]:
        wrong.append("user block")
    if len(a) != len(b) or wrong:
        print("%d and %d entries; %s" % (len(a), len(b), wrong[:3]))
        return 1
    return 0


def chunks(copy, dataset, shape, compression):
    with h5py.File(copy) as f:
        found = f[dataset]
        right = found.chunks == tuple(int(n) for n in shape.split("x")) and str(found.compression) == compression
        if not right:
            print(found.chunks, found.compression)
        return 0 if right else 1


if __name__ == "__main__":
    if sys.argv[1] == "make":
        sys.exit(make(sys.argv[2]))
    if sys.argv[1] == "same":
        sys.exit(same(sys.argv[2], sys.argv[3], len(sys.argv) > 4))
    sys.exit(chunks(*sys.argv[2:]))
