#!/usr/bin/env python3
"""Makes pairs of brains with labels for `sulcus-bench pairs` from public files, which are not part of Sulcus.

    labelled_pairs.py NIREP OASIS MRICRON SULCUS_CLI OUT

NIREP       folder with naNN.nii.gz and naNN_seg.nii.gz of https://github.com/andreasmang/nirep: T1 brains of one
            scanner at 0.7 mm with 33 labels drawn by hand. Cite G. E. Christensen et al., Introduction to the
            Non-rigid Image Registration Evaluation Project, WBIR 2006, LNCS 4057, 128.
OASIS       data/test_scan.npz of https://github.com/voxelmorph/voxelmorph: a T1 brain at 1 mm with FreeSurfer's
            labels, from OASIS (D. S. Marcus et al., J. Cogn. Neurosci. 19 (2007) 1498).
MRICRON     usr/share/mricron/templates of Debian's package mricron-data: Colin27 without skull (C. J. Holmes et al.,
            J. Comput. Assist. Tomogr. 22 (1998) 324) and the AAL atlas (N. Tzourio-Mazoyer et al., NeuroImage 15
            (2002) 273).
SULCUS_CLI  the program, which makes the pairs with a bias field and with another contrast.
OUT         a folder, in which pairs.tsv appears, too.

Pairs within NIREP share a protocol. Between OASIS and Colin27 twelve subcortical structures are compared, which two
protocols draw differently: there Dice is limited, whatever the registration does. Needs numpy, scipy and nibabel.
"""
import subprocess
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

BRAINS = ["01", "02", "06", "07"]
# Thalamus, caudate, putamen, pallidum, hippocampus and amygdala, left and right: FreeSurfer's label of each of AAL's.
FREESURFER_FROM_AAL = {77: 10, 78: 49, 71: 11, 72: 50, 73: 12, 74: 51, 75: 13, 76: 52, 37: 17, 38: 53, 41: 18, 42: 54}
PAIRS = [
    ("A", "na06", "na06_seg", "na07", "na07_seg"),
    ("A'", "na07", "na07_seg", "na06", "na06_seg"),
    ("A2", "na01", "na01_seg", "na02", "na02_seg"),
    ("B", "oasis", "oasis_sub", "colin", "colin_sub"),
    ("B'", "colin", "colin_sub", "oasis", "oasis_sub"),
    ("A+bias", "na06_bias/template", "na06_seg", "na07", "na07_seg"),
    ("A+contrast", "na06_contrast/template", "na06_seg", "na07", "na07_seg"),
]


def save(values, affine, file):
    nib.save(nib.Nifti1Image(values, affine), file)


def halved(nirep, out):
    """Every second voxel of each brain, smoothed before; the headers say 1 mm for voxels of 0.7 mm."""
    for brain in BRAINS:
        for name in (f"na{brain}", f"na{brain}_seg"):
            scan = nib.load(nirep / f"{name}.nii.gz")
            values = np.asarray(scan.dataobj).squeeze()
            if name.endswith("_seg"):
                values = values.astype(np.int16)
            else:
                values = ndimage.gaussian_filter(values.astype(np.float32), 1.0)
            affine = np.diag([*(1.4 * np.sign(np.diag(scan.affine)[:3])), 1])
            save(values[::2, ::2, ::2], affine, out / f"{name}.nii.gz")


def subcortical(labels, target):
    result = np.zeros(labels.shape, np.int16)
    for label, code in target.items():
        result[labels == label] = code
    return result


def oasis(scan, out):
    data = np.load(scan)
    affine = np.array([[-1, 0, 0, 80], [0, 0, 1, -112], [0, -1, 0, 96], [0, 0, 0, 1.0]])
    codes = {code: code for code in FREESURFER_FROM_AAL.values()}
    save(1000 * data["vol"].squeeze().astype(np.float32), affine, out / "oasis.nii.gz")
    save(subcortical(data["seg"].squeeze(), codes), affine, out / "oasis_sub.nii.gz")


def colin(templates, out):
    brain, atlas = (nib.load(templates / f"{name}.nii.gz") for name in ("ch2bet", "aal"))
    save(np.asarray(brain.dataobj).astype(np.float32), brain.affine, out / "colin.nii.gz")
    labels = np.asarray(atlas.dataobj).astype(int)
    save(subcortical(labels, FREESURFER_FROM_AAL), atlas.affine, out / "colin_sub.nii.gz")


def changed(program, out):
    """The brain 06 where it is, under a bias field and in another contrast."""
    for name, flags in (("bias", ["--bias", "1"]), ("contrast", ["--contrast", "remapped"])):
        image = [program, "phantom", "registration", "--image", out / "na06.nii.gz", "--displacement", "0"]
        subprocess.run([*image, "--noise", "0", *flags, "--out", out / f"na06_{name}", "--quiet", "--overwrite"],
                       check=True)


def main(nirep, scan, templates, program, out):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    halved(Path(nirep), out)
    oasis(scan, out)
    colin(Path(templates), out)
    changed(program, out)
    rows = ["\t".join([name, *(f"{file}.nii.gz" for file in files)]) for name, *files in PAIRS]
    header = "name\ttemplate\ttemplate-labels\treference\treference-labels"
    (out / "pairs.tsv").write_text("\n".join([header, *rows]) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
