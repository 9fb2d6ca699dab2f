#!/usr/bin/env python3
"""Registers labeled pairs with greedy, for comparison with `sulcus-bench pairs`.

    registration_peer.py PAIRS.tsv SULCUS_CLI [NAME...]

PAIRS.tsv   the table from labelled_pairs.py
SULCUS_CLI  the program: greedy starts at its linear registration, and it deforms the labels by greedy's map
NAME        pairs to be registered; default: all

Prints a row for each pair: mean Dice over all labels of either image (a label that an image lacks counts as 0) after
linear registration and deformed; the s.d. and the smallest value of log J of the nonlinear part over all voxels of the
reference, by central differences, and how many voxels fold; processor seconds. greedy (P. Yushkevich et al.) with
normalized cross-correlation in windows of 5 x 5 x 5 voxels, 100, 50 and 10 iterations, otherwise its defaults, on one
thread. Needs numpy, nibabel and the package picsl_greedy.
"""
import csv
import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nibabel as nib
import numpy as np
from picsl_greedy import Greedy3D

SETTINGS = "-d 3 -V 0 -m NCC 2x2x2 -n 100x50x10 -threads 1"


def values(file):
    return np.asarray(nib.load(file).dataobj).squeeze()


def dice(moved, reference):
    labels = np.union1d(np.unique(moved), np.unique(reference))
    labels = labels[labels != 0]
    overlaps = []
    for label in labels:
        a, b = moved == label, reference == label
        overlaps.append(2 * np.count_nonzero(a & b) / (np.count_nonzero(a) + np.count_nonzero(b)))
    return overlaps, labels


def mean_dice(moved, of_template, reference):
    """A label that has left the image counts as well."""
    overlaps, labels = dice(moved, reference)
    lost = np.setdiff1d(np.unique(of_template), np.append(labels, 0))
    return sum(overlaps) / (len(overlaps) + len(lost))


def jacobian(field, affine):
    """J of x + field(x) in the voxels that have neighbors; the field is in the world's axes, mm."""
    to_voxels = np.linalg.inv(affine[:3, :3])
    moved = np.einsum("ij,xyzj->xyzi", to_voxels, field) + np.stack(
        np.meshgrid(*(np.arange(n, dtype=float) for n in field.shape[:3]), indexing="ij"), -1)
    slopes = [(np.roll(moved, -1, axis) - np.roll(moved, 1, axis))[1:-1, 1:-1, 1:-1] / 2 for axis in range(3)]
    return np.linalg.det(np.stack(slopes, -1))


def registered(row, folder, program, scratch):
    files = {key: folder / value for key, value in row.items() if key != "name" and value and value != "n/a"}
    images = ["--template", files["template"], "--reference", files["reference"]]
    run = lambda *words: subprocess.run([program, *words, "--quiet", "--overwrite"], check=True,
                                        stdout=subprocess.DEVNULL)
    start = scratch / "start"
    run("registration", *images, "--iterations", "0", "--out", start)
    affine, warp, whole = scratch / "affine.txt", scratch / "warp.nii.gz", scratch / "whole.nii.gz"
    np.savetxt(affine, np.loadtxt(start / "affine.txt"), fmt="%.12g")
    greedy, said, began = Greedy3D(), io.StringIO(), time.process_time()
    greedy.execute(f"{SETTINGS} -i {files['reference']} {files['template']} -it {affine} -o {warp}", out=said)
    seconds = time.process_time() - began
    greedy.execute(f"-d 3 -V 0 -rf {files['reference']} -r {warp} {affine} -rc {whole}", out=said)

    reference, of_template = values(files["reference-labels"]), values(files["template-labels"])
    overlap = []
    for field in (start / "displacement.nii.gz", whole):
        moved = scratch / "moved.nii.gz"
        run("apply", "--interpolation", "label", "--field", field, "--image", files["template-labels"], "--like", files["reference"], "--out",
            moved)
        overlap.append(mean_dice(values(moved), of_template, reference))
    field = nib.load(warp)
    j = jacobian(np.asarray(field.dataobj).squeeze() * [-1, -1, 1], field.affine)
    log_j = np.log(np.maximum(j, 1e-3))
    return [*(f"{d:.3f}" for d in overlap), f"{log_j.std():.3f}", f"{log_j.min():.2f}", str(np.count_nonzero(j <= 0)),
            f"{seconds:.0f}"]


def main(table, program, *names):
    print("| pair | Dice before | after | s.d. of log J | smallest | folded voxels | s of the processor |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with open(table, encoding="utf-8") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if names and row["name"] not in names:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                cells = registered(row, Path(table).parent, program, Path(scratch))
            print("| " + " | ".join([row["name"], *cells]) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
