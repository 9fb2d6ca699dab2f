#!/usr/bin/env python3
"""A head scanned twice, with and without a change of known size: what registration within a person finds.

    planted_change.py SULCUS_CLI HEAD BRAIN LABELS HIPPOCAMPI [--spacing 1.5] [--people 12] [--noise 0.02]
                      [--without NAMES] [--flags "FLAGS"]...

HEAD        a T1-weighted scan, such as ch2.nii.gz of Debian's mricron-data; BRAIN the same without skull
LABELS      an atlas on the grid of HEAD (aal.nii.gz); HIPPOCAMPI its numbers of them, by commas (37,38)
--flags     further flags of `registration`, a row for each
--without   programs that are not run: greedy, SyN

Each person's second scan is the first one under exp(v), where v is the gradient of a potential whose Laplacian is log
1.10 in the ventricles and log 0.96 in the hippocampi, or 0; moved rigidly by less than a voxel. Each scan has its own
noise and a bias field of +-5 %. Truth is the mean of the Jacobian of exp(v) over a region. The anatomy is always the
same, so a program's own bias accumulates over the people. For the scans without a change, a second table has the mean
and s.d. of log J in the brain, and by how many % the regions of LABELS with at least 1 ml change: largest mean over the
people (with its number in LABELS) and largest of one person. These maps go to `group` (signs flipped): nothing should
be found. Needs numpy, scipy, nibabel, picsl_greedy and antspyx.
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

from known_warps import at_spacing, by_greedy, by_sulcus, by_syn, exponential, jacobian

CHANGES = {"ventricles": 1.10, "hippocampi": 0.96}


def at_spacing_labels(labels, spacing):
    """The label of the nearest voxel, on the grid of at_spacing()."""
    factor = spacing / np.array(labels.header.get_zooms()[:3])
    shape = np.floor(np.array(labels.shape[:3]) / factor).astype(int)
    places = np.ix_(*[np.minimum(np.rint(np.arange(n) * f).astype(int), size - 1) for n, f, size in zip(shape, factor, labels.shape)])
    return np.asarray(labels.dataobj)[places]


def ventricles_of(bright, brain, affine):
    """Dark voxels of the brain that are connected to the middle of the lateral ventricles."""
    dark = ndimage.binary_erosion(brain, iterations=3) & (bright < 0.55 * np.median(bright[brain]))
    parts, _ = ndimage.label(dark)
    found = np.zeros_like(dark)
    for x in (-8, 8):
        at = np.linalg.inv(affine) @ [x, -5, 18, 1]
        places = np.stack(np.nonzero(dark), 1)
        nearest = places[np.argmin(np.linalg.norm(places - at[:3], axis=1))]
        found |= parts == parts[tuple(nearest)]
    center = np.linalg.inv(affine) @ [0, -15, 10, 1]
    distance = np.linalg.norm((np.indices(dark.shape).T - center[:3]).T, axis=0)
    return found & (distance * abs(affine[0, 0]) < 50)


def growing(rates):
    """The gradient of a potential with this Laplacian, voxels."""
    rates = rates - rates.mean()
    waves = np.meshgrid(*[2 * np.pi * np.fft.fftfreq(n) for n in rates.shape], indexing="ij")
    square = sum(w**2 for w in waves)
    square[0, 0, 0] = 1
    potential = -np.fft.fftn(rates) / square
    return np.stack([np.fft.ifftn(1j * w * potential).real for w in waves])


def turned(shape, random):
    """A rigid motion about the center, voxels: up to half a voxel and half a degree along each axis."""
    from scipy.spatial.transform import Rotation
    matrix = Rotation.from_euler("xyz", random.uniform(-0.5, 0.5, 3), degrees=True).as_matrix()
    center = (np.array(shape) - 1) / 2
    return matrix, center - matrix @ center + random.uniform(-0.5, 0.5, 3)


def bias(shape, random):
    field = ndimage.gaussian_filter(random.standard_normal(shape), 25, mode="wrap")
    return np.exp(0.05 * field / np.abs(field).max())


def by_map(find):
    """log J as written by the program."""
    return lambda folder: np.asarray(nib.load(find(folder)).dataobj, float)


def by_field(find, spacing):
    """log J of a displacement field in LPS mm."""
    def run(folder):
        field = np.squeeze(np.asarray(nib.load(find(folder)).dataobj, float)) * [-1, -1, 1] / spacing
        return np.log(np.clip(jacobian(np.moveaxis(field, -1, 0)), 1e-3, None))
    return run


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "head", "brain", "labels", "hippocampi"):
        parser.add_argument(name)
    parser.add_argument("--spacing", type=float, default=1.5)
    parser.add_argument("--people", type=int, default=12)
    parser.add_argument("--noise", type=float, default=0.02)
    parser.add_argument("--flags", action="append", default=[])
    parser.add_argument("--without", default="")
    chosen = parser.parse_args()
    head, affine = at_spacing(nib.load(chosen.head), chosen.spacing)
    bright, _ = at_spacing(nib.load(chosen.brain), chosen.spacing)
    brain = ndimage.binary_fill_holes(bright > 0.05 * bright.max())
    atlas = nib.as_closest_canonical(nib.load(chosen.labels))
    numbers = np.isin(np.asarray(atlas.dataobj), [int(n) for n in chosen.hippocampi.split(",")])
    shares, _ = at_spacing(nib.Nifti1Image(numbers.astype("f4"), atlas.affine), chosen.spacing)
    near = at_spacing_labels(atlas, chosen.spacing)
    parts = [n for n in np.unique(near) if n > 0 and np.sum(near == n) * chosen.spacing**3 >= 1000]
    regions = {"ventricles": ventricles_of(bright, brain, affine), "hippocampi": shares > 0.5}
    unit = np.median(head[brain])
    places = np.stack(np.meshgrid(*[np.arange(n, dtype=float) for n in head.shape], indexing="ij"))
    rates = sum(math.log(CHANGES[name]) * ndimage.gaussian_filter(region.astype(float), 0.7) for name, region in regions.items())
    v = growing(rates)
    truth = jacobian(exponential(v, 3))
    print("voxels:", {name: int(region.sum()) for name, region in regions.items()},
          "true change, %:", {name: round(100 * (truth[region].mean() - 1), 2) for name, region in regions.items()}, flush=True)
    programs = {"within a subject": by_map(by_sulcus(chosen.program, ["--preset", "within a subject"], "logjac"))}
    for flags in chosen.flags:
        programs[flags] = by_map(by_sulcus(chosen.program, flags.split(), "logjac"))
    programs |= {name: by_field(run, chosen.spacing) for name, run in (("greedy", by_greedy), ("SyN", by_syn)) if name not in chosen.without.split(",")}
    back = {"none": np.zeros_like(v), "planted": exponential(-v, 3)}
    found = {(name, what): [] for name in programs for what in ("none", "planted")}
    nulls = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "none").mkdir()
        for person in range(chosen.people):
            for what in ("none", "planted"):
                random = np.random.default_rng([person, what == "planted"])
                matrix, shift = turned(head.shape, random)
                at = np.einsum("ij,jxyz->ixyz", matrix, places) + shift[:, None, None, None]
                at = at + np.stack([ndimage.map_coordinates(c, at, order=3, mode="nearest") for c in back[what]])
                later = ndimage.map_coordinates(head, at, order=3, mode="constant")
                for name, data in (("fixed", head), ("moving", later)):
                    data = data * bias(data.shape, random) + chosen.noise * unit * random.standard_normal(data.shape)
                    nib.save(nib.Nifti1Image(data.astype("f4"), affine), folder / f"{name}.nii.gz")
                for name, run in programs.items():
                    log_j = run(folder)
                    if what == "none":
                        change = [100 * (np.exp(log_j)[near == n].mean() - 1) for n in parts]
                        nulls[name].append([log_j[brain].mean(), log_j[brain].std(), *change])
                    found[name, what].append([100 * (np.exp(log_j)[region].mean() - 1) for region in regions.values()])
                    if what == "none" and name == "within a subject":
                        nib.save(nib.Nifti1Image(log_j.astype("f4"), affine), folder / f"none/sub-{person:02}.nii.gz")
        print("| | " + " | ".join(f"{region}: none | planted | s.d. | n80" for region in regions) + " |")
        print("| --- |" + " --- |" * 8)
        for name in programs:
            none, planted = (np.array(found[name, what]) for what in ("none", "planted"))
            row = f"| {name} |"
            for r in range(len(regions)):
                mean, deviation = planted[:, r].mean(), planted[:, r].std(ddof=1)
                n80 = math.ceil(2 * ((1.959964 + 0.841621) * deviation / (0.25 * mean)) ** 2)
                row += f" {none[:, r].mean():+.2f} | {mean:+.2f} | {deviation:.2f} | {n80} |"
            print(row)
        print("\n| no change | mean log J | s.d. | largest mean of a region | largest of one person |")
        print("| --- |" + " --- |" * 4)
        for name in programs:
            all_people = np.array(nulls[name])
            means = all_people[:, 2:].mean(0)
            most = np.abs(means).argmax()
            print(f"| {name} | {all_people[:, 0].mean():+.4f} | {all_people[:, 1].mean():.3f} | {means[most]:+.2f} ({parts[most]}) |"
                  f" {np.abs(all_people[:, 2:]).max():.2f} |")
        nib.save(nib.Nifti1Image(brain.astype("u1"), affine), folder / "brain.nii.gz")
        subprocess.run([chosen.program, "group", "--maps", *sorted((folder / "none").glob("*")), "--mask", folder / "brain.nii.gz",
                        "--permutations", "2000", "--out", folder / "group", "--quiet", "--json"], check=True, stdout=(folder / "said").open("w"))
        for run in json.loads((folder / "said").read_text())["runs"]:
            print("group, no change:", " ".join(run["notes"]))


if __name__ == "__main__":
    main()
