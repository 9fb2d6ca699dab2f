#!/usr/bin/env python3
"""A diffusion scan of strands with known cross sections between regions.

    strands_phantom.py FOLDER [REGIONS] [BUNDLES] [SEED] [SNR]

REGIONS (24) lie on a sphere of 30 mm; BUNDLES (48) are smooth tubes between pairs of them with cross sections of 4 to
40 mm², filled by strands of 0.5 mm², of which a third is fiber (diffusivity 1.7, none across), the rest isotropic
(0.8 · 10⁻³ mm²/s). 48 × 48 × 48 voxels of 1.5 mm; six volumes with b = 0, 32 with 1000 and 64 with 3000 s/mm², Rician
noise (SNR 30). Writes dwi.nii, grad.b (MRtrix), bvals and bvecs (FSL), mask.nii, labels.nii and truth.csv (the cross
section of each pair, mm²). Needs numpy, scipy and nibabel.
"""
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy.interpolate import CubicSpline

SIZE, SPACING, RADIUS = 48, 1.5, 30.0


def spiral(count, whole):
    z = (1 - 2 * (np.arange(count) + 0.5) / count) if whole else (np.arange(count) + 0.5) / count
    turn = np.pi * (1 + 5 ** 0.5) * np.arange(count)
    return np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)


def strands_of(begin, end, area, draw):
    """Parallel strands from one end to the other: arrays of places (n × 3), mm, with steps of about 0.5 mm."""
    middle = 0.35 * (begin + end) + draw.normal(0, 4, 3)
    course = CubicSpline([0, 0.5, 1], [begin, middle, end], bc_type=((1, -2 * begin), (1, 2 * end)))
    places = course(np.linspace(0, 1, 400))
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    at = np.linspace(0, length[-1], int(length[-1] / 0.5) + 1)
    center = np.stack([np.interp(at, length, places[:, k]) for k in range(3)], axis=1)
    way = np.gradient(center, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    across = np.cross(way[0], [1, 0, 0] if abs(way[0, 0]) < 0.8 else [0, 1, 0])
    frames = []
    for direction in way:  # carried along without turning around the course
        across = across - direction * (across @ direction)
        across /= np.linalg.norm(across)
        frames.append((across, np.cross(direction, across)))
    frames = np.array(frames)
    count = max(4, round(area / 0.5))
    radius = np.sqrt(area / np.pi) * np.sqrt((np.arange(count) + 0.5) / count)
    turn = np.pi * (1 + 5 ** 0.5) * np.arange(count)
    return [center + r * (np.cos(t) * frames[:, 0] + np.sin(t) * frames[:, 1]) for r, t in zip(radius, turn)], count * 0.5


def main(folder, regions, bundles, seed, snr):
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(seed)
    affine = np.diag([SPACING] * 3 + [1.0])
    affine[:3, 3] = -0.5 * (SIZE - 1) * SPACING
    centers = RADIUS * spiral(regions, True)
    pairs = [(a, b) for a in range(regions) for b in range(a) if centers[a] @ centers[b] < 0.6 * RADIUS ** 2]
    truth = np.zeros((regions, regions))
    gradients = np.concatenate([np.zeros((6, 3)), spiral(32, False), spiral(64, False)])
    b = np.repeat([0.0, 1000.0, 3000.0], [6, 32, 64])
    fiber = np.zeros((SIZE ** 3, len(b)))
    share = np.zeros(SIZE ** 3)
    for n in draw.permutation(len(pairs))[:bundles]:
        one, other = pairs[n]
        begin, end = (centers[k] + draw.normal(0, 1.2, 3) for k in (one, other))
        strands, area = strands_of(begin, end, 4 * 10 ** draw.uniform(0, 1), draw)
        truth[one, other] = truth[other, one] = area
        for strand in strands:
            step = np.diff(strand, axis=0)
            length = np.linalg.norm(step, axis=1)
            voxel = np.rint((0.5 * (strand[1:] + strand[:-1]) - affine[:3, 3]) / SPACING).astype(int)
            at = np.ravel_multi_index(voxel.T, (SIZE,) * 3)
            volume = 0.5 * length / SPACING ** 3 / 3  # a third of the strand is fiber
            cosine = step @ gradients.T / length[:, None]
            np.add.at(fiber, at, volume[:, None] * np.exp(-b * 1.7e-3 * cosine ** 2))
            np.add.at(share, at, volume)
    index = np.stack(np.meshgrid(*[np.arange(SIZE)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    place = index * SPACING + affine[:3, 3]
    brain = np.linalg.norm(place, axis=1) < RADIUS + 4
    too_full = np.maximum(share, 0.9) / 0.9
    fiber, filled = fiber / too_full[:, None], share / too_full
    signal = 1000 * (fiber + (1 - filled)[:, None] * np.exp(-b * 0.8e-3))
    if snr > 0:
        signal = np.hypot(signal + draw.normal(0, 1000 / snr, signal.shape), draw.normal(0, 1000 / snr, signal.shape))
    signal[~brain] = 0
    distance = np.linalg.norm(place[:, None] - centers[None], axis=2)
    labels = np.where((distance.min(1) < 8) & (np.linalg.norm(place, axis=1) > RADIUS - 1.5) & brain, distance.argmin(1) + 1, 0)
    shape = (SIZE,) * 3
    for name, values in (("dwi", signal.reshape(*shape, -1).astype(np.float32)), ("mask", brain.reshape(shape).astype(np.uint8)),
                         ("labels", labels.reshape(shape).astype(np.int16))):
        nib.save(nib.Nifti1Image(values, affine), folder / f"{name}.nii")
    np.savetxt(folder / "grad.b", np.column_stack([gradients, b]), fmt="%.8f")
    np.savetxt(folder / "bvals", b[None], fmt="%g")
    np.savetxt(folder / "bvecs", (gradients * [-1, 1, 1]).T, fmt="%.8f")  # FSL: x reversed where the grid is right-handed
    np.savetxt(folder / "truth.csv", truth, delimiter=",", fmt="%g")
    print(f"{bundles} of {regions * (regions - 1) // 2} pairs, {int((share > 0.03).sum())} voxels with fibers, "
          f"{(share[share > 0.03] > 0.9).mean():.1%} of them too full, at most {share.max():.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    given = [float(word) for word in sys.argv[2:]]
    values = given + [24, 48, 1, 30][len(given):]
    main(Path(sys.argv[1]), int(values[0]), int(values[1]), int(values[2]), values[3])
