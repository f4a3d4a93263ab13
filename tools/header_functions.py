# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""What the public headers declare: functions with their parameters and doc comments."""

import dataclasses
import glob
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclasses.dataclass
class Parameter:
    name: str
    type: str  # as in a cast: arrays are pointers
    doc: str = ""


@dataclasses.dataclass
class Function:
    name: str
    header: str
    returns: str
    parameters: list
    doc: str  # without the comment's stars, lines joined


def plain_comment(text):
    lines = [re.sub(r"^\s*\*? ?", "", line) for line in text[3:-2].splitlines()]
    return "\n".join(lines)


def parameter(text):
    """`const hsize_t dims[]` as a Parameter; None for `void` and `...`."""
    if text in ("void", "..."):
        return None
    found = re.match(r"(.*?)(\w+)((?:\[[^\]]*\])*)$", text)
    kind = found[1].strip()
    if found[3]:
        kind += "*" if kind.endswith("*") else " *"
    return Parameter(found[2], kind)


def declarations(path):
    """Pairs of a doc comment (or "") and the code behind it, up to the next comment."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*(?!\*).*?\*/", " ", file.read(), flags=re.S)
    doc = ""
    for piece in re.split(r"(/\*.*?\*/)", text, flags=re.S):
        if piece.startswith("/*"):
            if piece.startswith("/**") and not piece.startswith("/**<"):
                doc = plain_comment(piece)
            continue
        for found in re.finditer(r"^(?:H5_DLL|H5_HLDLL|PCIO_DLL)\s+([^;]*?)\b(\w+)\s*\(([^;]*)\)\s*;", piece, re.M):
            yield doc, found
        if ";" in piece:
            doc = ""


def functions(folder="include"):
    """Of the library, or of `hl/include`, the high level library."""
    found = []
    for path in sorted(glob.glob(f"{TOP}/{folder}/*.h")):
        for doc, code in declarations(path):
            words = " ".join(code[3].split())
            parameters = [p for p in map(parameter, (w.strip() for w in words.split(","))) if p]
            for one in parameters:
                text = re.search(r"\\param(?:\[\w+\])? " + one.name + r"\b(.*?)(?=\n\\|\n\n|\Z)", doc, re.S)
                one.doc = " ".join(text[1].split()) if text else ""
            found.append(
                Function(code[2], os.path.basename(path), " ".join(code[1].split()), parameters, doc)
            )
    return sorted(found, key=lambda one: one.name)
