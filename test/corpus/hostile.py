#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Runs the readers on every hostile file under limits. Room: test/corpus. Run by hostile.sh.
# Arguments: names of files to look at; none means all.

import csv
import os
import signal
import sys
import tempfile
import time

CORPUS = os.environ["PCIO_CORPUS"]
BUILD = os.environ["PCIO_BUILDDIR"]
SANITIZED = os.environ.get("PCIO_WITH_ASAN", "") == "yes"
CPU_SECONDS = 40.0 if SANITIZED else 2.0
WALL_SECONDS = 120.0 if SANITIZED else 20.0  # a busy machine is not the library's fault
PEAK_KIB = None if SANITIZED else 256 * 1024  # shadow memory counts under the sanitizer
STATUSES = (0, 1, 3)  # read, not opened, refused in part
REPORTS = ("AddressSanitizer", "runtime error:", "LeakSanitizer", "UndefinedBehaviorSanitizer")


def run(command):
    """Runs a command; returns (status, cpu seconds, peak KiB, standard error, timed out)."""
    with tempfile.TemporaryFile() as errors, open(os.devnull, "w") as nothing:
        child = os.fork()
        if child == 0:
            os.dup2(nothing.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            os.execv(command[0], command)
        began, late = time.monotonic(), False
        while True:
            done, status, usage = os.wait4(child, os.WNOHANG)
            if done:
                break
            if time.monotonic() - began > WALL_SECONDS:
                late = True
                os.kill(child, signal.SIGKILL)
                _, status, usage = os.wait4(child, 0)
                break
            time.sleep(0.005)
        errors.seek(0)
        text = errors.read().decode("utf-8", "replace")
    return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, text, late


def judge(command):
    status, seconds, peak, errors, late = run(command)
    wrong = []
    if late:
        wrong.append("not done after %.0f s" % WALL_SECONDS)
    elif os.WIFSIGNALED(status):
        wrong.append("signal %d" % os.WTERMSIG(status))
    elif os.WEXITSTATUS(status) not in STATUSES:
        wrong.append("exit status %d" % os.WEXITSTATUS(status))
    if seconds > CPU_SECONDS:
        wrong.append("%.1f s of processor time" % seconds)
    if PEAK_KIB is not None and peak > PEAK_KIB:
        wrong.append("%d MiB" % (peak // 1024))
    wrong += [line.strip() for line in errors.splitlines()
              if any(word in line for word in REPORTS)][:2]
    return wrong, seconds, peak


def commands(name):
    found = [[os.path.join(BUILD, "test/oracle/listall"), "--max-mib", "16", name]]
    info = os.path.join(BUILD, "tools/pcioinfo")
    if os.access(info, os.X_OK):
        found.append([info, name])
    return found


def names():
    """Hostile files, and the well-formed ones too in a sanitizer build."""
    for folder in ("hostile", "valid") if SANITIZED else ("hostile",):
        with open(os.path.join(CORPUS, folder, "INDEX.tsv"), newline="") as index:
            for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield os.path.join(folder, row["file"])


def main():
    chosen = [name for name in names() if len(sys.argv) == 1 or
              any(word in name for word in sys.argv[1:])]
    failed, runs, slowest, largest = 0, 0, (0.0, ""), (0, "")
    for name in chosen:
        for command in commands(os.path.join(CORPUS, name)):
            wrong, seconds, peak = judge(command)
            runs += 1
            slowest, largest = max(slowest, (seconds, name)), max(largest, (peak, name))
            if wrong:
                failed += 1
                print("FAILED %s, %s: %s" % (os.path.basename(command[0]), name, "; ".join(wrong)))
    print("slowest: %.2f s (%s); largest: %d MiB (%s)" %
          (slowest[0], slowest[1], largest[0] // 1024, largest[1]))
    print("%d files%s" % (len(chosen), ", sanitized" if SANITIZED else ""))
    print("%d passed, %d failed" % (runs - failed, failed))
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
