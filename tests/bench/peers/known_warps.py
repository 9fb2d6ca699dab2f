#!/usr/bin/env python3
"""Registers a head under known warps with Sulcus, greedy and ANTs: the mean error in the brain, mm.

    known_warps.py SULCUS_CLI HEAD BRAIN [--spacing 2] [--amplitudes 2,4,8] [--seeds 2] [--contrast] [--flags "FLAGS"]...
                   [--without NAMES]

HEAD        a T1-weighted scan, such as ch2.nii.gz of Debian's mricron-data
BRAIN       the same without skull (ch2bet.nii.gz), or its mask: where errors are measured
--contrast  the moving scan has another monotone contrast and a bias field
--flags     further flags of `registration`, a column for each
--without   programs that are not run: greedy, SyN, SyNCC

The fixed scan is the moving one at x + u(x), by cubic spline. x + u(x) is the exponential of a stationary velocity of
three random fields, smooth over 24 mm (s.d. of the Gaussian), scaled so that the mean length of u in the brain is the
amplitude, mm; none folds. Each scan has its own noise, 2 % of the brain's brightness. greedy (P. Yushkevich et al.):
affine by NMI, then NCC in windows of 5 x 5 x 5 voxels, 100, 50 and 10 iterations, otherwise its defaults. ANTs: SyN
with the defaults of antspyx (affine, Mattes mutual information), and SyNCC, by correlation. All on two threads;
processor seconds. Needs numpy, scipy, nibabel, picsl_greedy and antspyx.
"""
import argparse
import io
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

ITERATIONS = "100x50x10"


def at_spacing(image, spacing):
    """Averaged to voxels of that size, along the axes of the world."""
    image = nib.as_closest_canonical(image)
    data, old = image.get_fdata(), np.array(image.header.get_zooms()[:3])
    factor = spacing / old
    smooth = ndimage.gaussian_filter(data, 0.42 * factor * (factor > 1))
    shape = np.floor(np.array(data.shape) / factor).astype(int)
    places = np.meshgrid(*[np.arange(n) * f for n, f in zip(shape, factor)], indexing="ij")
    affine = np.diag([*[spacing] * 3, 1.0])
    affine[:3, 3] = image.affine[:3, 3]
    return ndimage.map_coordinates(smooth, places, order=1), affine


def exponential(velocity, order=1):
    """The displacement after flowing for a time of 1, by scaling and squaring; `order` of the splines between voxels."""
    places = np.stack(np.meshgrid(*[np.arange(n, dtype=float) for n in velocity.shape[1:]], indexing="ij"))
    u = velocity / 64
    for _ in range(6):
        u = u + np.stack([ndimage.map_coordinates(c, places + u, order=order, mode="nearest") for c in u])
    return u


def known_warp(shape, spacing, amplitude, brain, random):
    """Displacement in voxels, (3, x, y, z): scaling and squaring of a smooth velocity."""
    velocity = np.stack([ndimage.gaussian_filter(random.standard_normal(shape), 24 / spacing) for _ in range(3)])
    scale = 1.0 / np.linalg.norm(velocity, axis=0)[brain].mean()
    for _ in range(3):
        u = exponential(scale * amplitude / spacing * velocity)
        scale *= amplitude / spacing / np.linalg.norm(u, axis=0)[brain].mean()
    return u


def jacobian(u):
    slopes = np.stack([np.stack(np.gradient(c)) for c in u])
    return np.linalg.det(np.moveaxis(slopes + np.eye(3)[:, :, None, None, None], (0, 1), (-2, -1)))


def processor_seconds():
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime
               for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def by_sulcus(program, flags, result="displacement"):
    def run(folder):
        out = folder / "sulcus"
        subprocess.run([program, "registration", "--template", folder / "moving.nii.gz", "--reference", folder / "fixed.nii.gz",
                        "--outputs", result, "--threads", "2", "--quiet", "--overwrite", "--out", out, *flags],
                       check=True, stdout=subprocess.DEVNULL)
        return out / f"{result}.nii.gz"
    return run


