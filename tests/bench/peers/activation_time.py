#!/usr/bin/env python3
"""Times Sulcus' activation and nilearn's FirstLevelModel with ar1 noise, alternately, on the same scan.

    activation_time.py SULCUS_CLI [--voxels 40,46,36] [--scans 200] [--runs 5] [--threads 2]

The scan: an ellipsoid of voxels with AR(1) noise (0.35), 5 % of them active, 60 events of two kinds; without
derivatives, with that of time, and with those of time and dispersion. Both read the scan from a file and write files:
Sulcus its default output, nilearn z and effect of one contrast. A time is that of a whole process, except Python's
imports. Prints medians: wall-clock seconds and processor seconds. Needs numpy, nibabel, pandas and nilearn.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NILEARN = """
import json, sys, time
import pandas
from nilearn.glm.first_level import FirstLevelModel
began, processor = time.time(), time.process_time()
model = FirstLevelModel(t_r=2.0, noise_model="ar1", hrf_model=sys.argv[1], mask_img="mask.nii.gz", drift_model="cosine",
                        high_pass=1 / 128).fit("bold.nii.gz", events=pandas.read_csv("events.tsv", sep="\\t"))
for kind in ("z_score", "effect_size"):
    model.compute_contrast("faces - houses", output_type=kind).to_filename(kind + ".nii.gz")
print(json.dumps([time.time() - began, time.process_time() - processor]))
"""


def simulate(folder, size, scans):
    import nibabel as nib
    import numpy as np
    from scipy.stats import gamma
    random = np.random.default_rng(0)
    places = np.stack(np.meshgrid(*[(np.arange(n) - (n - 1) / 2) / (n / 2) for n in size], indexing="ij"))
    mask = (places**2).sum(0) < 0.95
    voxels = int(mask.sum())
    onsets = np.sort(random.uniform(5, 2 * scans - 20, 60))
    kinds = random.choice(["faces", "houses"], 60)
    with open(folder / "events.tsv", "w") as table:
        print("onset\tduration\ttrial_type", *[f"{o:.3f}\t1\t{k}" for o, k in zip(onsets, kinds)], sep="\n", file=table)
    seconds = 2 * np.arange(scans)[:, None] - onsets[kinds == "faces"]
    response = (gamma.pdf(seconds, 6) - gamma.pdf(seconds, 16) / 6).sum(1)
    noise = random.standard_normal((voxels, scans)).astype(np.float32)
    for t in range(1, scans):
        noise[:, t] = 0.35 * noise[:, t - 1] + np.sqrt(1 - 0.35**2) * noise[:, t]
    series = 1000 + 10 * noise
    series[random.random(voxels) < 0.05] += 20 * response / response.max()
    data = np.zeros((*size, scans), np.float32)
    data[mask] = series
    affine = np.diag([3.0, 3, 3, 1])
    image = nib.Nifti1Image(data, affine)
    image.header.set_zooms((3, 3, 3, 2))
    image.header.set_xyzt_units("mm", "sec")
    nib.save(image, folder / "bold.nii.gz")
    nib.save(nib.Nifti1Image(mask.astype(np.uint8), affine), folder / "mask.nii.gz")
    return voxels


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--voxels", default="40,46,36")
    parser.add_argument("--scans", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        voxels = simulate(folder, tuple(map(int, chosen.voxels.split(","))), chosen.scans)
        print(f"{voxels} voxels, {chosen.scans} scans, {chosen.threads} threads, medians of {chosen.runs}\n")
        print("| derivatives | Sulcus, s | processor s | nilearn, s | processor s | ratio | of processors |\n|", " --- |" * 7)
        limits = dict(os.environ, **{f"{name}_NUM_THREADS": str(chosen.threads) for name in ("OMP", "OPENBLAS", "MKL")})
        for derivatives, model in (("none", "spm"), ("time", "spm + derivative"), ("time-dispersion", "spm + derivative + dispersion")):
            taken = {"ours": [], "theirs": []}
            for _ in range(chosen.runs):
                began, processor = time.time(), children()
                subprocess.run([Path(chosen.program).resolve(), "activation", "--bold", "bold.nii.gz", "--mask", "mask.nii.gz", "--events",
                                "events.tsv", "--derivatives", derivatives, "--contrast", "faces - houses", "--threads",
                                str(chosen.threads), "--quiet", "--overwrite", "--out", "out"], cwd=folder, check=True,
                               stdout=subprocess.DEVNULL)
                taken["ours"].append((time.time() - began, children() - processor))
                said = subprocess.run([sys.executable, "-W", "ignore", "-c", NILEARN, model], cwd=folder, check=True,
                                      stdout=subprocess.PIPE, env=limits).stdout
                taken["theirs"].append(json.loads(said.splitlines()[-1]))
            (ours, our), (theirs, their) = ([statistics.median(one) for one in zip(*taken[who])] for who in taken)
            print(f"| {derivatives} | {ours:.2f} | {our:.2f} | {theirs:.2f} | {their:.2f} | {ours / theirs:.2f} | {our / their:.2f} |", flush=True)


if __name__ == "__main__":
    main()
