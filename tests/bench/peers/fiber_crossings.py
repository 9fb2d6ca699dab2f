#!/usr/bin/env python3
"""How well Sulcus, MRtrix and dipy find two crossing fibers in the same simulated scans.

    python3 tests/bench/peers/fiber_crossings.py build/full/bin/sulcus-cli [--seed 300] [--voxels 3000] [--only TEXT]

Needs dipy and nibabel, and MRtrix's dwi2response, dwi2fod and sh2peaks on the path. Prints one Markdown table. Each
program estimates its response from the scan, which has 64 directions, 6 volumes with b = 0, Rician noise, two equal
fibers anywhere in `--voxels` voxels and one in a fifth as many more. --only: the cases that hold this text, as in
"b 3000, SNR 30, 45–60°".
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

import nibabel
import numpy
from dipy.core.gradients import gradient_table
from dipy.data import default_sphere
from dipy.direction import peaks_from_model
from dipy.reconst.csdeconv import ConstrainedSphericalDeconvModel, response_from_mask_ssst
from dipy.reconst.dti import TensorModel

CASES = [(3000, 30, 45, 60), (3000, 30, 40, 40), (3000, 30, 35, 35), (3000, 15, 80, 90), (1000, 30, 45, 60),
         (3000, 30, 30, 35)]
DIRECTIONS, UNWEIGHTED = 64, 6


def even_directions(count):
    """Directions on a spiral over the half sphere."""
    z = (numpy.arange(count) + 0.5) / count
    turn = numpy.pi * (1 + numpy.sqrt(5)) * numpy.arange(count)
    return numpy.stack([numpy.sqrt(1 - z**2) * numpy.cos(turn), numpy.sqrt(1 - z**2) * numpy.sin(turn), z], axis=1)


def unit(vectors):
    return vectors / numpy.linalg.norm(vectors, axis=-1, keepdims=True)


def scan_of(b, snr, smallest, largest, crossing, random):
    """Signals (voxels, volumes) and true fibers (voxels, 2, 3), NaN where there is one."""
    single = crossing // 5
    voxels = single + crossing
    first = unit(random.normal(size=(voxels, 3)))
    across = unit(numpy.cross(first, random.normal(size=(voxels, 3))))
    angle = numpy.radians(random.uniform(smallest, largest, (voxels, 1)))
    fibers = numpy.stack([first, numpy.cos(angle) * first + numpy.sin(angle) * across], axis=1)
    cosine = numpy.einsum("vfi,gi->vfg", fibers, even_directions(DIRECTIONS))
    weighted = numpy.exp(-b * (0.2e-3 + 1.5e-3 * cosine**2))
    weighted = numpy.where(numpy.arange(voxels)[:, None] < single, weighted[:, 0], weighted.mean(axis=1))
    signal = numpy.concatenate([numpy.ones((voxels, UNWEIGHTED)), weighted], axis=1)
    noise = random.normal(size=(2, *signal.shape)) / snr
    fibers[:single, 1] = numpy.nan
    return 1000 * numpy.hypot(signal + noise[0], noise[1]), fibers


def write(signal, b, folder):
    """The scan as NIfTI with the gradients of FSL, in axes of the image, of which the first is reversed."""
    shape = (-1, 6, 10, signal.shape[1])
    nibabel.save(nibabel.Nifti1Image(signal.reshape(shape).astype(numpy.float32), numpy.eye(4)), folder / "dwi.nii")
    nibabel.save(nibabel.Nifti1Image(numpy.ones(signal.reshape(shape).shape[:3], numpy.uint8), numpy.eye(4)),
                 folder / "mask.nii")
    gradients = numpy.concatenate([numpy.zeros((UNWEIGHTED, 3)), even_directions(DIRECTIONS)]) * [-1, 1, 1]
    numpy.savetxt(folder / "dwi.bvec", gradients.T, "%.9f")
    numpy.savetxt(folder / "dwi.bval", [numpy.repeat([0, b], [UNWEIGHTED, DIRECTIONS])], "%d")


def peaks_in(file, cut=0.0):
    """Peaks (voxels, n, 3) above a share of the largest, NaN for others."""
    peaks = numpy.asarray(nibabel.load(file).get_fdata())
    peaks = peaks.reshape(-1, peaks.shape[3] // 3, 3)
    size = numpy.nan_to_num(numpy.linalg.norm(peaks, axis=2))
    return numpy.where((size > cut * size.max(axis=1, keepdims=True))[..., None], peaks, numpy.nan)


def of_sulcus(program, folder):
    subprocess.run([program, "fibers", "--dwi", folder / "dwi.nii", "--mask", folder / "mask.nii", "--out",
                    folder / "sulcus", "--quiet"], check=True, capture_output=True)
    return peaks_in(folder / "sulcus" / "peaks.nii.gz")


def of_mrtrix(order, folder):
    """Peaks above a quarter of the largest, as in Sulcus."""
    gradients = ["-fslgrad", folder / "dwi.bvec", folder / "dwi.bval"]
    for command in (["dwi2response", "tournier", folder / "dwi.nii", folder / "response.txt", "-mask",
                     folder / "mask.nii", "-scratch", folder, *gradients],
                    ["dwi2fod", "csd", folder / "dwi.nii", folder / "response.txt", folder / "fod.nii", "-lmax",
                     str(order), *gradients],
                    ["sh2peaks", folder / "fod.nii", folder / "peaks.nii", "-num", "5"]):
        subprocess.run([*command, "-force", "-quiet"], check=True, capture_output=True)
    return peaks_in(folder / "peaks.nii", 0.25)


def of_dipy(signal, b):
    """Peaks with dipy's defaults: half of the largest, 25° apart."""
    rows = numpy.concatenate([numpy.zeros((UNWEIGHTED, 3)), even_directions(DIRECTIONS)])
    table = gradient_table(numpy.repeat([0.0, b], [UNWEIGHTED, DIRECTIONS]), bvecs=rows)
    data = signal.reshape(-1, 6, 10, signal.shape[1])
    anisotropy = TensorModel(table).fit(data).fa
    response, _ = response_from_mask_ssst(table, data, anisotropy > numpy.quantile(anisotropy, 0.9))
    found = peaks_from_model(ConstrainedSphericalDeconvModel(table, response, sh_order_max=8), data, default_sphere,
                             relative_peak_threshold=0.5, min_separation_angle=25, npeaks=5)
    return numpy.where(found.peak_values[..., None] > 0, found.peak_dirs, numpy.nan).reshape(-1, 5, 3)


