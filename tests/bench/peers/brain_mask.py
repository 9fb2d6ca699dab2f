#!/usr/bin/env python3
"""Compares the mask that Sulcus finds in a functional scan, and nilearn's compute_epi_mask, with the brain: Dice.

    brain_mask.py SULCUS_CLI HEAD BRAIN [--spacings 2,3,4,6,8] [--scalps 0.3,0.6,0.9]

HEAD   a T1-weighted scan, such as ch2.nii.gz of Debian's mricron-data
BRAIN  the same without skull (ch2bet.nii.gz)

The scan: five volumes in large voxels, CSF brighter than gray matter and gray matter brighter than white matter, the
scalp as bright as its T1 times the share (0.3 to 0.6: fat is suppressed, 0.9: it is not), noise of 2 %; air as noise,
or set to 0; in addition a coil that is brighter in front, and a loss of signal above the sinuses. The mask is that of
`sulcus-cli prepare`. Needs numpy, scipy, nibabel and nilearn.
"""
import argparse
import subprocess
import tempfile
import warnings
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage


def dice(a, b):
    return 2 * (a & b).sum() / (a.sum() + b.sum())


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "head", "brain"):
        parser.add_argument(name)
    parser.add_argument("--spacings", default="2,3,4,6,8")
    parser.add_argument("--scalps", default="0.3,0.6,0.9")
    chosen = parser.parse_args()
    from nilearn.masking import compute_epi_mask
    warnings.simplefilter("ignore")
    t1, bright = nib.load(chosen.head).get_fdata(), nib.load(chosen.brain).get_fdata()
    labels, _ = ndimage.label(ndimage.binary_fill_holes(bright > 0.05 * bright.max()))
    brain = labels == 1 + np.argmax(np.bincount(labels.ravel())[1:])
    t1 = t1 / np.percentile(t1[brain], 95)
    head = ndimage.binary_fill_holes(ndimage.binary_opening(t1 > 0.12))
    print("| voxels, mm | scalp | scan | Sulcus | nilearn |\n| --- | --- | --- | --- | --- |")
    for spacing in map(float, chosen.spacings.split(",")):
        for scalp in map(float, chosen.scalps.split(",")):
            image = np.where(head, scalp * 1000 * np.clip(t1, 0, 1.2), 0)
            image[brain] = (1500 - 800 * np.clip(t1, 0, 1.1))[brain]
            random = np.random.default_rng(int(100 * spacing + 10 * scalp))
            shape = np.floor(np.array(t1.shape) / spacing).astype(int)
            places = np.meshgrid(*[np.arange(n) * spacing + o for n, o in zip(shape, random.uniform(0, spacing, 3))], indexing="ij")
            coarse = lambda data: ndimage.map_coordinates(ndimage.gaussian_filter(data.astype(float), 0.42 * spacing), places, order=1)
            mean, truth, air = coarse(image), coarse(brain) > 0.5, coarse(head) < 0.02
            front, up = (2 * p / n - 1 for p, n in zip(places[1:], t1.shape[1:]))
            sinus = np.exp(-sum((p - c) ** 2 for p, c in zip(places, (90, 165, 62))) / 18**2)
            for scan in ("noisy air", "air 0", "coil", "dropout"):
                data = mean * {"coil": (1 + 0.5 * front) * (1 + 0.3 * up), "dropout": 1 - 0.85 * sinus}.get(scan, 1)
                noise = lambda: 20 * random.standard_normal((*mean.shape, 5))
                series = np.hypot(data[..., None] + noise(), noise())
                series[air & (scan != "noisy air")] = 0
                with tempfile.TemporaryDirectory() as scratch:
                    folder = Path(scratch)
                    nib.save(nib.Nifti1Image(series.astype(np.float32), np.diag([*[spacing] * 3, 1])), folder / "bold.nii")
                    subprocess.run([chosen.program, "prepare", "--bold", folder / "bold.nii", "--out", folder / "out", "--quiet"],
                                   check=True, stdout=subprocess.DEVNULL)
                    ours = nib.load(next((folder / "out").glob("*mask.nii.gz"))).get_fdata() > 0
                    theirs = compute_epi_mask(str(folder / "bold.nii")).get_fdata() > 0
                print(f"| {spacing:g} | {scalp:g} | {scan} | {dice(ours, truth):.3f} | {dice(theirs, truth):.3f} |", flush=True)


if __name__ == "__main__":
    main()
