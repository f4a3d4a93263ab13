#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Prints every dataset of a file with the hash of its values in the file's type, as listall does,
# but read by h5py. Room: test/oracle.

import sys

import h5py
import numpy

MASK = (1 << 64) - 1


def hash_bytes(value, data):
    for byte in data:
        value = ((value ^ byte) * 1099511628211) & MASK
    return value


def ranges(kind, at):
    """Byte ranges of an element that are values, gaps between members left out."""
    if isinstance(kind, h5py.h5t.TypeCompoundID):
        found = []
        for i in range(kind.get_nmembers()):
            found += ranges(kind.get_member_type(i), at + kind.get_member_offset(i))
        return found
    if isinstance(kind, h5py.h5t.TypeArrayID):
        base, found = kind.get_super(), []
        count = kind.get_size() // base.get_size()
        for i in range(count):
            found += ranges(base, at + i * base.get_size())
        return found
    return [(at, at + kind.get_size())]


def quoted(name):
    text = ""
    for byte in name.encode("utf-8", "surrogateescape"):
        plain = 0x20 <= byte < 0x7f and byte not in (0x22, 0x5c)
        text += chr(byte) if plain else "\\x%02x" % byte
    return '"' + text + '"'


def show(path, dataset):
    print("object %s dataset" % quoted(path))
    space, kind = dataset.id.get_space(), dataset.id.get_type()
    count = space.get_simple_extent_npoints() if dataset.shape is not None else 0
    if count == 0:
        return
    size = kind.get_size()
    data = numpy.zeros(count * size, dtype="u1")
    whole = h5py.h5s.create_simple(dataset.shape) if dataset.shape else \
        h5py.h5s.create(h5py.h5s.SCALAR)
    dataset.id.read(whole, whole, data, mtype=kind)
    raw, value, pieces = data.tobytes(), 14695981039346656037, ranges(kind, 0)
    for i in range(count):
        for begin, end in pieces:
            value = hash_bytes(value, raw[i * size + begin:i * size + end])
    print("  values in the file's type: %016x" % value)


def walk(group, path, seen):
    for name in sorted(group):
        link = group.get(name, getlink=True)
        if not isinstance(link, h5py.HardLink):
            continue
        item, full = group[name], path + "/" + name
        before = seen.setdefault(h5py.h5o.get_info(item.id).addr, full)
        if before != full:
            print("object %s is %s" % (quoted(full), quoted(before)))
        elif isinstance(item, h5py.Group):
            walk(item, full, seen)
        elif isinstance(item, h5py.Dataset):
            show(full, item)


with h5py.File(sys.argv[1], "r") as file:
    walk(file, "", {})