def degrees_between(a, b):
    """Angles (voxels, n, m) between axes; 90 if there is none."""
    cosine = numpy.abs(numpy.einsum("vni,vmi->vnm", unit(a), unit(b)))
    return numpy.nan_to_num(numpy.degrees(numpy.arccos(numpy.clip(cosine, 0, 1))), nan=90.0)


def score(peaks, fibers):
    """Shares of correct voxels with two crossing fibers and with one, false peaks in a voxel with two (farther than 20°
    from both), and the median angle of the worse fiber in correct voxels."""
    count, true = (numpy.isfinite(x[..., 0]).sum(axis=1) for x in (peaks, fibers))
    crossing, right = true == 2, count == true
    angles = degrees_between(fibers, peaks)
    false = (numpy.isfinite(peaks[..., 0]) & (angles.min(axis=1) > 20)).sum(axis=1)
    worse = angles.min(axis=2).max(axis=1)[crossing & right]
    return (100 * right[crossing].mean(), false[crossing].mean(), numpy.median(worse) if len(worse) else numpy.nan,
            100 * right[~crossing].mean())


def processor_seconds():
    return sum(use.ru_utime + use.ru_stime
               for use in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=300)
    parser.add_argument("--voxels", type=int, default=3000, help="a multiple of 50")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print("| b, s/mm² | SNR | angle, ° | program | right | false | error, ° | one fiber | processor s |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for number, (b, snr, smallest, largest) in enumerate(CASES):
        angle = f"{smallest}" if smallest == largest else f"{smallest}–{largest}"
        if options.only not in f"b {b}, SNR {snr}, {angle}°":
            continue
        random = numpy.random.default_rng(options.seed + number)
        signal, fibers = scan_of(b, snr, smallest, largest, options.voxels, random)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write(signal, b, folder)
            programs = {"Sulcus": lambda: of_sulcus(options.program, folder),
                        "MRtrix, order 8": lambda: of_mrtrix(8, folder),
                        "MRtrix, order 10": lambda: of_mrtrix(10, folder), "dipy": lambda: of_dipy(signal, b)}
            for program, find in programs.items():
                begin = processor_seconds()
                peaks = find()
                seconds = processor_seconds() - begin
                right, false, error, one = score(peaks, fibers)
                print(f"| {b} | {snr} | {angle} | {program} | {right:.1f} % | {false:.4f} | {error:.2f} | {one:.1f} % | "
                      f"{seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
