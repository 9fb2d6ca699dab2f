#!/usr/bin/env python3
"""Weights of lines compared with those of MRtrix' tcksift2, on a phantom with known truth.

    weights_beside_sift2.py SULCUS_CLI FOLDER [SEEDS]

Two bundles of the same cross section, an arch and a straight one; the arch is longer, so it gets more lines from evenly
spread seeds. With correct weights both have the same sum. Prints this ratio without weights, with ours and with
tcksift2's, the correlation of the logarithms of both over the lines, and the seconds of both. Needs numpy and MRtrix.
"""
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np


def timed(*command):
    begin = time.time()
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.time() - begin


def main(cli, folder, seeds):
    timed(cli, "phantom", "tracts", "--out", folder / "p", "--overwrite")
    fod = folder / "p/fod.nii.gz"
    timed(cli, "tracts", "--fod", fod, "--seed-mask", folder / "p/seed-mask.nii.gz", "--method", "fod", "--seeds", seeds,
          "--min-length", 40, "--weights", "--threads", 2, "--out", folder / "w", "--overwrite")
    stages = json.loads((folder / "w/waited.json").read_text())["StageSeconds"]
    with zipfile.ZipFile(folder / "w/tracts.trx") as trx:
        first = np.frombuffer(trx.read("offsets.uint64"), "<u8").astype(int)
        points = np.frombuffer(trx.read("positions.3.float32"), "<f4").reshape(-1, 3)
        ours = np.frombuffer(trx.read("dps/weight.float32"), "<f4").astype(float)
    timed(cli, "convert", folder / "w/tracts.trx", folder / "lines.tck", "--overwrite")
    peer = timed("tcksift2", folder / "lines.tck", fod, folder / "sift2.txt", "-nthreads", 2, "-force", "-quiet")
    theirs = np.array([float(word) for line in (folder / "sift2.txt").read_text().splitlines()
                       if not line.startswith("#") for word in line.split()])
    ends = np.stack([points[first[:-1]], points[first[1:] - 1]])
    arch = (np.abs(ends[..., 0]) > 12).all(axis=0) & (ends[..., 2] < 0).all(axis=0)
    straight = (np.abs(ends[..., 1]) > 20).all(axis=0)
    print(f"{len(ours)} lines: {arch.sum()} of the arch, {straight.sum()} of the straight bundle")
    for name, weights in (("without", np.ones(len(ours))), ("ours", ours), ("tcksift2", theirs)):
        print(f"{name}: arch / straight {weights[arch].sum() / weights[straight].sum():.3f}")
    both = (ours > 1e-6) & (theirs > 1e-6)
    print(f"correlation of logarithms {np.corrcoef(np.log(ours[both]), np.log(theirs[both]))[0, 1]:.3f} "
          f"({both.sum()} lines), of weights {np.corrcoef(ours, theirs)[0, 1]:.3f}")
    print(f"seconds: ours {stages['Weights']:.2f} (two threads), tcksift2 {peer:.2f} (whole command, two threads)")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 20000)
