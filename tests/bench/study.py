#!/usr/bin/env python3
"""tests/bench/study.py FOLDER-OF-sulcus-cli ANALYSIS SCAN PARTICIPANTS SHARES... [--in FOLDER] [-- FLAG...]

The cost of a study: copies of one scan analyzed by `sulcus-cli bids`, once for each SHARES. ANALYSIS is registration,
with a T1w as SCAN and --reference in FLAGS, or fibers, with a diffusion series as SCAN next to its .bval and .bvec.
Each SHARES is a value of --device, and after x one of --jobs, as in 0x4 or 0,1x4; several commands that share the
output folder are separated by +, as in 0x4+1x4; @ gives each its processors, as in 0x4@0-15+1x4@16-31; cpu instead of
devices is a command without GPU. A row of the table: seconds from the command to its exit and for each participant,
processor seconds of a participant (user, system), MB that one leaves, how busy each GPU was (nvidia-smi, ten times a
second), and the mean seconds of the stages of a run. FLAGS are also passed to the analysis. Output goes to FOLDER
(default: that of temporary files) and is removed again. `taskset -c 0-15 tests/bench/study.py ...` restricts it to 16
processors.
"""
import argparse
import collections
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time


NAMES = {"registration": ("anat", "T1w"), "fibers": ("dwi", "dwi")}  # folder and suffix of the input of an analysis


def lay_out(study, analysis, scan, participants):
    """Links to the same scan for each participant: read anew each time, but from one place on the disk."""
    kind, suffix = NAMES[analysis]
    ending = ".nii.gz" if scan.name.endswith(".nii.gz") else ".nii"
    files = [scan] + [scan.with_name(scan.name.removesuffix(ending) + beside) for beside in ((".bval", ".bvec") if analysis == "fibers" else ())]
    for i in range(1, participants + 1):
        folder = study / f"sub-{i:03}" / kind
        folder.mkdir(parents=True)
        for file, end in zip(files, (ending, ".bval", ".bvec")):
            (folder / f"sub-{i:03}_{suffix}{end}").symlink_to(file)
    (study / "dataset_description.json").write_text('{"Name": "Copies", "BIDSVersion": "1.10.0"}')


class Busy:
    """How busy each GPU is while this is open, in %, by nvidia-smi; empty without it."""

    def __enter__(self):
        self.shares = collections.defaultdict(list)
        self.process = None
        if shutil.which("nvidia-smi"):
            self.process = subprocess.Popen(
                ["nvidia-smi", "--query-gpu=index,utilization.gpu", "--format=csv,noheader,nounits", "-lms", "100"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.reader = threading.Thread(target=self.read)
            self.reader.start()
        return self

    def read(self):
        for line in self.process.stdout:
            gpu, _, share = line.partition(", ")
            if share.strip().isdigit():
                self.shares[gpu].append(int(share))

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.reader.join()
            self.process.wait()

    def text(self):
        return " ".join(f"{gpu}: {sum(s) / len(s):.0f} %" for gpu, s in sorted(self.shares.items()) if s)


def stages_of(out):
    sums, records = collections.Counter(), list(out.glob("sub-*/*/*_provenance.json"))
    for record in records:
        for name, seconds in json.loads(record.read_text())["Provenance"].get("StageSeconds", {}).items():
            sums["Levels" if name.startswith("Level ") else name] += seconds
    return ", ".join(f"{name} {seconds / max(1, len(records)):.2f}" for name, seconds in sums.items())


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_stime


def measured(program, analysis, study, shares, participants, flags, folder):
    out = folder / "out"
    calls = []
    for part in shares.split("+"):
        part, _, processors = part.partition("@")
        devices, _, at_once = part.partition("x")
        calls.append([*(["taskset", "-c", processors] if processors else []), program, "bids", study, out, "participant",
                      "--analysis", analysis, *flags,
                      *(["--jobs", at_once] if at_once else []),
                      *(["--backend", "cpu"] if devices == "cpu" else ["--backend", "gpu", "--device", devices])])
    before, begun = processor_seconds(), time.monotonic()
    with Busy() as busy:
        children = [subprocess.Popen(call, stdout=subprocess.DEVNULL) for call in calls]
        codes = [child.wait() for child in children]
        seconds = time.monotonic() - begun
    user, system = (b - a for a, b in zip(before, processor_seconds()))
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"| {shares} | {seconds:.1f} | {seconds / participants:.2f} | {user / participants:.2f}, {system / participants:.2f} | "
          f"{size / participants / 1e6:.0f} | {busy.text()} | {stages_of(out)} |" + (f" exit codes {codes}" if any(codes) else ""), flush=True)
    shutil.rmtree(out)


def main():
    words, flags = sys.argv[1:], []
    if "--" in words:
        words, flags = words[:words.index("--")], words[words.index("--") + 1:]
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("analysis", choices=NAMES)
    parser.add_argument("scan", type=pathlib.Path)
    parser.add_argument("participants", type=int)
    parser.add_argument("shares", nargs="+")
    parser.add_argument("--in", dest="folder")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        folder = pathlib.Path(folder)
        lay_out(folder / "study", asked.analysis, asked.scan.resolve(), asked.participants)
        print(f"{asked.participants} participants, {len(os.sched_getaffinity(0))} processors, results in {folder.parent}\n\n"
              "| GPUs x runs at a time | s | each | processor s each: user, system | MB each | GPUs busy | stages of a run, s |\n|---|---|---|---|---|---|---|")
        for shares in asked.shares:
            measured(asked.bin / "sulcus-cli", asked.analysis, folder / "study", shares, asked.participants, flags, folder)


main()
