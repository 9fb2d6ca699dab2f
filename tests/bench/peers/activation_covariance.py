#!/usr/bin/env python3
"""Errors of the effects with each --covariance, in simulated scans of two conditions with time derivatives.

    python3 tests/bench/peers/activation_covariance.py build/full/bin/sulcus-cli [--scans 3] [--seed 1]

Needs nilearn and nibabel. Prints one Markdown table. 4800 voxels, 200 volumes of 2 s, white noise of 1.2 % of the mean
signal; events of a and b in random order. 5 % of the voxels respond to a by 1 %, with a delay of up to 1.5 s, another 5
% to b, without delay. The truth is the fit to the signal without noise.
"""
import argparse
import pathlib
import subprocess
import tempfile

import nibabel
import numpy
import pandas
from nilearn.glm.first_level import compute_regressor

SIZE, SCANS, TR, VOXELS = (20, 20, 12), 200, 2.0, 4800
NAMES = ["a", "a_derivative", "b", "b_derivative"]


def response(onsets, delay=0.0):
    condition = numpy.vstack([onsets + delay, 0 * onsets, 1 + 0 * onsets])
    return compute_regressor(condition, "spm", (numpy.arange(SCANS) + 0.5) * TR)[0][:, 0]


def save(series, path):
    image = nibabel.Nifti1Image(series.T.reshape(*SIZE, SCANS).astype(numpy.float32), numpy.eye(4))
    image.header.set_zooms((1, 1, 1, TR))
    image.header.set_xyzt_units("mm", "sec")
    nibabel.save(image, path)


def maps_of(program, folder, bold, *options):
    subprocess.run([program, "activation", "--bold", folder / bold, "--events", folder / "events.tsv", "--mask",
                    folder / "mask.nii", "--response", "percent", "--noise", "white", "--derivatives", "time",
                    "--draws", "2000", "--quiet", "--overwrite", "--out", folder / "out", *options],
                   check=True, capture_output=True)
    names = [f"{kind}_{name}" for kind in ("mean", "ppm", "t") for name in NAMES]
    return {n: nibabel.load(folder / "out" / f"{n}.nii.gz").get_fdata().ravel() for n in names}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--scans", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows = {kind: [] for kind in ("full", "block", "diagonal")}
    for seed in range(options.seed, options.seed + options.scans):
        random = numpy.random.default_rng(seed)
        onsets = 4 + numpy.cumsum(random.uniform(3, 7, 200))
        onsets = onsets[onsets < SCANS * TR - 20]
        types = random.permutation(numpy.arange(len(onsets)) % 2)
        active = [random.random(VOXELS) < 0.05 for _ in range(2)]
        delays = random.uniform(0, 1.5, VOXELS)
        signal = numpy.full((SCANS, VOXELS), 100.0)
        for kind in range(2):
            mine = onsets[types == kind]
            for voxel in numpy.flatnonzero(active[kind]):
                late = delays[voxel] if kind == 0 else 0
                signal[:, voxel] += response(mine, late) / response(mine).max()
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            events = {"onset": onsets, "duration": 0.0, "trial_type": numpy.where(types, "b", "a")}
            pandas.DataFrame(events).to_csv(folder / "events.tsv", sep="\t", index=False)
            nibabel.save(nibabel.Nifti1Image(numpy.ones(SIZE, numpy.uint8), numpy.eye(4)), folder / "mask.nii")
            save(signal + 1e-3 * random.normal(size=signal.shape), folder / "signal.nii")
            save(signal + 1.2 * random.normal(size=signal.shape), folder / "bold.nii")
            truth = maps_of(program := options.program, folder, "signal.nii", "--covariance-scale", "1000")
            for kind, values in rows.items():
                maps = maps_of(program, folder, "bold.nii", "--covariance", kind)
                row = [numpy.sqrt(numpy.mean((maps[f"mean_{n}"] - truth[f"mean_{n}"]) ** 2)) for n in NAMES]
                for n, own in zip("ab", active):
                    shown = maps[f"ppm_{n}"] >= 0.95
                    row += [(shown & ~own).sum() / max(1, shown.sum()), (shown & own).sum() / own.sum()]
                late = maps["mean_a_derivative"]
                row += [numpy.corrcoef(late, maps[f"t_{n}"])[0, 1] for n in ("a_derivative", "b")]
                values.append(row)
    print("| --covariance | error of a | a' | b | b' | a: false | power | b: false | power | a' and own t | a' and t of b |")
    print("|---" * 11 + "|")
    for kind, values in rows.items():
        print(f"| {kind} | " + " | ".join(f"{x:.3f}" for x in numpy.mean(values, axis=0)) + " |")


if __name__ == "__main__":
    main()
