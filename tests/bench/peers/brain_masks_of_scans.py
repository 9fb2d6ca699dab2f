#!/usr/bin/env python3
"""Brain masks of Sulcus and other programs on real scans, compared with a manual mask or the consensus of the programs:
Dice.

    brain_masks_of_scans.py SULCUS_CLI SCAN[=MASK]... [--keep FOLDER]

SCAN  a functional series or its mean, an unweighted diffusion image, or another image of a head; its first volumes are taken
MASK  the brain as drawn by hand, on the grid of SCAN; without one the consensus: voxels of at least two of
      the three others, holes filled

The mask of Sulcus is that of `sulcus-cli prepare`, which requires a series: for a single image, four copies with 0.1 %
of noise.
Needs numpy, scipy, nibabel, nilearn (compute_epi_mask), dipy (median_otsu) and antspyx (get_mask).
"""
import argparse
import subprocess
import tempfile
import warnings
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

VOLUMES = 4


def dice(a, b):
    return 2 * (a & b).sum() / max(1, a.sum() + b.sum())


def by_sulcus(program, series, affine):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        nib.save(nib.Nifti1Image(series.astype("f4"), affine), folder / "bold.nii")
        subprocess.run([program, "prepare", "--bold", folder / "bold.nii", "--out", folder / "out", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return nib.load(next((folder / "out").glob("*mask.nii.gz"))).get_fdata() > 0


def by_nilearn(series, affine):
    from nilearn.masking import compute_epi_mask
    return compute_epi_mask(nib.Nifti1Image(series.astype("f4"), affine)).get_fdata() > 0


def by_dipy(mean):
    from dipy.segment.mask import median_otsu
    return median_otsu(mean, median_radius=4, numpass=4)[1] > 0


def by_ants(mean):
    import ants
    return ants.get_mask(ants.from_numpy(mean)).numpy() > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scans", nargs="+")
    parser.add_argument("--keep")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| scan | voxels, mm | held against | Sulcus | nilearn | dipy | ANTs |\n| --- | --- | --- | --- | --- | --- | --- |")
    for entry in chosen.scans:
        file, _, hand = entry.partition("=")
        scan = nib.load(file)
        data = np.nan_to_num(np.asarray(scan.dataobj, dtype=float))
        series = data[..., : 2 * VOLUMES] if data.ndim == 4 else data[..., None]
        if series.shape[3] < VOLUMES:
            noise = np.random.default_rng(1).standard_normal((*series.shape[:3], VOLUMES))
            mean = series.mean(3, keepdims=True)
            series = mean + 1e-3 * mean.max() * noise * (mean > 0)
        mean = series.mean(3)
        masks = {"Sulcus": by_sulcus(chosen.program, series, scan.affine)}
        for name, find in (("nilearn", lambda: by_nilearn(series, scan.affine)), ("dipy", lambda: by_dipy(mean)), ("ANTs", lambda: by_ants(mean))):
            try:
                masks[name] = find()
            except Exception as fault:  # a refusal by another program is a result as well
                print(f"{name} refuses {file}: {fault}")
                masks[name] = np.zeros(mean.shape, bool)
        votes = sum(mask.astype(int) for name, mask in masks.items() if name != "Sulcus")
        truth = np.asarray(nib.load(hand).dataobj) > 0 if hand else ndimage.binary_fill_holes(votes >= 2)
        name = Path(file).name.split(".")[0]
        if chosen.keep:
            for who, mask in {**masks, "truth": truth}.items():
                nib.save(nib.Nifti1Image(mask.astype("u1"), scan.affine), Path(chosen.keep) / f"{name}_{who}.nii.gz")
        sizes = " × ".join(f"{z:.3g}" for z in scan.header.get_zooms()[:3])
        print(f"| {name} | {sizes} | {'hand' if hand else 'two of three'} | " + " | ".join(f"{dice(m, truth):.3f}" for m in masks.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
