#!/usr/bin/env python3
"""How well lines find the 72 bundles of TractSeg's reference brain.

    tractseg_score.py REFERENCE LINES.tck...

REFERENCE is tests/reference_files of github.com/MIC-DKFZ/TractSeg (Apache 2.0): bundle_segmentations and
endings_segmentations of one brain; LINES were led along its peaks.nii.gz. A line of 30 to 250 mm belongs to a bundle when
its ends lie in the two end regions widened by two voxels and 95 % of its points in the mask widened by one. Printed are,
for each file, the bundles with 10 lines and more, and the means over the 72 of overlap, overreach and F1 of their voxels,
and the share of lines that belong to any bundle. Needs numpy, scipy and nibabel.
"""
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy.ndimage import binary_dilation


def read_tck(path):
    """Points (n × 3, mm) and the first point of each line."""
    data = Path(path).read_bytes()
    header = data[: data.index(b"\nEND")].decode("latin-1")
    offset = next(int(line.split()[-1]) for line in header.splitlines() if line.startswith("file:"))
    values = np.frombuffer(data, "<f4", offset=offset, count=(len(data) - offset) // 12 * 3).reshape(-1, 3)
    ends = np.flatnonzero(np.isnan(values[:, 0]))
    lengths = np.diff(np.concatenate([[-1], ends])) - 1
    keep = np.isfinite(values[:, 0])
    keep[ends[-1] + 1 if len(ends) else 0:] = False
    return values[keep], np.concatenate([[0], np.cumsum(lengths)])


def score(reference, path):
    points, first = read_tck(path)
    steps = np.linalg.norm(np.diff(points, axis=0, prepend=points[:1]), axis=1)
    steps[first[:-1][first[:-1] < len(steps)]] = 0
    total = np.concatenate([[0], np.cumsum(steps)])
    length = total[first[1:]] - total[first[:-1]]
    good = (length >= 30) & (length <= 250) & (np.diff(first) > 1)
    names = sorted(p.name[:-7] for p in (reference / "bundle_segmentations").glob("*.nii.gz"))
    image = nib.load(reference / "bundle_segmentations" / (names[0] + ".nii.gz"))
    inverse = np.linalg.inv(image.affine)
    voxels = np.rint(points @ inverse[:3, :3].T + inverse[:3, 3]).astype(int)
    voxels = np.clip(voxels, 0, np.array(image.shape) - 1)
    at = np.ravel_multi_index(voxels.T, image.shape)
    line_of = np.repeat(np.arange(len(first) - 1), np.diff(first))
    head, tail = at[np.minimum(first[:-1], len(at) - 1)], at[first[1:] - 1]
    assigned = np.zeros(len(length), bool)
    rows = []
    box = np.ones((3, 3, 3))
    for name in names:
        load = lambda folder, n: np.asarray(nib.load(reference / folder / (n + ".nii.gz")).dataobj) > 0
        mask = load("bundle_segmentations", name)
        begin, end = (binary_dilation(load("endings_segmentations", name + side), box, iterations=2).ravel()
                      for side in ("_b", "_e"))
        wide = binary_dilation(mask, box).ravel()
        fits = good & ((begin[head] & end[tail]) | (end[head] & begin[tail]))
        inside = np.bincount(line_of, wide[at], len(length))
        fits &= inside >= 0.95 * np.diff(first)
        assigned |= fits
        visited = np.zeros(mask.size, bool)
        visited[at[fits[line_of]]] = True
        found, true = visited.sum(), mask.sum()
        both = (visited & mask.ravel()).sum()
        rows.append((fits.sum(), both / true, (found - both) / true, 2 * both / (found + true)))
    rows = np.array(rows)
    print(f"{path}: {int(good.sum())} lines, bundles {int((rows[:, 0] >= 10).sum())} of {len(names)}, "
          f"overlap {rows[:, 1].mean():.3f}, overreach {rows[:, 2].mean():.3f}, F1 {rows[:, 3].mean():.3f}, "
          f"assigned {100 * assigned.sum() / max(1, good.sum()):.1f} %")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for lines in sys.argv[2:]:
        score(Path(sys.argv[1]), lines)
