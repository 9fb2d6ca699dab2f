#!/usr/bin/env python3
"""A diffusion scan with exact truth out of the 72 bundles of TractSeg's reference brain.

    bundle_phantom.py REFERENCE FOLDER [SNR]

REFERENCE as for tractseg_score.py. In a voxel of a bundle's mask its fibers run along the peak (of peaks.nii.gz)
nearest to the bundle's direction there (TOM); each peak that any bundle takes is one population, its share in
proportion to its amplitude. Fibers diffuse by 1.7 and 0.2, the rest of the brain isotropically by 0.8 · 10⁻³ mm²/s; six
volumes with b = 0, 32 with 1000 and 64 with 3000 s/mm², Rician noise (SNR 30 at b = 0; 0: none). Writes dwi.nii,
grad.b (MRtrix), mask.nii, bundles.nii (voxels of any bundle), tissues.nii (5tt: bundles are white matter, the
rest gray) and truth.nii (peaks). tractseg_score.py judges lines
through it: its masks and ends are the truth. Needs numpy and nibabel.
"""
import sys
from pathlib import Path

import nibabel as nib
import numpy as np


def directions(count):
    """Directions on the half sphere, evenly spread (a spiral)."""
    z = (np.arange(count) + 0.5) / count
    turn = np.pi * (1 + 5 ** 0.5) * np.arange(count)
    return np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)


def main(reference, folder, snr):
    folder.mkdir(parents=True, exist_ok=True)
    image = nib.load(reference / "peaks.nii.gz")
    peaks = np.nan_to_num(np.asarray(image.dataobj, np.float32)).reshape(*image.shape[:3], 3, 3)
    amplitude = np.linalg.norm(peaks, axis=-1)
    unit = peaks / np.maximum(amplitude, 1e-9)[..., None]
    brain = np.asarray(nib.load(reference / "nodif_brain_mask.nii.gz").dataobj) > 0
    taken = np.zeros(amplitude.shape, bool)
    any_bundle = np.zeros(brain.shape, bool)
    for path in sorted((reference / "bundle_segmentations").glob("*.nii.gz")):
        way = np.asarray(nib.load(reference / "TOM" / path.name).dataobj, np.float32)
        inside = (np.asarray(nib.load(path).dataobj) > 0) & (np.linalg.norm(way, axis=-1) > 0) & (amplitude[..., 0] > 0)
        near = np.abs((unit[inside] * way[inside][:, None]).sum(-1)).argmax(1)
        taken[(*np.nonzero(inside), near)] = True
        any_bundle |= inside
    share = np.where(taken, amplitude, 0)
    share /= np.maximum(share.sum(-1, keepdims=True), 1e-9)
    brain |= any_bundle
    gradients = np.concatenate([np.zeros((6, 3)), directions(32), directions(64)])
    b = np.repeat([0.0, 1000.0, 3000.0], [6, 32, 64])
    signal = np.zeros((int(brain.sum()), len(b)))
    of_bundle = any_bundle[brain]
    for k in range(3):
        cosine = unit[any_bundle][:, k] @ gradients.T
        signal[of_bundle] += share[any_bundle][:, k, None] * np.exp(-b * (0.2e-3 + 1.5e-3 * cosine ** 2))
    signal[~of_bundle] = np.exp(-b * 0.8e-3)
    signal *= 1000
    if snr > 0:
        draw = np.random.default_rng(1)
        deviation = 1000 / snr
        signal = np.hypot(signal + draw.normal(0, deviation, signal.shape), draw.normal(0, deviation, signal.shape))
    scan = np.zeros((*brain.shape, len(b)), np.float32)
    scan[brain] = signal
    truth = np.where(share[..., None] > 0, unit * share[..., None], np.nan).reshape(*brain.shape, 9)
    none = np.zeros_like(brain)
    tissues = np.stack([brain & ~any_bundle, none, any_bundle, none, none], axis=-1)
    for name, values in (("dwi", scan), ("tissues", tissues.astype(np.float32)), ("mask", brain.astype(np.uint8)), ("bundles", any_bundle.astype(np.uint8)),
                         ("truth", truth.astype(np.float32))):
        nib.save(nib.Nifti1Image(values, image.affine), folder / f"{name}.nii")
    np.savetxt(folder / "grad.b", np.column_stack([gradients, b]), fmt="%.8f")
    counts = taken[any_bundle].sum(-1)
    print(f"{any_bundle.sum()} voxels of bundles, with 1, 2, 3 populations: {[int((counts == n).sum()) for n in (1, 2, 3)]}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 30)
