#!/usr/bin/env python3
"""Makes pairs of brains with labels for `sulcus-bench pairs` from public files, which are not part of Sulcus.

    labelled_pairs.py NIREP OASIS MRICRON FREESURFER SULCUS_CLI OUT

NIREP       folder with naNN.nii.gz and naNN_seg.nii.gz of https://github.com/andreasmang/nirep: T1 brains of one
            scanner at 0.7 mm with 33 labels drawn by hand. Cite G. E. Christensen et al., Introduction to the
            Non-rigid Image Registration Evaluation Project, WBIR 2006, LNCS 4057, 128.
OASIS       data/test_scan.npz of https://github.com/voxelmorph/voxelmorph: a T1 brain at 1 mm with FreeSurfer's
            labels, from OASIS (D. S. Marcus et al., J. Cogn. Neurosci. 19 (2007) 1498).
MRICRON     usr/share/mricron/templates of Debian's package mricron-data: Colin27 without skull (C. J. Holmes et al.,
            J. Comput. Assist. Tomogr. 22 (1998) 324) and the AAL atlas (N. Tzourio-Mazoyer et al., NeuroImage 15
            (2002) 273).
FREESURFER  folder with SUBJECT/mri of FreeSurfer's subjects: bert, which comes with FreeSurfer, and sub-02, sub-04,
            sub-08 and sub-09 of https://github.com/hebbianloop/FreeSurfer-Training-Data.
SULCUS_CLI  the program, which makes the pairs with a bias field and with another contrast.
OUT         a folder, in which pairs.tsv and aside.tsv appear, too.

Presets are chosen on pairs.tsv; aside.tsv has other people, who are not used for choosing. Pairs within NIREP share a
protocol. Between OASIS and Colin27 twelve subcortical structures are compared, which two protocols draw differently:
Dice is limited there, whatever the registration does. The pairs with FreeSurfer's subjects have its 32 structures in
both brains. Needs numpy, scipy and nibabel.
"""
import subprocess
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

BRAINS = ["01", "02", "03", "04", "06", "07", "09", "10", "11", "13", "14", "16"]
SUBJECTS = ["bert", "sub-02", "sub-04", "sub-08", "sub-09"]
STRUCTURES = [2, 3, 4, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 24, 26, 28, 31,
              41, 42, 43, 46, 47, 49, 50, 51, 52, 53, 54, 58, 60, 63]
OASIS = np.array([[-1, 0, 0, 80], [0, 0, 1, -112], [0, -1, 0, 96], [0, 0, 0, 1.0]])  # voxels to RAS
MARGIN = 8  # voxels of air that are kept around a brain
# Thalamus, caudate, putamen, pallidum, hippocampus and amygdala, left and right: FreeSurfer's label for each of AAL's.
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
# Name, template and reference of the pairs of aside.tsv, and those that are repeated with a bias field on the template.
ASIDE = [
    ("E1", "na03", "na04"), ("E2", "na10", "na09"), ("E3", "na13", "na14"), ("E4", "na16", "na11"),
    ("F", "oasis_32", "bert"), ("F'", "bert", "oasis_32"), ("G", "sub-04", "bert"),
    ("H", "sub-09", "oasis_32"), ("H'", "oasis_32", "sub-02"), ("K", "sub-02", "sub-08"),
]
SHADED = ["E1", "F", "F'"]


def save(values, affine, file):
    nib.save(nib.Nifti1Image(values, affine), file)


def halved(nirep, out):
    """Every second voxel of each brain after smoothing; the headers say 1 mm for voxels of 0.7 mm."""
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
    codes = {code: code for code in FREESURFER_FROM_AAL.values()}
    save(1000 * data["vol"].squeeze().astype(np.float32), OASIS, out / "oasis.nii.gz")
    save(subcortical(data["seg"].squeeze(), codes), OASIS, out / "oasis_sub.nii.gz")


def thirty_two(values, labels, affine, name, out):
    """A brain with FreeSurfer's structures, cropped."""
    shown = np.argwhere(values > 0)
    low, high = np.maximum(shown.min(0) - MARGIN, 0), shown.max(0) + 1 + MARGIN
    part = tuple(slice(a, b) for a, b in zip(low, high))
    affine = affine.copy()
    affine[:3, 3] += affine[:3, :3] @ low
    labels = labels.astype(int)
    labels = np.where(labels // 1000 == 1, 3, np.where(labels // 1000 == 2, 42, labels))  # regions of the cortex
    save(values[part].astype(np.float32), affine, out / f"{name}.nii.gz")
    save(np.where(np.isin(labels, STRUCTURES), labels, 0)[part].astype(np.int16), affine, out / f"{name}_seg.nii.gz")


def freesurfer(subjects, scan, out):
    data = np.load(scan)
    thirty_two(1000 * data["vol"].squeeze(), data["seg"].squeeze(), OASIS, "oasis_32", out)
    for subject in SUBJECTS:
        mri = subjects / subject / "mri"
        brain = nib.load(mri / ("brain.mgz" if (mri / "brain.mgz").exists() else "brainmask.mgz"))
        values = np.asarray(brain.dataobj).astype(float)
        values[values < 5] = 0  # 1 marks what was removed manually
        thirty_two(values, np.asarray(nib.load(mri / "aparc+aseg.mgz").dataobj), brain.affine, subject, out)


def colin(templates, out):
    brain, atlas = (nib.load(templates / f"{name}.nii.gz") for name in ("ch2bet", "aal"))
    save(np.asarray(brain.dataobj).astype(np.float32), brain.affine, out / "colin.nii.gz")
    labels = np.asarray(atlas.dataobj).astype(int)
    save(subcortical(labels, FREESURFER_FROM_AAL), atlas.affine, out / "colin_sub.nii.gz")


def changed(program, out):
    """Brains in their position, with a bias field and with another contrast."""
    shaded = [template for name, template, _ in ASIDE if name in SHADED]
    for brain, name, flags in [("na06", "contrast", ["--contrast", "remapped"]),
                               *((brain, "bias", ["--bias", "1"]) for brain in ["na06", *shaded])]:
        image = [program, "phantom", "registration", "--image", out / f"{brain}.nii.gz", "--displacement", "0"]
        subprocess.run([*image, "--noise", "0", *flags, "--out", out / f"{brain}_{name}", "--quiet", "--overwrite"],
                       check=True)


def write_table(pairs, file):
    rows = ["\t".join([name, *(f"{image}.nii.gz" for image in images)]) for name, *images in pairs]
    header = "name\ttemplate\ttemplate-labels\treference\treference-labels"
    file.write_text("\n".join([header, *rows]) + "\n")


def main(nirep, scan, templates, subjects, program, out):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    halved(Path(nirep), out)
    oasis(scan, out)
    colin(Path(templates), out)
    freesurfer(Path(subjects), scan, out)
    changed(program, out)
    write_table(PAIRS, out / "pairs.tsv")
    aside = [(name, a, f"{a}_seg", b, f"{b}_seg") for name, a, b in ASIDE]
    aside += [(f"{name}+bias", f"{a}_bias/template", f"{a}_seg", b, f"{b}_seg") for name, a, b in ASIDE
              if name in SHADED]
    write_table(aside, out / "aside.tsv")


if __name__ == "__main__":
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    main(*sys.argv[1:])
