#!/usr/bin/env python3
"""Connectomes of a phantom with known cross sections, by this program, MRtrix and dipy.

    connectome_beside_peers.py SULCUS_CLI PHANTOM FOLDER [LINES] [ONLY]

PHANTOM is a folder of strands_phantom.py; each program starts from its scan and labels, with its own functions, LINES
(50 000) lines by random ways, and ends within 4 mm. Prints for each the correlation of the pairs with the true cross
sections, and the pairs that have none there: how many, above what share of the strongest, and their share of all
weight. ONLY: those whose names hold it. Needs numpy, nibabel, MRtrix and dipy.
"""
import subprocess
import sys
import time
from pathlib import Path

import nibabel as nib
import numpy as np


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ours(cli, phantom, out, lines):
    run(cli, "fibers", phantom / "dwi.nii", "--grad", phantom / "grad.b", "--mask", phantom / "mask.nii", "--model", "csd",
        "--functions", "--out", out / "fibers", "--overwrite")
    for method in ("probable", "transport"):
        run(cli, "tracts", "--fod", out / "fibers/functions.nii.gz", "--method", method, "--lines", lines, "--weights", "--labels",
            phantom / "labels.nii", "--outputs", "connectome*", "tracts", "--out", out / method, "--overwrite")
        for kind in ("count", "weight"):
            yield f"ours, {method}, {kind}", np.loadtxt(out / method / f"connectome_{kind}.csv", delimiter=",")


def mrtrix(phantom, out, lines):
    mask = ("-mask", phantom / "mask.nii")
    quiet = ("-force", "-quiet", "-nthreads", 2)
    run("mrconvert", phantom / "dwi.nii", "-grad", phantom / "grad.b", out / "dwi.mif", *quiet)
    run("dwi2response", "tournier", out / "dwi.mif", out / "response.txt", *mask, "-shells", 3000, *quiet)
    run("dwi2fod", "csd", out / "dwi.mif", out / "response.txt", out / "fod.mif", *mask, "-shells", 3000, *quiet)
    run("tckgen", out / "fod.mif", out / "lines.tck", "-seed_dynamic", out / "fod.mif", *mask, "-select", lines, *quiet)
    run("tcksift2", out / "lines.tck", out / "fod.mif", out / "weights.txt", *quiet)
    for kind, weights in (("count", ()), ("tcksift2", ("-tck_weights_in", out / "weights.txt"))):
        run("tck2connectome", out / "lines.tck", phantom / "labels.nii", out / "matrix.csv", "-symmetric", *weights, *quiet)
        yield f"MRtrix, iFOD2, {kind}", np.loadtxt(out / "matrix.csv", delimiter=",")


def dipy(phantom, out, lines):
    from dipy.core.gradients import gradient_table
    from dipy.data import default_sphere
    from dipy.reconst.csdeconv import ConstrainedSphericalDeconvModel, auto_response_ssst
    from dipy.tracking.stopping_criterion import ThresholdStoppingCriterion
    from dipy.tracking.streamline import Streamlines
    from dipy.tracking.tracker import probabilistic_tracking
    from dipy.tracking.utils import connectivity_matrix
    image = nib.load(phantom / "dwi.nii")
    table = np.loadtxt(phantom / "grad.b")
    used = table[:, 3] != 1000
    data = np.asarray(image.dataobj)[..., used]
    mask = np.asarray(nib.load(phantom / "mask.nii").dataobj) > 0
    gradients = gradient_table(table[used, 3], bvecs=table[used, :3])
    response, _ = auto_response_ssst(gradients, data, roi_radii=20, fa_thr=0.5)
    fit = ConstrainedSphericalDeconvModel(gradients, response, sh_order_max=8).fit(data, mask=mask)
    inside = np.argwhere(mask & (fit.shm_coeff[..., 0] > 0.2 * np.percentile(fit.shm_coeff[..., 0][mask], 90)))
    draw = np.random.default_rng(1)
    seeds = (inside[draw.integers(0, len(inside), 3 * lines)] + draw.uniform(-0.5, 0.5, (3 * lines, 3))) @ image.affine[:3, :3].T
    seeds += image.affine[:3, 3]
    strong = fit.shm_coeff[..., 0] / np.percentile(fit.shm_coeff[..., 0][mask], 90)
    found = Streamlines(probabilistic_tracking(seeds, ThresholdStoppingCriterion(strong, 0.2), image.affine, sh=fit.shm_coeff,
                                               sphere=default_sphere, random_seed=1, nbr_threads=2, max_angle=20, step_size=0.75,
                                               min_len=20, max_len=250, seed_buffer_fraction=1.0))
    labels = np.asarray(nib.load(phantom / "labels.nii").dataobj).astype(int)
    matrix = connectivity_matrix(found, image.affine, labels, symmetric=True)[1:, 1:]
    yield f"dipy, probabilistic, {len(found)} lines, count", matrix


def judge(name, matrix, truth, seconds):
    upper = np.triu_indices(len(truth), 1)
    values, true = np.asarray(matrix, float)[upper] + 0.0, truth[upper]
    if np.allclose(np.tril(matrix, -1), 0) is False:
        values = np.maximum(values, np.asarray(matrix, float).T[upper])
    false = true == 0
    over = [int((values[false] > part * values.max()).sum()) for part in (0, 0.01, 0.05)]
    missed = int((values[~false] == 0).sum())
    print(f"{name}: r {np.corrcoef(values, true)[0, 1]:.3f}, of pairs that are connected {np.corrcoef(values[~false], true[~false])[0, 1]:.3f}; "
          f"false pairs of {false.sum()} above 0, 1, 5 % of the strongest: {over}, with {values[false].sum() / values.sum():.1%} of the weight; "
          f"{missed} of {(~false).sum()} missed; {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, source, place = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 50000
    place.mkdir(parents=True, exist_ok=True)
    known = np.loadtxt(source / "truth.csv", delimiter=",")
    for title, results in (("ours", ours(program, source, place, count)), ("mrtrix", mrtrix(source, place, count)),
                           ("dipy", dipy(source, place, count))):
        if len(sys.argv) > 5 and title not in sys.argv[5]:
            continue
        begin = time.time()
        for label, result in results:
            judge(label, result, known, time.time() - begin)
