#!/usr/bin/env python3
"""Makes the picture of the registration's help: where each similarity works and where it fails, on phantoms.

    similarity_pictures.py SULCUS_CLI FOLDER PICTURE.png

Each row is a pair that differs in one more way than the last; each picture is the middle slice. Needs numpy, nibabel
and matplotlib.
"""
import subprocess
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import nibabel as nib
import numpy as np

PAIRS = [
    ("alike", ["--kind", "brain", "--noise", "2"]),
    ("a bias field", ["--kind", "brain", "--noise", "2", "--bias", "1"]),
    ("another contrast", ["--kind", "brain", "--noise", "2", "--contrast", "remapped"]),
    ("a drawn shape", ["--kind", "c"]),
]
SIMILARITIES = ["l2", "lcc", "mi"]


def values(file):
    return np.asarray(nib.load(file).dataobj, dtype=float).squeeze()


def middle(image):
    plane = image[:, :, image.shape[2] // 2] if image.ndim == 3 else image
    return np.rot90(plane)


def show(axis, image, title, color):
    axis.imshow(middle(image), cmap="gray", vmin=0, vmax=np.percentile(image, 99.5), interpolation="nearest")
    axis.set_title(title, color=color, fontsize=10)
    axis.set_xticks([])
    axis.set_yticks([])


def misfit(pair, out):
    """The mean error of the displacement in the head, mm; of a shape the share of its area that does not match."""
    truth = pair / "true_displacement.nii.gz"
    if truth.exists():
        found, true = values(out / "displacement.nii.gz"), values(truth)
        inside = values(pair / "object.nii.gz") > 0
        return f"{np.linalg.norm(found - true, axis=-1)[inside].mean():.1f} mm off"
    warped, reference = (values(f) for f in (out / "warped.nii.gz", pair / "reference.nii.gz"))
    half = reference.max() / 2
    return f"{100 * np.sum((warped > half) != (reference > half)) / np.sum(reference > half):.0f} % off"


def main(program, folder, picture):
    folder = Path(folder)
    figure, axes = plt.subplots(len(PAIRS), 2 + len(SIMILARITIES), figsize=(9.5, 8.2), facecolor="#16181d")
    for row, (name, flags) in zip(axes, PAIRS):
        pair = folder / name.replace(" ", "-")
        subprocess.run([program, "phantom", "registration", *flags, "--size", "64", "--out", pair, "--quiet",
                        "--overwrite"], check=True)
        show(row[0], values(pair / "template.nii.gz"), "template", "white")
        row[0].set_ylabel(name, color="white", fontsize=11)
        show(row[1], values(pair / "reference.nii.gz"), "reference", "white")
        for axis, similarity in zip(row[2:], SIMILARITIES):
            out = folder / f"{pair.name}-{similarity}"
            subprocess.run([program, "registration", "--template", pair / "template.nii.gz", "--reference",
                            pair / "reference.nii.gz", "--similarity", similarity, "--affine", "none", "--out", out,
                            "--quiet", "--overwrite"], check=True)
            show(axis, values(out / "warped.nii.gz"), f"{similarity}: {misfit(pair, out)}", "#ffd479")
    figure.tight_layout(pad=0.6)
    figure.savefig(picture, dpi=100, facecolor=figure.get_facecolor())


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
