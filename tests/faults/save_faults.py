#!/usr/bin/env python3
"""Every system call of a save fails once, and the process dies at each once; then the files are looked at.

    tests/faults/save_faults.py target/debug/memfile [WORD]

strace (Debian: `apt-get install strace`) makes one call of one run fail, or kills the process there. From the first call that
names the memory file on, each call of each run of SCENES is hit. Afterwards:

- the file holds its old bytes or its new ones, whole; where it must be written in place (it has several names) and the process
  was killed, after the next run at the latest;
- a run that ends with 0 has written the new bytes; one that fails says so with 1 or 2, and never panics;
- a run that survives leaves no temporary file (unless the very call that removes it failed), and after the next run there is none;
- the next run, undisturbed, ends with the new bytes, the mode and the names that the file had, and an empty folder of backups.

WORD picks the scenes whose name holds it. Exit 1 where something does not hold, 2 without strace."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

OLD = "## Project memory\n\n- Port: 1 (2026-01-01)\n- Port: 2 (2026-02-01)\n- Team: a (2026-01-01) [historical] replaced by: b as of 2026-03-01\n- Team: b (2026-03-01)\n"
SPLIT = "- Port: 1 (2026-01-01)"
NEW = OLD.replace(SPLIT, SPLIT + " [historical] replaced by: 2 as of 2026-02-01")

# Name, arguments, text before (None: no file), hard link beside it.
SCENES = [
    ("fix", ["fix", "AGENTS.md"], OLD, False),
    ("fix in place", ["fix", "AGENTS.md"], OLD, True),
    ("set", ["set", "Port", "3", "-f", "AGENTS.md", "--today", "2026-05-05"], NEW, False),
    ("init", ["init", "AGENTS.md"], None, False),
    ("archive", ["archive", "--keep", "0", "-f", "AGENTS.md"], NEW, False),
]

# Calls that touch files, and how each can fail. Memory, threads and time are not a save's business.
FAILURES = {
    "openat": ["EIO", "EACCES"],
    "read": ["EIO"],
    "pread64": ["EIO"],
    "write": ["ENOSPC"],
    "pwrite64": ["ENOSPC"],
    "fsync": ["EIO"],
    "fdatasync": ["EIO"],
    "rename": ["EIO", "EACCES"],
    "unlink": ["EIO"],
    "link": ["EIO"],
    "linkat": ["EIO"],
    "fchmod": ["EPERM"],
    "fchown": ["EPERM"],
    "ftruncate": ["EIO"],
    "lseek": ["EIO"],
    "flock": ["EIO"],
    "fcntl": ["EIO"],
    "mkdir": ["EACCES"],
    "statx": ["EIO"],
    "newfstatat": ["EIO"],
    "fstat": ["EIO"],
    "stat": ["EIO"],
    "lstat": ["EIO"],
    "access": ["EACCES"],
    "faccessat2": ["EACCES"],
    "getdents64": ["EIO"],
    "flistxattr": ["EIO"],
    "close": ["EIO"],
}


class Place:
    """A folder with the file of a scene, and everything that memfile keeps beside it."""

    def __init__(self, scene):
        self.name, self.args, self.before, self.linked = scene
        self.root = tempfile.mkdtemp(prefix="memfile-faults-")
        self.tree = os.path.join(self.root, "tree")
        os.mkdir(self.tree)
        self.file = os.path.join(self.tree, "AGENTS.md")
        if self.before is not None:
            with open(self.file, "w", newline="") as out:
                out.write(self.before)
            os.chmod(self.file, 0o640)
        if self.linked:
            os.link(self.file, os.path.join(self.tree, "CLAUDE.md"))

    def run(self, strace=()):
        env = {
            "PATH": os.environ["PATH"],
            "HOME": os.path.join(self.root, "home"),
            "XDG_STATE_HOME": os.path.join(self.root, "state"),
            "SOURCE_DATE_EPOCH": "1795953600",
            "TMPDIR": self.root,
        }
        return subprocess.run([*strace, MEMFILE, *self.args], cwd=self.tree, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def texts(self):
        """What stands in the tree, by name; without temporary files."""
        found = {}
        for name in sorted(os.listdir(self.tree)):
            if not name.endswith(".memfile-tmp"):
                with open(os.path.join(self.tree, name), "rb") as file:
                    found[name] = file.read()
        return found

    def temps(self):
        return [name for name in os.listdir(self.tree) if name.endswith(".memfile-tmp")]

    def backups(self):
        folder = os.path.join(self.root, "state/memfile/backups")
        return os.listdir(folder) if os.path.isdir(folder) else []

    def mode(self):
        return os.stat(self.file).st_mode & 0o777

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def records(text):
    """The records in a text, without what tags say of them."""
    return {line.split(" [")[0] for line in text.decode().splitlines() if line.startswith("- ")}


def states(scene):
    """What the tree may hold: before, between two files of one step, and after."""
    place = Place(scene)
    before = place.texts()
    done = place.run()
    after = place.texts()
    place.close()
    assert done.returncode == 0 and before != after, f"{scene[0]}: the scene itself does not work: {done.stderr.decode()}"
    # Of several files the one that takes is written before the one that gives.
    between = {**before, **{name: text for name, text in after.items() if name not in before}}
    return before, [before, between, after], after


def calls(scene):
    """Each call of the scene that is to be hit: its name and its number among those of that name."""
    place = Place(scene)
    log = os.path.join(place.root, "trace")
    place.run(["strace", "-f", "-q", "-o", log, "-e", "trace=" + ",".join(known())])
    counts, hits, begun = {}, [], False
    with open(log, errors="replace") as lines:
        for line in lines:
            call = re.match(r"\d+\s+(\w+)\(", line)
            if not call:
                continue
            name = call[1]
            counts[name] = counts.get(name, 0) + 1
            begun = begun or "AGENTS.md" in line
            if begun and name in FAILURES:
                hits.append((name, counts[name], "AGENTS.md" in line or "memfile" in line))
    place.close()
    return hits


def known():
    """The calls that this machine has; strace refuses the others."""
    if not hasattr(known, "names"):
        works = lambda name: subprocess.run(["strace", "-e", f"trace={name}", "true"], capture_output=True).returncode == 0
        known.names = [name for name in FAILURES if works(name)]
    return known.names


def hit(scene, call, number, fault, allowed, after):
    """One disturbed run, then one that is not. Gives what does not hold."""
    place = Place(scene)
    killed = fault == "KILL"
    inject = f"inject={call}:" + ("signal=KILL" if killed else f"error={fault}") + f":when={number}"
    wrong = []
    try:
        done = place.run(["strace", "-f", "-q", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject])
        said = (done.stderr + done.stdout).decode(errors="replace").strip()
        if b"panicked" in done.stderr or done.returncode not in ((-9, 137) if killed else (0, 1, 2)):
            # A call that did not come this time disturbs nothing.
            if not (killed and done.returncode == 0):
                wrong.append(f"ended with {done.returncode}")
        now = place.texts()
        if not (killed and place.linked) and now not in allowed:
            wrong.append(f"the tree holds {now}")
        if done.returncode == 0 and now != after:
            wrong.append("it says that all is well, and has not written")
        if place.temps() and not killed and call not in ("unlink", "unlinkat"):
            wrong.append(f"{place.temps()} is left")
        if now and not records(b"".join(now.values())) >= records(b"".join(allowed[0].values())):
            wrong.append("a record is gone")
        again = place.run()
        if again.returncode not in (0, 1) or place.texts() != after:
            wrong.append(f"the next run ends with {again.returncode} and {place.texts()}: {again.stderr.decode()}")
        if place.temps() or place.backups():
            wrong.append(f"after the next run {place.temps() + place.backups()} is left")
        if place.before is not None and place.mode() != 0o640:
            wrong.append(f"the mode is {place.mode():o}")
        if place.linked and os.stat(place.file).st_nlink != 2:
            wrong.append("the names are parted")
    except subprocess.TimeoutExpired:
        wrong.append("it did not end")
    finally:
        place.close()
    return [f"{scene[0]}: {call} #{number} {fault}: {one} ({said[:200]})" for one in wrong]


def main():
    if not shutil.which("strace"):
        print("strace is missing: nothing was tested (Debian: apt-get install strace)", file=sys.stderr)
        return 2
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    number, wrong = 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for scene in [scene for scene in SCENES if word in scene[0]]:
            _, allowed, after = states(scene)
            hits = calls(scene)
            jobs = [
                pool.submit(hit, scene, call, count, fault, allowed, after)
                for call, count, _ in hits
                for fault in [*FAILURES[call], "KILL"]
            ]
            for job in jobs:
                wrong += job.result()
            number += len(jobs)
            print(f"{scene[0]}: {len(hits)} calls, {len(jobs)} runs", flush=True)
    for one in wrong:
        print("FAIL", one)
    print(f"{number - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not number else 0


if __name__ == "__main__":
    MEMFILE = os.path.abspath(sys.argv[1])
    sys.exit(main())
