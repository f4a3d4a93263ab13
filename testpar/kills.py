# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# kills.py PROGRAM FOLDER RANKS COUNT SEED: starts PROGRAM (kill_writer) COUNT times on RANKS ranks, kills
# one rank, all of them or a whole host (where there are several) with SIGKILL at a random moment, and has it judge the
# files. Room: testpar.
import os
import random
import signal
import subprocess
import sys
import time


def wait_for(condition, seconds, child):
    end = time.monotonic() + seconds
    while time.monotonic() < end and child.poll() is None:
        if condition():
            return True
        time.sleep(0.002)
    return False


def pids_of(name, ranks):
    pids = []
    for rank in range(ranks):
        try:
            with open(f"{name}.pid.{rank}") as text:
                pids.append(int(text.read()))
        except (OSError, ValueError):
            return []
    return pids


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as text:
            return text.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def host_of(pid):
    """Hosts that are played on one machine are network namespaces."""
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return None


def processes_of(host):
    """Ranks, the launcher's daemon and the file system's client: all that a host has."""
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and host_of(pid) == host]


def choose_victims(pids, rng, seen):
    """All ranks, one, or all processes of a host other than this one, where there are such."""
    others = sorted({host_of(pid) for pid in pids} - {host_of("self"), None})
    if others and rng.random() < 0.4:
        seen["hosts"] += 1
        return processes_of(rng.choice(others))
    return pids if rng.random() < 0.5 else [rng.choice(pids)]


def commits_of(name):
    """The last commit that returned, -1 before the first one."""
    return told(name)[0]


def told(name):
    """What the program says of itself: that, and whether it is in a transfer."""
    try:
        with open(name + ".done", "rb") as file:
            words = file.read(8)
    except OSError:
        words = b""
    if len(words) < 4:
        return -1, False
    return int.from_bytes(words[:4], sys.byteorder, signed=True), any(words[4:])


def wait_for_transfer(name, rng, child):
    """The beginning of one, and a little; some end before, which counts as not in it."""
    end = time.monotonic() + 30
    skipped = rng.randint(0, 3)
    was_in = True
    while time.monotonic() < end and child.poll() is None:
        is_in = told(name)[1]
        if is_in and not was_in:
            if skipped == 0:
                break
            skipped -= 1
        was_in = is_in
    time.sleep(rng.uniform(0.0, 0.004) if rng.random() < 0.7 else 0.0)


def one(program, name, ranks, seed, rng, seen):
    """Starts, waits for a number of commits and a part of one more, kills; True where it was at
    work. A time alone would be the first commit on a busy machine, and all of them on another."""
    command = [program, "write", name, str(seed)]
    env = dict(os.environ, PCIO_RUN_QUIET="1")
    # A sync between the steps keeps the file in each of them for longer.
    if seed % 3 != 0:
        env["PCIO_DURABILITY"] = "power_loss"
    if ranks > 1 and seed // 2 % 2 == 0 and "PCIO_CLUSTER" not in os.environ:
        # Chunks of two nodes share stripes.
        env["PCIO_CHECK"] = "nodes:2,stripe:4096"
        seen["stripes"] += 1
    if ranks > 1:
        command = [os.environ["PCIO_RUN_PAR"], str(ranks), "60"] + command
    with open(name + ".log", "wb") as log:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env,
                                 start_new_session=True)
    if not wait_for(lambda: pids_of(name, ranks), 60, child):
        child.kill()
        child.wait()
        return False
    pids = pids_of(name, ranks)
    target = rng.choice((-1, rng.randint(1, 4), rng.randint(5, 12)))
    begun = time.monotonic()
    wait_for(lambda: commits_of(name) >= target, 30, child)
    if rng.random() < 0.4:
        wait_for_transfer(name, rng, child)
    else:
        part = 0.01 if target < 0 else min(1.0, 1.5 * (time.monotonic() - begun) / target) + 0.02
        time.sleep(rng.uniform(0.0, part))
    commits = commits_of(name)
    seen["first" if commits < 1 else "early" if commits < 5 else "later"] += 1
    working = all(alive(pid) for pid in pids)
    victims = choose_victims(pids, rng, seen)
    seen["transfers"] += told(name)[1]
    for pid in victims:
        kill(pid)
    # The launcher ends the others; what it forgets is ended here, so that nobody writes any more.
    if child.poll() is None and not wait_for(lambda: not any(map(alive, pids)), 20, child):
        for pid in pids:
            kill(pid)
    child.wait()
    while any(map(alive, pids)):
        for pid in pids:
            kill(pid)
        time.sleep(0.01)
    return working


def main():
    program, folder, ranks, count, seed = sys.argv[1:6]
    ranks, count, seed = int(ranks), int(count), int(seed)
    rng = random.Random(seed * 100 + ranks)
    names, idle = [], 0
    seen = {"first": 0, "early": 0, "later": 0, "hosts": 0, "transfers": 0, "stripes": 0}
    for case in range(count):
        name = os.path.join(folder, f"kill{case}.h5")
        if not one(program, name, ranks, seed + case, rng, seen):
            idle += 1
            with open(name + ".log", errors="replace") as log:
                print(f"FAILED: case {case} was not at work when it was to be killed\n{log.read()}")
        names.append(name)
    judged = subprocess.run([program, "check"] + names, stdout=subprocess.PIPE, text=True)
    print(f"kills: seed {seed}, {ranks} ranks, {judged.stdout.strip()}, never at work {idle}, "
          + ", ".join(f"{key} commits {seen[key]}" for key in ("first", "early", "later"))
          + f", in transfers {seen['transfers']}, with stripes {seen['stripes']}"
          + (f", whole hosts {seen['hosts']}" if "PCIO_CLUSTER" in os.environ else ""))
    # Before the first commit and after it are one bin: a quick machine is soon through with it.
    empty = count >= 20 and (seen["first"] + seen["early"] == 0 or seen["later"] == 0
                             or seen["transfers"] == 0
                             or ("PCIO_CLUSTER" in os.environ and seen["hosts"] == 0))
    return 1 if judged.returncode != 0 or idle > 0 or empty else 0


sys.exit(main())
