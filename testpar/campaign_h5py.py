# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Compares the files that a campaign kept with its models.

campaign_h5py.py FOLDER: each *.h5 has a .txt with one line for each dataset: its name and all values
in row-major order, ? where anything may stand. Prints the number of files; 1 on a difference.
"""
import pathlib
import sys

import h5py


def compare(path):
    """The first difference between the file and its model, or None."""
    with h5py.File(path, "r") as file, open(str(path) + ".txt", encoding="ascii") as model:
        for line in model:
            name, *values = line.split()
            data = file[name][...].ravel()
            if len(data) != len(values):
                return f"{name} has {len(data)} values, not {len(values)}"
            for i, value in enumerate(values):
                if value != "?" and data[i] != int(value):
                    return f"{name}, element {i} is {data[i]}, not {value}"
    return None


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.h5"))
    failed = 0
    for path in files:
        wrong = compare(path)
        if wrong:
            print(f"FAILURE: {path.name} in h5py: {wrong}")
            failed += 1
    print(f"h5py: {len(files)} files compared, {failed} failures")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
