#!/usr/bin/env python3
"""Shares of voxels without effect that Sulcus and nilearn show in the same simulated scans.

    python3 tests/bench/peers/activation_effects.py build/full/bin/sulcus-cli [--scans 5] [--seed 900] [--only TEXT]

Needs nilearn and nibabel. Prints one Markdown table with four ways to show voxels: P > 0.95 and --fdr 0.05 of Sulcus, p
< 0.05 and Benjamini and Hochberg's procedure at 5 % (BH) of nilearn, one-sided. Scans have 4800 voxels, 200 volumes of
2 s and, if there is an effect, one of 1 % of the mean signal (nilearn's own canonical response) in 5 % of the voxels.
--only: the cases whose paradigm and noise, as in "blocks, 1/f", contain this text.
"""
import argparse
import pathlib
import subprocess
import tempfile
import warnings

import nibabel
import numpy
import pandas
from nilearn.glm import threshold_stats_img
from nilearn.glm.first_level import FirstLevelModel, compute_regressor

SIZE, SCANS, TR, SHARE = (20, 20, 12), 200, 2.0, 0.05
UNEVEN = "white, s.d. halved to doubled by voxel"
# S.d. of the noise, percent, so that about 60 % of the effects are found, as in sulcus-bench effects.
SPREAD = {
    "blocks": {"white": 1.9, "AR(1), ρ 0.4": 1.25, "AR(1), ρ 0–0.6 by voxel": 1.4, "1/f": 1.85, UNEVEN: 1.9},
    "events": {"white": 1.2, "AR(1), ρ 0.4": 1.1, "AR(1), ρ 0–0.6 by voxel": 1.15, "1/f": 1.7, UNEVEN: 1.2},
}
CASES = [(paradigm, noise, False) for paradigm in SPREAD for noise in SPREAD[paradigm]]
CASES += [("events", noise, True) for noise in SPREAD["events"]]


def events_of(paradigm):
    if paradigm == "blocks":
        onsets, duration = numpy.arange(20.0, SCANS * TR - 20, 40), 20.0
    else:
        gaps = numpy.random.default_rng(12345).uniform(4, 12, 200)
        onsets, duration = 4 + numpy.cumsum(gaps), 0.0
        onsets = onsets[onsets < SCANS * TR - 10]
    return pandas.DataFrame({"onset": onsets, "duration": duration, "trial_type": "task"})


def noise_of(kind, voxels, random):
    if kind == "1/f":  # fractional noise (1 − B)^(−1/2) ε
        lag = numpy.arange(1, 400)
        weights = numpy.concatenate([[1], numpy.cumprod((lag - 0.5) / lag)])
        white = random.normal(size=(SCANS + len(weights) - 1, voxels))
        kernel = weights[:, None] / numpy.linalg.norm(weights)
        return numpy.stack([(kernel[::-1] * white[t:t + len(weights)]).sum(axis=0) for t in range(SCANS)])
    if kind == UNEVEN:
        return 2 ** random.uniform(-1, 1, voxels) * random.normal(size=(SCANS, voxels))
    rho = {"white": 0.0, "AR(1), ρ 0.4": 0.4}.get(kind)
    rho = random.uniform(0, 0.6, voxels) if rho is None else numpy.full(voxels, rho)
    series = numpy.empty((SCANS, voxels))
    series[0] = random.normal(size=voxels)
    for t in range(1, SCANS):
        series[t] = rho * series[t - 1] + numpy.sqrt(1 - rho**2) * random.normal(size=voxels)
    return series


def scan_of(paradigm, noise, effect, seed):
    """A scan and which of its voxels have the effect."""
    random = numpy.random.default_rng(seed)
    voxels = int(numpy.prod(SIZE))
    active = random.random(voxels) < (SHARE if effect else 0)
    events = events_of(paradigm)
    times = (numpy.arange(SCANS) + 0.5) * TR
    condition = numpy.vstack([events.onset, events.duration, numpy.ones(len(events))])
    task = compute_regressor(condition, "spm", times)[0][:, 0]
    series = 100 + SPREAD[paradigm][noise] * noise_of(noise, voxels, random)
    series += numpy.outer(task / task.max(), active)
    image = nibabel.Nifti1Image(series.T.reshape(*SIZE, SCANS).astype(numpy.float32), numpy.eye(4))
    image.header.set_zooms((1, 1, 1, TR))
    image.header.set_xyzt_units("mm", "sec")
    return image, active, events


