#!/usr/bin/env python3
"""Seconds for a connectome from a file of lines, beside tck2connectome of MRtrix, by turns.

    connectome_speed.py SULCUS_CLI LINES.trx LABELS FOLDER [TURNS]

Both with two threads, from the command to its exit: on the clock and of processor, which counts where others use the
machine. LINES are also converted to TCK, which MRtrix reads; both are in the cache of files after the first turn, which
does not count. Needs MRtrix.
"""
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median


def measured(*command):
    begin, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.time() - begin, after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


def main(cli, lines, labels, folder, turns):
    folder.mkdir(parents=True, exist_ok=True)
    tck = folder / "lines.tck"
    if not tck.exists():
        measured(cli, "convert", lines, tck)
    commands = {}
    for name, file in (("ours, TRX", lines), ("ours, TCK", tck)):
        commands[name] = (cli, "tracts", "--tracts", file, "--labels", labels, "--outputs", "connectome*", "--threads", 2,
                          "--out", folder / "connectome", "--overwrite")
    commands["tck2connectome"] = ("tck2connectome", tck, labels, folder / "count.csv", "-symmetric", "-nthreads", 2, "-force",
                                  "-quiet")
    seconds = {name: [] for name in commands}
    for turn in range(turns + 1):
        for name, command in commands.items():
            found = measured(*command)
            if turn > 0:
                seconds[name].append(found)
    for name, found in seconds.items():
        clock, user, system = (median(values) for values in zip(*found))
        print(f"{name}: {clock:.2f} s on the clock, of processor {user:.2f} and {system:.2f} in the kernel (medians of {turns})")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]), int(sys.argv[5]) if len(sys.argv) > 5 else 3)
