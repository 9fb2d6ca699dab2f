#!/usr/bin/env python3
"""Peaks of Sulcus and MRtrix in gray matter, CSF and white matter of the same simulated scan of three shells.

    python3 tests/bench/peers/fiber_tissues.py build/full/bin/sulcus-cli [--seed 500] [--voxels 12000] [--only TEXT]

Has the requirements of fiber_crossings.py. Prints one Markdown table. Each program estimates its responses from the
scan: shells of 24, 30 and 40 directions, 6 volumes with b = 0, Rician noise, SNR 30 in white matter. Half of the voxels
are white matter of one to three fibers, a quarter gray matter, a twelfth CSF, a sixth mixtures of equal parts. --only:
the programs whose name contains this text; --voxels 230400 is the brain at 2 mm.
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

import nibabel
import numpy

from fiber_crossings import degrees_between, even_directions, peaks_in, processor_seconds, unit

SHELLS, UNWEIGHTED, SNR = {1000: 24, 2000: 30, 3000: 40}, 6, 30
SIGNAL, DIFFUSIVITY = {"white": 1000, "gray": 1300, "csf": 3000}, {"gray": 0.8e-3, "csf": 3e-3}
# For every twelve voxels: number of fibers, and shares of white matter, gray matter and CSF.
KINDS = [(1, (1, 0, 0))] * 3 + [(2, (1, 0, 0))] * 2 + [(3, (1, 0, 0))] + [(0, (0, 1, 0))] * 3 + [
    (0, (0, 0, 1)), (1, (0.5, 0.5, 0)), (0, (0, 0.5, 0.5))]
PROGRAMS = ("Sulcus, default (`msmt`)", "MRtrix, `msmt_csd`", "Sulcus, `csd`")


def gradients():
    rows = [(0, (0, 0, 0))] * UNWEIGHTED
    rows += [(b, g) for b, count in SHELLS.items() for g in even_directions(count)]
    return numpy.array([b for b, _ in rows], float), numpy.array([g for _, g in rows], float)


def scan_of(voxels, random):
    """Signals (voxels, volumes), true fibers (voxels, 3, 3) with NaN where there is none, and shares of the tissues."""
    b, directions = gradients()
    count, shares = (numpy.array([KINDS[i % len(KINDS)][k] for i in range(voxels)]) for k in (0, 1))
    first = unit(random.normal(size=(voxels, 3)))
    across = unit(numpy.cross(first, random.normal(size=(voxels, 3))))
    angle = numpy.radians(numpy.where(count == 2, random.uniform(60, 90, voxels), 90))[:, None]
    fibers = numpy.stack([first, numpy.cos(angle) * first + numpy.sin(angle) * across, numpy.cross(first, across)], axis=1)
    fibers[numpy.arange(3) >= count[:, None]] = numpy.nan
    cosine = numpy.einsum("vfi,gi->vfg", fibers, directions)
    of_fibers = numpy.nansum(numpy.exp(-b * (0.2e-3 + 1.5e-3 * cosine**2)), axis=1) / numpy.maximum(count, 1)[:, None]
    signal = shares[:, :1] * SIGNAL["white"] * of_fibers
    for k, tissue in enumerate(("gray", "csf"), 1):
        signal = signal + shares[:, k:k + 1] * SIGNAL[tissue] * numpy.exp(-b * DIFFUSIVITY[tissue])
    noise = SIGNAL["white"] / SNR * random.normal(size=(2, *signal.shape))
    return numpy.hypot(signal + noise[0], noise[1]), fibers, shares


def write(signal, folder):
    b, directions = gradients()
    shape = (-1, 12, 20)
    nibabel.save(nibabel.Nifti1Image(signal.reshape(*shape, len(b)).astype(numpy.float32), numpy.eye(4)), folder / "dwi.nii")
    nibabel.save(nibabel.Nifti1Image(numpy.ones(signal[:, 0].reshape(shape).shape, numpy.uint8), numpy.eye(4)),
                 folder / "mask.nii")
    numpy.savetxt(folder / "dwi.bvec", (directions * [-1, 1, 1]).T, "%.9f")
    numpy.savetxt(folder / "dwi.bval", [b], "%d")


def of_sulcus(program, folder, *options):
    subprocess.run([program, "fibers", "--dwi", folder / "dwi.nii", "--mask", folder / "mask.nii", "--out", folder / "out",
                    "--overwrite", "--quiet", *options], check=True, capture_output=True)
    return peaks_in(folder / "out" / "peaks.nii.gz")


def of_mrtrix(folder):
    """Peaks above a quarter of the largest and above 0.1, the default cut-off of MRtrix' tracking."""
    responses = [folder / f"{tissue}.txt" for tissue in ("white", "gray", "csf")]
    functions = [folder / f"{tissue}.nii" for tissue in ("white", "gray", "csf")]
    fslgrad = ["-fslgrad", folder / "dwi.bvec", folder / "dwi.bval"]
    for command in (["dwi2response", "dhollander", folder / "dwi.nii", *responses, "-mask", folder / "mask.nii", "-erode", "0",
                     "-scratch", folder, *fslgrad],
                    ["dwi2fod", "msmt_csd", folder / "dwi.nii", *sum(zip(responses, functions), ()), *fslgrad],
                    ["sh2peaks", functions[0], folder / "peaks.nii", "-num", "5", "-threshold", "0.1"]):
        subprocess.run([*command, "-force", "-quiet"], check=True, capture_output=True)
    return peaks_in(folder / "peaks.nii", 0.25)


def score(peaks, fibers, shares):
    """Peaks in a voxel of gray matter and of CSF, percentage of white matter fibers without a peak within 20°, median
    angle of the others."""
    count = numpy.isfinite(peaks[..., 0]).sum(axis=1)
    white = shares[:, 0] == 1
    nearest = degrees_between(fibers, peaks).min(axis=2)[white][numpy.isfinite(fibers[white][..., 0])]
    return (count[shares[:, 1] == 1].mean(), count[shares[:, 2] == 1].mean(), 100 * (nearest > 20).mean(),
            numpy.median(nearest[nearest <= 20]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--voxels", type=int, default=12000, help="a multiple of 240")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    signal, fibers, shares = scan_of(options.voxels, numpy.random.default_rng(options.seed))
    print("| program | peaks a voxel of gray matter | of CSF | fibers of white matter missed | error, ° | s | processor s |")
    print("|---" * 7 + "|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(signal, folder)
        found = (lambda: of_sulcus(options.program, folder), lambda: of_mrtrix(folder),
                 lambda: of_sulcus(options.program, folder, "--model", "csd"))
        for program, find in zip(PROGRAMS, found):
            if options.only not in program:
                continue
            begin, begin_processor = time.perf_counter(), processor_seconds()
            peaks = find()
            seconds, processor = time.perf_counter() - begin, processor_seconds() - begin_processor
            gray, csf, missed, error = score(peaks, fibers, shares)
            print(f"| {program} | {gray:.3f} | {csf:.3f} | {missed:.1f} % | {error:.2f} | {seconds:.1f} | {processor:.1f} |", flush=True)


if __name__ == "__main__":
    main()