def by_greedy(folder):
    from picsl_greedy import Greedy3D
    greedy, said = Greedy3D(), io.StringIO()
    pair = f"-i {folder}/fixed.nii.gz {folder}/moving.nii.gz"
    greedy.execute(f"-d 3 -V 0 -a -dof 12 -m NMI {pair} -ia-image-centers -n {ITERATIONS} -threads 2 -o {folder}/affine.mat", out=said)
    greedy.execute(f"-d 3 -V 0 -m NCC 2x2x2 {pair} -it {folder}/affine.mat -n {ITERATIONS} -threads 2 -o {folder}/warp.nii.gz", out=said)
    greedy.execute(f"-d 3 -V 0 -rf {folder}/fixed.nii.gz -r {folder}/warp.nii.gz {folder}/affine.mat -rc {folder}/whole.nii.gz", out=said)
    return folder / "whole.nii.gz"


def by_syn(folder, kind="SyN"):
    import ants
    fixed, moving = (ants.image_read(str(folder / f"{name}.nii.gz")) for name in ("fixed", "moving"))
    found = ants.registration(fixed, moving, type_of_transform=kind)
    return Path(ants.apply_transforms(fixed, moving, found["fwdtransforms"], compose=str(folder / "syn_")))


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "head", "brain"):
        parser.add_argument(name)
    parser.add_argument("--spacing", type=float, default=2)
    parser.add_argument("--amplitudes", default="2,4,8")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--contrast", action="store_true")
    parser.add_argument("--flags", action="append", default=[])
    parser.add_argument("--without", default="")
    chosen = parser.parse_args()
    head, affine = at_spacing(nib.load(chosen.head), chosen.spacing)
    bright, _ = at_spacing(nib.load(chosen.brain), chosen.spacing)
    brain = ndimage.binary_fill_holes(bright > 0.05 * bright.max())
    unit = np.median(head[brain])
    places = np.stack(np.meshgrid(*[np.arange(n, dtype=float) for n in head.shape], indexing="ij"))
    programs = {"Sulcus": by_sulcus(chosen.program, [])}
    for flags in chosen.flags:
        programs[flags] = by_sulcus(chosen.program, flags.split())
    programs |= {name: run for name, run in (("greedy", by_greedy), ("SyN", by_syn), ("SyNCC", lambda folder: by_syn(folder, "SyNCC"))) if name not in chosen.without.split(",")}
    print("| amplitude, mm | seed | smallest J | before |", " | ".join(f"{name}, mm | s" for name in programs), "|")
    print("|", " --- |" * (4 + 2 * len(programs)))
    sums = {}
    for amplitude in map(float, chosen.amplitudes.split(",")):
        for seed in range(chosen.seeds):
            random = np.random.default_rng([seed, int(10 * amplitude)])
            u = known_warp(head.shape, chosen.spacing, amplitude, brain, random)
            moved = ndimage.map_coordinates(head, places + u, order=3, mode="constant")
            # The brain of the fixed scan.
            inside = ndimage.map_coordinates(brain.astype(float), places + u, order=1) > 0.5
            noisy = lambda data: data + 0.02 * unit * random.standard_normal(data.shape)
            moving = head
            if chosen.contrast:
                slope = [(p / n - 0.5) for p, n in zip(places, head.shape)]
                moving = unit * (np.clip(head, 0, None) / unit) ** 0.8 * (1 + 0.3 * slope[0] - 0.2 * slope[2])
            row = f"| {amplitude:g} | {seed} | {jacobian(u)[inside].min():.2f} | {chosen.spacing * np.linalg.norm(u, axis=0)[inside].mean():.2f} |"
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch)
                for name, data in (("moving", moving), ("fixed", moved)):
                    nib.save(nib.Nifti1Image(noisy(data).astype(np.float32), affine), folder / f"{name}.nii.gz")
                for name, run in programs.items():
                    began = processor_seconds()
                    field = np.squeeze(nib.load(run(folder)).get_fdata()) * [-1, -1, 1]  # LPS
                    seconds = processor_seconds() - began
                    error = np.linalg.norm(np.moveaxis(field, -1, 0) - chosen.spacing * u, axis=0)[inside].mean()
                    sums.setdefault((amplitude, name), []).append(error)
                    row += f" {error:.3f} | {seconds:.1f} |"
            print(row, flush=True)
    for amplitude in sorted({a for a, _ in sums}):
        print(f"mean at {amplitude:g} mm:", ", ".join(f"{name} {np.mean(sums[amplitude, name]):.3f}" for name in programs))


if __name__ == "__main__":
    main()
