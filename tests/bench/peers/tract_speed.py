#!/usr/bin/env python3
"""Lines a second of this program and of dipy, by turns: the same functions, seeds, steps, angle and cut-off.

    tract_speed.py SULCUS_CLI FOD MASK FOLDER [SEEDS] [TURNS]

FOD is an image of harmonics (--functions of fibers, or of MRtrix) with axes along the world's. Deterministic (`fod`,
deterministic_tracking) and at random (`probable`, probabilistic_tracking), both with two threads, steps of half a
voxel, turns to 45°, cut-off 0.2 of the amplitude above which a tenth of the mask lies. Seconds on the clock and of
processor: ours of the whole command with reading, dipy's of following alone. Needs numpy, nibabel and dipy.
"""
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import nibabel as nib
import numpy as np
from dipy.data import get_sphere
from dipy.reconst.shm import sh_to_sf
from dipy.tracking.stopping_criterion import ThresholdStoppingCriterion
from dipy.tracking.streamline import Streamlines
from dipy.tracking.tracker import deterministic_tracking, probabilistic_tracking


def processor():
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime
               for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(cli, fod, mask_file, folder, count, turns):
    folder.mkdir(parents=True, exist_ok=True)
    image = nib.load(fod)
    harmonics = np.asarray(image.dataobj, np.float64)
    order = {15: 4, 28: 6, 45: 8, 66: 10, 91: 12}[harmonics.shape[3]]
    mask = np.asarray(nib.load(mask_file).dataobj) > 0
    sphere = get_sphere(name="repulsion724")
    largest = np.zeros(mask.shape)
    largest[mask] = sh_to_sf(harmonics[mask], sphere, sh_order_max=order, basis_type="tournier07", legacy=False).max(1)
    cutoff = 0.2 * np.percentile(largest[mask], 90)
    inside = np.argwhere(largest > cutoff)
    draw = np.random.default_rng(1)
    places = inside[draw.integers(0, len(inside), count)] + draw.uniform(-0.5, 0.5, (count, 3))
    seeds = places @ image.affine[:3, :3].T + image.affine[:3, 3]
    (folder / "seeds.tsv").write_text("x\ty\tz\n" + "".join("\t".join(f"{v:.5f}" for v in seed) + "\n" for seed in seeds))
    step = 0.5 * float(np.mean(image.header.get_zooms()[:3]))
    stop = ThresholdStoppingCriterion(largest, cutoff)

    def ours(method):
        subprocess.run([str(part) for part in (
            cli, "tracts", "--fod", fod, "--seed-points", folder / "seeds.tsv", "--method", method, "--step", step, "--angle", 45,
            "--cutoff", f"{cutoff:.5f}", "--min-length", 20, "--max-length", 250, "--outputs", "tracts", "seeds", "--threads", 2,
            "--out", folder / "ours", "--overwrite", "--uncompressed")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        table = (folder / "ours/seeds.tsv").read_text()
        return int(next(line for line in table.splitlines() if "lines kept" in line).split("\t")[1])

    def theirs(track):
        return len(Streamlines(track(seeds, stop, image.affine, sh=harmonics, sphere=sphere, basis_type="tournier07", legacy=False,
                                     nbr_threads=2, max_angle=45, step_size=step, min_len=20, max_len=250, random_seed=1,
                                     seed_buffer_fraction=1.0)))

    rows = {}
    for turn in range(turns + 1):
        for name, follow, argument in (("fod", ours, "fod"), ("dipy, deterministic", theirs, deterministic_tracking),
                                       ("probable", ours, "probable"), ("dipy, probabilistic", theirs, probabilistic_tracking)):
            begin, before = time.time(), processor()
            lines = follow(argument)
            if turn > 0:
                rows.setdefault(name, []).append((lines, time.time() - begin, processor() - before))
    for name, found in rows.items():
        lines, clock, work = (median(values) for values in zip(*found))
        print(f"{name}: {lines:.0f} lines of {count} seeds, {clock:.2f} s on the clock ({lines / clock:.0f} a second), "
              f"{work:.2f} s of processor ({lines / work:.0f} a second)")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    more = [int(word) for word in sys.argv[5:]]
    main(*(Path(word) for word in sys.argv[1:5]), *(more + [20000, 3][len(more):]))
