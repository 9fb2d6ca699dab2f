#!/usr/bin/env python3
"""Tracts compared with the stored results of MRtrix and with dipy's tracker.

    tract_goldens.py SULCUS_CLI TEST_DATA FOLDER

TEST_DATA is github.com/MRtrix3/test_data. Prints comparisons of: the connectome of its SIFT phantom with
tck2connectome/out.csv; the density of its tracks with tckmap/tdi.mif.gz; means along lines with tcksample/mean.csv;
lines along tensors from the seeds of tckgen/tensor_det.tck with that file; and a helix of peaks, followed by this
program and by dipy (EuDX over peaks, fixed steps) from the same seeds, point for point and with the closed form. Needs
numpy, nibabel, dipy and mrconvert.
"""
import subprocess
import sys
import zipfile
from pathlib import Path

import nibabel as nib
import numpy as np


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_lines(folder):
    """The lines of tracts.trx, and the numbers of each."""
    with zipfile.ZipFile(folder / "tracts.trx") as trx:
        first = np.frombuffer(trx.read("offsets.uint64"), "<u8").astype(int)
        points = np.frombuffer(trx.read("positions.3.float32"), "<f4").reshape(-1, 3)
        numbers = {name[4:].split(".")[0]: np.frombuffer(trx.read(name), "<f4")
                   for name in trx.namelist() if name.startswith("dps/")}
    return [points[a:b] for a, b in zip(first[:-1], first[1:]) if b > a], numbers


def read_image(path, folder):
    nifti = folder / "image.nii.gz"
    run("mrconvert", path, nifti, "-force", "-quiet")
    image = nib.as_closest_canonical(nib.load(nifti))
    return np.asarray(image.dataobj), image.affine


def numbers_in(path):
    return np.array([float(word) for line in Path(path).read_text().splitlines() if not line.startswith("#")
                     for word in line.split()])


def resampled(line, places=12):
    steps = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.linspace(0, steps[-1], places)
    return np.stack([np.interp(at, steps, line[:, axis]) for axis in range(3)], axis=1)


def to_nearest(lines, others):
    """For each line the mean distance to the nearest of the others, mm, in either direction."""
    theirs = np.stack([resampled(line) for line in others])
    both = np.concatenate([theirs, theirs[:, ::-1]])
    return np.array([np.linalg.norm(both - resampled(line), axis=2).mean(axis=1).min() for line in lines])


def connectome(cli, data, folder):
    out = folder / "connectome"
    run(cli, "tracts", "--tracts", data / "SIFT_phantom/tracks.tck", "--labels", data / "SIFT_phantom/parc.mif", "--out",
        out, "--overwrite")
    ours = np.loadtxt(out / "connectome_count.csv", delimiter=",")
    theirs = np.loadtxt(data / "tck2connectome/out.csv")
    print(f"connectome, {int(theirs.sum())} lines: largest difference of a cell {np.abs(np.triu(ours) - theirs).max():.0f}")


def maps(cli, data, folder):
    out = folder / "maps"
    run(cli, "tracts", "--tracts", data / "tracks.tck", "--image", data / "tcksample/fa.mif", "--out", out, "--overwrite")
    density = np.asarray(nib.as_closest_canonical(nib.load(out / "density.nii.gz")).dataobj)
    theirs = read_image(data / "tckmap/tdi.mif.gz", folder)[0]
    if density.shape == theirs.shape:
        print(f"density: {density.sum():.0f} beside {theirs.sum()} of tckmap, correlation "
              f"{np.corrcoef(density.ravel(), theirs.ravel())[0, 1]:.5f}, equal in {(density == theirs).mean():.1%} of the voxels")
    else:
        print(f"density: grids differ, {density.shape} and {theirs.shape}")
    means = read_lines(out)[1]["fa"]
    golden = numbers_in(data / "tcksample/mean.csv")
    print(f"means of {len(golden)} lines beside tcksample: largest difference {np.abs(means - golden).max():.5f}")


def tensors(cli, data, folder):
    mask, affine = read_image(data / "mrcrop/mask.mif" if (data / "mrcrop/mask.mif").exists() else data / "mask.mif", folder)
    grid = (np.arange(3) + 0.5) / 3 - 0.5
    seeds = np.array([np.add(voxel, (x, y, z)) for voxel in np.argwhere(mask > 0) for x in grid for y in grid for z in grid])
    places = seeds @ affine[:3, :3].T + affine[:3, 3]
    table = folder / "seeds.tsv"
    table.write_text("x\ty\tz\n" + "".join("\t".join(f"{v:.5f}" for v in place) + "\n" for place in places))
    out = folder / "tensors"
    run(cli, "tracts", "--tensor", data / "dwi2tensor/out.mif", "--seed-points", table, "--step", 0.25, "--angle", 60,
        "--cutoff", 0.1, "--min-length", 12.5, "--max-length", 250, "--out", out, "--overwrite")
    golden = list(nib.streamlines.load(data / "tckgen/tensor_det.tck").streamlines)
    ours = read_lines(out)[0]
    far = to_nearest(golden, ours)
    print(f"along tensors, {len(places)} seeds: {len(ours)} lines beside {len(golden)}; from each of theirs to the nearest of "
          f"ours median {np.median(far):.3f} mm, 95 % {np.percentile(far, 95):.3f} mm (voxels of 2.5 mm)")


