#!/usr/bin/env python3
"""How well lines find the 72 bundles of TractSeg's reference brain.

    tractseg_score.py REFERENCE LINES.tck...

REFERENCE is tests/reference_files of github.com/MIC-DKFZ/TractSeg (Apache 2.0): bundle_segmentations and
endings_segmentations of one brain; LINES follow its peaks.nii.gz. A line of 30 to 250 mm belongs to a bundle if its
ends are in the two end regions dilated by two voxels and 95 % of its points are in the mask dilated by one. Prints for
each file the bundles with 10 lines and more, the means over the 72 of overlap, overreach and F1 of their voxels, and
the shares of lines that belong to any bundle, and of those whose ends do. Needs numpy, scipy and nibabel.
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


def read_bundles(reference):
    """For each bundle its mask, and the dilated mask and ends, as flat arrays; and the image of their grid."""
    box = np.ones((3, 3, 3))
    bundles = []
    for path in sorted((reference / "bundle_segmentations").glob("*.nii.gz")):
        image = nib.load(path)
        mask = np.asarray(image.dataobj) > 0
        ends = [np.asarray(nib.load(reference / "endings_segmentations" / (path.name[:-7] + side)).dataobj) > 0
                for side in ("_b.nii.gz", "_e.nii.gz")]
        bundles.append((mask.ravel(), binary_dilation(mask, box).ravel(),
                        *(binary_dilation(end, box, iterations=2).ravel() for end in ends)))
    return bundles, image


def score(bundles, image, path):
    points, first = read_tck(path)
    steps = np.linalg.norm(np.diff(points, axis=0, prepend=points[:1]), axis=1)
    steps[first[:-1][first[:-1] < len(steps)]] = 0
    total = np.concatenate([[0], np.cumsum(steps, dtype=float)])
    count = np.diff(first)
    length = total[first[1:]] - total[first[:-1]]
    good = (length >= 30) & (length <= 250) & (count > 1)
    inverse = np.linalg.inv(image.affine)
    voxels = np.clip(np.rint(points @ inverse[:3, :3].T + inverse[:3, 3]).astype(int), 0, np.array(image.shape) - 1)
    at = np.ravel_multi_index(voxels.T, image.shape)
    head, tail = at[np.minimum(first[:-1], len(at) - 1)], at[first[1:] - 1]
    assigned, connecting = np.zeros(len(length), bool), np.zeros(len(length), bool)
    rows = []
    for mask, wide, begin, end in bundles:
        fits = good & ((begin[head] & end[tail]) | (end[head] & begin[tail]))
        connecting |= fits
        chosen = np.flatnonzero(fits)
        visited = np.zeros(mask.size, bool)
        for line in chosen:
            own = at[first[line]:first[line + 1]]
            fits[line] = wide[own].mean() >= 0.95
            if fits[line]:
                visited[own] = True
        assigned |= fits
        found, true, both = visited.sum(), mask.sum(), (visited & mask).sum()
        rows.append((fits.sum(), both / true, (found - both) / true, 2 * both / (found + true)))
    rows = np.array(rows)
    print(f"{path}: {int(good.sum())} lines, bundles {int((rows[:, 0] >= 10).sum())} of {len(bundles)}, "
          f"overlap {rows[:, 1].mean():.3f}, overreach {rows[:, 2].mean():.3f}, F1 {rows[:, 3].mean():.3f}, "
          f"assigned {100 * assigned.sum() / max(1, good.sum()):.1f} %, "
          f"connect the ends of a bundle {100 * connecting.sum() / max(1, good.sum()):.1f} %", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    reference = read_bundles(Path(sys.argv[1]))
    for lines in sys.argv[2:]:
        score(*reference, lines)
