#!/usr/bin/env python3
"""Makes the picture in the help on registration: where each similarity works and where it fails, on phantoms.

    similarity_pictures.py SULCUS_CLI FOLDER PICTURE.png

Each row is a pair of images, each picture an axial slice. The deformed templates show the outlines of the reference,
which they should fill, and their errors. Takes about a minute. Needs numpy, scipy, nibabel, matplotlib and Pillow.
"""
import io
import subprocess
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import nibabel as nib
import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

BRAIN = ["--kind", "brain", "--size", "64"]
# The name of the row, the flags of its phantom, those of its registrations.
PAIRS = [
    ("alike", "same scanner", BRAIN, []),
    ("bias", "bias field\n(bright on\none side)", BRAIN + ["--bias", "1"], []),
    ("contrast", "other contrast\n(as T2 to T1)", BRAIN + ["--contrast", "remapped"], []),
    ("shape", "drawn shape", ["--kind", "c", "--size", "64"], ["--match", "off"]),
]
SIMILARITIES = {"l2": "squared differences", "lcc": "local correlation", "mi": "mutual information"}
GOOD, FAIR, FAILED = ("✓", "#5fd38d"), ("~", "#ffc857"), ("✗", "#ff6b6b")
GROUND, OUTLINE = "#16181d", "#33d6ff"
MARGIN = 4  # voxels of air that are shown around the object


def values(file):
    return np.asarray(nib.load(file).dataobj, dtype=float).squeeze()


def run(program, *arguments):
    """Runs a command and returns its output."""
    return subprocess.run([program, *arguments, "--quiet", "--overwrite"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def chosen(said):
    """The similarity that `auto` chose, from the output of a run."""
    return next(s for s, name in SIMILARITIES.items() if f"Compared by {name}" in said)


def misfit(pair, out):
    """The error of a result, in words and as a mark and color.

    For a head: the mean distance from the true position. For a shape: the share of it that is misplaced.
    """
    truth = pair / "true_displacement.nii.gz"
    if truth.exists():
        found, true = values(out / "displacement.nii.gz"), values(truth)
        inside = values(pair / "object.nii.gz") > 0
        mm = np.linalg.norm(found - true, axis=-1)[inside].mean()
        return f"{mm:.1f} mm off", GOOD if mm < 1 else FAIR if mm < 2 else FAILED
    warped, reference = (values(f) > 500 for f in (out / "warped.nii.gz", pair / "reference.nii.gz"))
    share = np.sum(warped != reference) / np.sum(reference)
    return f"{100 * share:.1f} % off", GOOD if share < 0.02 else FAIR if share < 0.05 else FAILED


class Slice:
    """The axial slice of a row, cropped to the reference, seen from below like a radiograph."""

    def __init__(self, reference):
        self.z = reference.shape[2] // 2
        shown = np.argwhere(gaussian_filter(reference[:, :, self.z], 1) > 0.15 * reference.max())
        low, high = np.maximum(shown.min(0) - MARGIN, 0), shown.max(0) + 1 + MARGIN
        self.part = tuple(slice(a, b) for a, b in zip(low, high))

    def of(self, image):
        return np.rot90(image[:, :, self.z][self.part][::-1])


def show(axis, image, place):
    axis.imshow(place.of(image), cmap="gray", vmin=0, vmax=np.percentile(image, 99.5), interpolation="bilinear")
    axis.set_xticks([])
    axis.set_yticks([])


def show_result(axis, pair, out, place, reference, automatic):
    show(axis, values(out / "warped.nii.gz"), place)
    axis.contour(gaussian_filter(place.of(reference), 0.7), levels=[0.5 * np.percentile(reference, 99.5)],
                 colors=OUTLINE, linewidths=0.8)
    text, (mark, color) = misfit(pair, out)
    axis.set_xlabel(f"{mark} {text}" + ("  ★" if automatic else ""), color=color, fontsize=12, labelpad=3)
    for spine in axis.spines.values():
        spine.set(color=color, linewidth=2.5)


def save(figure, picture):
    """Saves a figure with few colors, which halves the file."""
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=100, facecolor=GROUND)
    Image.open(pixels).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


def main(program, folder, picture):
    folder = Path(folder)
    figure, axes = plt.subplots(len(PAIRS), 2 + len(SIMILARITIES), figsize=(9.5, 8.6), facecolor=GROUND)
    for row, (name, title, of_phantom, of_run) in zip(axes, PAIRS):
        pair = folder / name
        run(program, "phantom", "registration", *of_phantom, "--out", pair)
        images = ["--template", pair / "template.nii.gz", "--reference", pair / "reference.nii.gz"]
        reference = values(pair / "reference.nii.gz")
        place = Slice(reference)
        show(row[0], values(pair / "template.nii.gz"), place)
        show(row[1], reference, place)
        row[0].set_ylabel(title, color="white", fontsize=12, rotation=0, ha="right", va="center", labelpad=8)
        said = run(program, "registration", *images, *of_run, "--affine", "none", "--iterations", "0", "--out",
                   folder / f"{name}-auto")
        for axis, similarity in zip(row[2:], SIMILARITIES):
            out = folder / f"{name}-{similarity}"
            run(program, "registration", *images, *of_run, "--affine", "none", "--similarity", similarity, "--out", out)
            show_result(axis, pair, out, place, reference, similarity == chosen(said))
    for axis, title in zip(axes[0], ["template", "reference", *(f"{s}\n{t}" for s, t in SIMILARITIES.items())]):
        axis.set_title(title, color="white", fontsize=12)
    for x, side in ((0.03, "R"), (0.97, "L")):
        axes[0, 0].text(x, 0.5, side, transform=axes[0, 0].transAxes, color=OUTLINE, fontsize=9, va="center",
                        ha="left" if side == "R" else "right")
    figure.text(0.01, 0.008, "On the deformed templates: outlines of the reference.  ✓ good  ~ fair  ✗ failed  "
                "★ what auto takes", color="white", fontsize=10)
    figure.tight_layout(pad=0.6, rect=(0, 0.022, 1, 1))
    save(figure, picture)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
