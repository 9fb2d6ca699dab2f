#!/usr/bin/env python3
"""How well labels lie on each other by a template, beside registrations of each pair of its own.

    template_overlap.py NIREP SULCUS_CLI OUT [--people 6] [--step 2] [--pairs 10] [-- OPTIONS of sulcus-cli template]

NIREP is the folder with naNN.nii.gz and naNN_seg.nii.gz of https://github.com/andreasmang/nirep (see labelled_pairs.py);
every `step`th voxel is taken. Prints the mean Dice of the labels over the pairs in the template, of the same pairs by
`sulcus-cli registration`, and the mean of log J over the people. What OUT has already is not made again. Needs numpy, scipy
and nibabel.
"""
import argparse
import itertools
import json
import subprocess
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

MARGIN = 8  # voxels of air that are kept around a brain


def taken(nirep, out, people, step):
    """The people's names; their images and labels, of fewer voxels and cropped to the brain, in `out`."""
    names = sorted(file.name[:4] for file in nirep.glob("na??.nii.gz"))[:people]
    for name in names:
        if (out / f"{name}_seg.nii.gz").exists():
            continue
        image, labels = (nib.load(nirep / f"{name}{end}.nii.gz") for end in ("", "_seg"))
        values = np.asarray(image.dataobj).squeeze().astype(np.float32)
        segmented = np.asarray(labels.dataobj).squeeze().astype(np.int16)
        if step > 1:
            values = ndimage.gaussian_filter(values, step / 2)
        values, segmented = values[::step, ::step, ::step], segmented[::step, ::step, ::step]
        inside = np.argwhere(values > 0.1 * np.percentile(values, 99))
        box = tuple(slice(max(low - MARGIN, 0), high + MARGIN) for low, high in zip(inside.min(0), inside.max(0)))
        affine = image.affine @ np.diag([step, step, step, 1.0])
        affine[:3, 3] += affine[:3, :3] @ [part.start for part in box]
        nib.save(nib.Nifti1Image(values[box], affine), out / f"{name}.nii.gz")
        nib.save(nib.Nifti1Image(segmented[box], affine), out / f"{name}_seg.nii.gz")
    return names


def dice(a, b):
    labels = np.union1d(a, b)
    labels = labels[labels > 0]
    return np.mean([2 * np.sum((a == k) & (b == k)) / max(np.sum(a == k) + np.sum(b == k), 1) for k in labels])


def run(*words):
    subprocess.run([str(word) for word in words] + ["--quiet", "--overwrite"], check=True, stdout=subprocess.DEVNULL)


def labels_of(file):
    return np.asarray(nib.load(file).dataobj).squeeze().astype(int)


def main():
    own, theirs = sys.argv[1:], []
    if "--" in own:
        own, theirs = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nirep", type=Path)
    parser.add_argument("sulcus")
    parser.add_argument("out", type=Path)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--step", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--name", default="template", help="folder of this template in OUT")
    given = parser.parse_args(own)
    out = given.out
    out.mkdir(parents=True, exist_ok=True)
    names = taken(given.nirep, out, given.people, given.step)
    pairs = list(itertools.combinations(names, 2))[:given.pairs]

    made = out / given.name
    if not made.exists():
        run(given.sulcus, "template", *(out / f"{name}.nii.gz" for name in names), "--out", made, *theirs)
    there = {}
    for name in names:
        file = made / f"{name}_there.nii.gz"
        if not file.exists():
            run(given.sulcus, "apply", "--field", made / "people" / f"{name}_displacement.nii.gz", "--image",
                out / f"{name}_seg.nii.gz", "--interpolation", "label", "--out", file)
        there[name] = labels_of(file)
    by_template = [dice(there[a], there[b]) for a, b in pairs]
    of_all = [dice(there[a], there[b]) for a, b in itertools.combinations(names, 2)]

    direct = []
    for a, b in pairs:
        folder = out / "pairs" / f"{a}-{b}"
        file = folder / "labels.nii.gz"
        if not file.exists():
            run(given.sulcus, "registration", "--template", out / f"{a}.nii.gz", "--reference", out / f"{b}.nii.gz",
                "--out", folder, "--outputs", "displacement")
            run(given.sulcus, "apply", "--field", folder / "displacement.nii.gz", "--image", out / f"{a}_seg.nii.gz",
                "--interpolation", "label", "--out", file)
        direct.append(dice(labels_of(file), labels_of(out / f"{b}_seg.nii.gz")))
    report = json.loads((made / "report.json").read_text())
    print(f"{given.name}: Dice of {len(pairs)} pairs {np.mean(by_template):.4f}, of all {np.mean(of_all):.4f}, "
          f"registered to each other {np.mean(direct):.4f}; better by the template in "
          f"{sum(x > y for x, y in zip(by_template, direct))}; mean of log J {report['mean_logjac']:.5f}; "
          f"{len(report['rounds'])} rounds, last moved {report['rounds'][-1]['moved']:.4f}")


main()