def helix(cli, folder):
    """Peaks around z and up, radius 16 mm, rising 12 mm for each radian."""
    from dipy.core.sphere import Sphere
    from dipy.direction.peaks import PeaksAndMetrics
    from dipy.tracking.local_tracking import LocalTracking
    from dipy.tracking.stopping_criterion import ThresholdStoppingCriterion
    size, spacing, step, rise = 48, 1.0, 0.25, 12.0
    affine = np.diag([spacing, spacing, spacing, 1])
    affine[:3, 3] = -0.5 * (size - 1) * spacing
    index = np.stack(np.meshgrid(*[np.arange(size)] * 3, indexing="ij"), axis=-1)
    place = index * spacing + affine[:3, 3]
    way = np.stack([-place[..., 1], place[..., 0], np.full(place.shape[:3], rise)], axis=-1)
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    inside = np.hypot(place[..., 0], place[..., 1]) > 6
    peaks = np.where(inside[..., None], way, np.nan).astype(np.float32)
    nib.save(nib.Nifti1Image(peaks, affine), folder / "helix.nii.gz")
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    seeds = np.stack([16 * np.cos(turns), 16 * np.sin(turns), np.zeros(24)], axis=1)
    (folder / "helix.tsv").write_text("x\ty\tz\n" + "".join("\t".join(f"{v:.6f}" for v in s) + "\n" for s in seeds))
    out = folder / "helix"
    run(cli, "tracts", "--peaks", folder / "helix.nii.gz", "--seed-points", folder / "helix.tsv", "--step", step, "--angle", 45,
        "--cutoff", 0.5, "--min-length", 5, "--max-length", 200, "--out", out, "--overwrite")
    ours = read_lines(out)[0]
    metrics = PeaksAndMetrics()
    # Each voxel has its own direction, so that dipy's sphere does not round any.
    flat = way.reshape(-1, 3)
    metrics.sphere = Sphere(xyz=flat)
    metrics.peak_dirs = np.where(inside[..., None], way, 0)[..., None, :].astype(np.float64)
    metrics.peak_values = inside[..., None].astype(np.float64)
    metrics.peak_indices = np.where(inside, np.arange(flat.shape[0]).reshape(inside.shape), -1)[..., None].astype(np.int32)
    metrics.ang_thr, metrics.qa_thr, metrics.total_weight = 45.0, 0.5, 0.5
    theirs = list(LocalTracking(metrics, ThresholdStoppingCriterion(inside.astype(float), 0.5), seeds, affine, step_size=step,
                                maxlen=int(200 / step), return_all=True))

    def off(lines):
        """The distances of the lines' ends from their helix, mm: |r − 16| and the rise for their turn."""
        worst = 0
        for line in lines:
            radius = np.hypot(line[:, 0], line[:, 1])
            turn = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
            height = line[:, 2] - line[np.argmin(np.abs(line[:, 2])), 2]
            turned = turn - turn[np.argmin(np.abs(line[:, 2]))]
            near = np.abs(line[:, 2]) < 10
            worst = max(worst, np.abs(radius - 16)[near].max(), np.abs(height - rise * turned)[near].max())
        return worst

    def around(line, seed):
        n = int(np.argmin(np.linalg.norm(line - seed, axis=1)))
        return line if line[-1, 2] > line[0, 2] else line[::-1], n
    apart = []
    for line in ours:
        seed = seeds[np.argmin([np.linalg.norm(line - s, axis=1).min() for s in seeds])]
        other = min(theirs, key=lambda one: np.linalg.norm(one - seed, axis=1).min())
        a, b = around(line, seed)[0], around(other, seed)[0]
        i, j = (int(np.argmin(np.linalg.norm(one - seed, axis=1))) for one in (a, b))
        reach = min(i, j, len(a) - 1 - i, len(b) - 1 - j, 40)
        apart.append(np.linalg.norm(a[i - reach:i + reach + 1] - b[j - reach:j + reach + 1], axis=1).max())
    print(f"helix, steps of {step} mm, 40 steps both ways: {len(ours)} lines beside {len(theirs)} of dipy, points apart by at most "
          f"{max(apart):.4f} mm; from the closed form ours {off(ours):.4f} mm, dipy's {off(theirs):.4f} mm")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, source, place = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    place.mkdir(parents=True, exist_ok=True)
    connectome(program, source, place)
    maps(program, source, place)
    tensors(program, source, place)
    helix(program, place)