def values_in(file):
    return nibabel.load(file).get_fdata().ravel()


def of_sulcus(program, image, events, derivative, folder):
    """For each rule, the voxels shown and the values that rank them."""
    nibabel.save(image, folder / "bold.nii")
    nibabel.save(nibabel.Nifti1Image(numpy.ones(SIZE, numpy.uint8), numpy.eye(4)), folder / "mask.nii")
    events.to_csv(folder / "events.tsv", sep="\t", index=False)
    found = {}
    for name, rule in {"Sulcus, P > 0.95": ["--fdr", "0"], "Sulcus, --fdr 0.05": ["--fdr", "0.05"]}.items():
        subprocess.run(
            [program, "activation", "--bold", folder / "bold.nii", "--events", folder / "events.tsv",
             "--mask", folder / "mask.nii", "--response", "percent", "--draws", "1000", "--overwrite", "--quiet",
             "--derivatives", "time" if derivative else "none", "--out", folder / "out", *rule],
            check=True, capture_output=True)
        found[name] = values_in(folder / "out" / "shown_task.nii.gz") > 0, values_in(folder / "out" / "ppm_task.nii.gz")
    return found


def of_nilearn(image, events, derivative):
    """The voxels and values of nilearn."""
    mask = nibabel.Nifti1Image(numpy.ones(SIZE, numpy.uint8), numpy.eye(4))
    model = FirstLevelModel(t_r=TR, slice_time_ref=0.5, hrf_model="spm + derivative" if derivative else "spm",
                            drift_model="cosine", high_pass=1 / 128, noise_model="ar1", mask_img=mask,
                            smoothing_fwhm=None, minimize_memory=True)
    z = model.fit(image, events=events).compute_contrast("task", output_type="z_score")
    controlled, _ = threshold_stats_img(z, mask_img=mask, alpha=0.05, height_control="fdr", two_sided=False)
    rank = z.get_fdata().ravel()
    return {"nilearn, p < 0.05": (rank > 1.6449, rank), "nilearn, BH": (controlled.get_fdata().ravel() > 0, rank)}


def found_at(share, rank, active):
    """Share of the voxels with effect that rank above all but this share of the others."""
    return (rank[active] > numpy.quantile(rank[~active], 1 - share)).mean()


def main():
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--scans", type=int, default=5)
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print("| paradigm | noise | shown by | null: voxels shown | null: scans with any | false | power | found at 1 % false |")
    print("|---" * 8 + "|", flush=True)
    for paradigm, noise, derivative in CASES:
        if options.only not in f"{paradigm}, {noise}":
            continue
        rows = {}
        for i in range(options.scans):
            for effect in (False, True):
                image, active, events = scan_of(paradigm, noise, effect, options.seed + i)
                with tempfile.TemporaryDirectory() as folder:
                    found = of_sulcus(options.program, image, events, derivative, pathlib.Path(folder))
                found |= of_nilearn(image, events, derivative)
                for name, (shown, rank) in found.items():
                    sums = rows.setdefault(name, numpy.zeros(5))
                    if effect:
                        sums[2:] += ((shown & ~active).sum() / max(1, shown.sum()), (shown & active).sum() / active.sum(),
                                     found_at(0.01, rank, active))
                    else:
                        sums[:2] += shown.mean(), shown.any()
        label = paradigm + (", time derivative" if derivative else "")
        for name, sums in rows.items():
            null, any_shown, wrong, power, at = sums / options.scans
            print(f"| {label} | {noise} | {name} | {null:.4f} | {any_shown:.2f} | {wrong:.3f} | {power:.2f} | {at:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main()
