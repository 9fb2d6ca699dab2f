#!/usr/bin/env python3
"""raw_study.py SULCUS_CLI OUT: what is found in raw scans of a moving head in an inhomogeneous field.

Makes a BIDS study of one participant from the phantoms of the average brain (resources/brain), whose truth is known:
120 functional and 70 diffusion volumes without noise are moved along random walks, distorted along the phase-encoding
axis with preserved signal, and given noise; images of the opposite polarity are in fmap/. A second study has the same
scans with the same noise, without motion and distortion. Both are analyzed as they are and with --prepare auto. Prints
which share of the active voxels is found, which share of what is shown is false, and the errors of the fiber
directions. Needs numpy, scipy and nibabel.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage, special

BRAIN = Path(__file__).resolve().parents[2] / "resources" / "brain"
READOUT = 0.05  # s
VOLUMES = 120
STEP = 1.5  # voxels of the study along one of resources/brain
WALK = 2.0  # mm; degrees have the same magnitude
POINT = 0.6  # s.d. of the point-spread function of a scan, voxels: samples are not sharper
SNR = 30  # of unweighted diffusion volumes
LOST = ((9, 31), (9, 33), (24, 40), (51, 28), (51, 30), (51, 32))  # volume and slice of diffusion without signal


def tissue(folder):
    """Maps of csf, gm and wm with voxels of 3 mm."""
    gm, wm = (nib.load(BRAIN / f"{name}.nii.gz") for name in ("gm", "wm"))
    affine = gm.affine @ np.diag([STEP, STEP, STEP, 1])
    maps = {"gm": gm.get_fdata() / 100, "wm": wm.get_fdata() / 100}
    head = ndimage.binary_dilation(ndimage.binary_closing(maps["gm"] + maps["wm"] > 0.5, iterations=6), iterations=2)
    maps["csf"] = np.clip(head - maps["gm"] - maps["wm"], 0, 1)
    files = []
    for name in ("csf", "gm", "wm"):
        smooth = ndimage.gaussian_filter(maps[name], 0.5 * STEP)
        size = [int(n / STEP) for n in smooth.shape]
        coarse = ndimage.affine_transform(smooth, np.diag([STEP] * 3), output_shape=size, order=1)
        files.append(folder / f"{name}.nii.gz")
        nib.save(nib.Nifti1Image(coarse.astype(np.float32), affine), files[-1])
    return files


def field_of(shape, affine):
    """Offset from the mean frequency, Hz: above the sinuses and the ears."""
    points = np.stack(np.meshgrid(*(np.arange(n) for n in shape), indexing="ij"), -1) @ affine[:3, :3].T + affine[:3, 3]

    def bump(center, width):
        return np.exp(-np.sum((points - center) ** 2, -1) / (2 * width**2))

    return (bump((0, 58, -22), 18) - 0.5 * bump((-52, -20, -28), 16) - 0.5 * bump((52, -20, -28), 16)) * 2.6 / READOUT


def distorted(image, shift):
    """Moves the signal of each voxel along axis 1 by the shift, in voxels; none is lost."""
    n = image.shape[1]
    faces = np.arange(n + 1) - 0.5
    result = np.empty_like(image)
    for i in range(image.shape[0]):
        for k in range(image.shape[2]):
            s = np.interp(faces, np.arange(n), shift[i, :, k])
            mass = np.concatenate([[0], np.cumsum(image[i, :, k])])
            result[i, :, k] = np.diff(np.interp(faces, faces + s, mass, left=0, right=mass[-1]))
    return result


def rotation_by(degrees):
    turn = np.deg2rad(degrees)
    cx, cy, cz = np.cos(turn)
    sx, sy, sz = np.sin(turn)
    return (
        np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
        @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        @ np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    )


def moved(image, affine, degrees, mm):
    rotation = rotation_by(degrees)
    middle = affine[:3, :3] @ ((np.array(image.shape) - 1) / 2) + affine[:3, 3]
    volume_from_rest = np.eye(4)
    volume_from_rest[:3, :3] = rotation
    volume_from_rest[:3, 3] = middle - rotation @ middle + mm
    voxels = np.linalg.inv(affine) @ np.linalg.inv(volume_from_rest) @ affine
    return ndimage.affine_transform(image, voxels[:3, :3], voxels[:3, 3], order=3)


class Scanner:
    """Acquires volumes of a head that moves together with its field."""

    def __init__(self, affine, shape, seed, sigma, rician=False):
        self.affine, self.field = affine, field_of(shape, affine)
        self.random = np.random.default_rng(seed)
        self.sigma, self.rician = sigma, rician

    def noisy(self, image):
        real = image + self.sigma * self.random.normal(size=image.shape)
        return np.hypot(real, self.sigma * self.random.normal(size=image.shape)) if self.rician else real

    def take(self, image, pose, sign):
        shift = sign * READOUT * moved(self.field, self.affine, pose[:3], pose[3:])
        return self.noisy(distorted(moved(image, self.affine, pose[:3], pose[3:]), shift))


def walk(volumes, seed):
    """Degrees and mm of each volume, around 0."""
    path = np.cumsum(np.random.default_rng(seed).normal(size=(volumes, 6)), 0)
    path -= path.mean(0)
    return path * WALK / np.abs(path[:, 3:]).max()


def blurred(image):
    return ndimage.gaussian_filter(image, POINT).astype(np.float32)


def save(image, affine, file, sidecar):
    file.parent.mkdir(parents=True, exist_ok=True)
    nib.save(nib.Nifti1Image(image.astype(np.float32), affine), f"{file}.nii.gz")
    Path(f"{file}.json").write_text(json.dumps(sidecar))


def encoded(direction, **more):
    return {"PhaseEncodingDirection": direction, "TotalReadoutTime": READOUT, **more}


def make_functional(cli, files, out):
    phantom = out / "phantom_activation"
    subprocess.run([cli, "phantom", "activation", "--tissue", *files, "--scans", str(VOLUMES), "--noise", "0.01",
                    "--out", phantom, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    bold = nib.load(phantom / "bold.nii.gz")
    data, affine = bold.get_fdata(dtype=np.float32), bold.affine
    for v in range(VOLUMES):
        data[..., v] = blurred(data[..., v])
    sigma = 0.01 * data[data > 0.2 * data.max()].mean()
    path = walk(VOLUMES, 1)  # its mean position is that of the truth
    events = ["onset\tduration\ttrial_type"]
    for kind, seconds in (("visual", 30), ("auditory", 45)):  # as in the phantom
        events += [f"{onset}\t{seconds}\t{kind}" for onset in range(seconds, 3 * VOLUMES, 2 * seconds)]
    for name in ("raw", "still"):
        scanner = Scanner(affine, data.shape[:3], 2, sigma)
        folder = out / name / "sub-01"
        series = np.stack([scanner.take(data[..., v], path[v], 1) if name == "raw" else scanner.noisy(data[..., v])
                           for v in range(VOLUMES)], -1)
        save(series, affine, folder / "func" / "sub-01_task-a_bold",
             encoded("j", RepetitionTime=3, TaskName="a"))
        (folder / "func" / "sub-01_task-a_events.tsv").write_text("\n".join(events) + "\n")
        if name == "raw":
            opposite = np.mean([scanner.take(data[..., 0], path[0], -1) for _ in range(4)], 0)
            save(opposite, affine, folder / "fmap" / "sub-01_acq-bold_dir-AP_epi",
                 encoded("j-", IntendedFor="func/sub-01_task-a_bold.nii.gz"))


def harmonics(directions, order=8):
    """Real even spherical harmonics, a row for each direction."""
    x, y, z = directions.T
    polar, azimuth = np.arccos(np.clip(z, -1, 1)), np.arctan2(y, x)
    legendre = special.assoc_legendre_p_all(order, order, np.cos(polar))[0]  # (l, m, direction)
    columns = []
    for l in range(0, order + 1, 2):
        for m in range(-l, l + 1):
            size = np.sqrt(special.factorial(l - abs(m)) / special.factorial(l + abs(m)))
            turn = np.cos(m * azimuth) if m >= 0 else np.sin(-m * azimuth)
            columns.append(size * legendre[l, abs(m)] * turn)
    return np.stack(columns, -1)


def make_diffusion(cli, files, out):
    phantom = out / "phantom_fibers"
    subprocess.run([cli, "phantom", "fibers", "--tissue", *files, "--snr", "0", "--out", phantom, "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    dwi = nib.load(phantom / "dwi.nii.gz")
    affine, data = dwi.affine, dwi.get_fdata(dtype=np.float32)
    b, axes = np.loadtxt(phantom / "dwi.bval"), np.loadtxt(phantom / "dwi.bvec").T
    # FSL's vectors are along the axes of the image, the first one reversed if these are right-handed.
    flip = np.array([-1 if np.linalg.det(affine[:3, :3]) > 0 else 1, 1, 1])
    frame = affine[:3, :3] / np.linalg.norm(affine[:3, :3], axis=0)
    world = (axes * flip) @ frame.T
    weighted = b > 50
    fit = np.linalg.pinv(harmonics(world[weighted]))
    plain = data[..., ~weighted].mean(-1)
    sigma = np.median(plain[plain > 0.3 * plain.max()]) / SNR
    path = walk(len(b), 3)
    path -= path[0]  # the truth is at the position of the first volume

    def seen(v):
        """The gradient in the frame of the rotated head."""
        if not weighted[v]:
            return blurred(data[..., v])
        direction = world[v] @ rotation_by(path[v, :3])
        return blurred(np.maximum(data[..., weighted] @ (harmonics(direction[None]) @ fit)[0], 0))

    for name in ("raw", "still"):
        scanner = Scanner(affine, data.shape[:3], 4, sigma, rician=True)
        folder = out / name / "sub-01"
        series = np.empty_like(data)
        for v in range(len(b)):
            series[..., v] = scanner.take(seen(v), path[v], 1) if name == "raw" else scanner.noisy(blurred(data[..., v]))
        if name == "raw":
            for v, k in LOST:
                series[:, :, k, v] = scanner.noisy(np.zeros(series.shape[:2]))
            opposite = np.mean([scanner.take(seen(v), path[v], -1) for v in range(4)], 0)
            save(opposite, affine, folder / "fmap" / "sub-01_acq-dwi_dir-AP_epi",
                 encoded("j-", IntendedFor="dwi/sub-01_dwi.nii.gz"))
        save(series, affine, folder / "dwi" / "sub-01_dwi", encoded("j"))
        for ending in ("bval", "bvec"):
            (folder / "dwi" / f"sub-01_dwi.{ending}").write_text((phantom / f"dwi.{ending}").read_text())


def activation_found(result, phantom):
    """The share of the active voxels that is shown, and the false share of what is shown."""
    truth = np.nan_to_num(nib.load(phantom / "true_beta.nii.gz").get_fdata())
    active, found, false, total = 0, 0, 0, 0
    for i, name in ((1, "visual"), (2, "auditory")):
        file = next(result.rglob(f"*contrast-{name}_stat-shown*.nii.gz"))
        shown = np.nan_to_num(nib.load(file).get_fdata()) != 0
        response = truth[..., i] > 0.5  # percent of the signal
        active += response.sum()
        total += shown.sum()
        found += (shown & response).sum()
        false += (shown & (np.abs(truth[..., i]) < 0.1)).sum()
    return found / active, false / max(1, total)


def peaks_of(file):
    """(voxel, peak, 3), 0 for none."""
    values = np.nan_to_num(nib.load(file).get_fdata(dtype=np.float32))
    values = values.reshape(values.shape[:3] + (-1, 3))
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    return np.where(length > 0, values / np.maximum(length, 1e-6), 0)


def fibers_found(result, phantom):
    """Errors in degrees in voxels of one fiber and at crossings, and the share of crossings with both fibers."""
    truth = peaks_of(phantom / "truth.nii.gz")
    found = peaks_of(next(result.rglob("*peaks*.nii.gz")))
    count = (np.linalg.norm(truth, axis=-1) > 0).sum(-1)
    one, two = count == 1, count == 2
    cosine = np.abs(np.einsum("...pi,...qi->...pq", truth, found))
    nearest = np.rad2deg(np.arccos(np.clip(cosine.max(-1), 0, 1)))  # for each true fiber
    single = np.rad2deg(np.arccos(np.clip(cosine[one][:, 0, 0], 0, 1)))  # for the largest
    both = (nearest[two][:, :2] < 20).all(-1)
    return np.median(single), np.median(nearest[two][:, :2][both]), both.mean()


def make_studies(cli, out):
    out.mkdir(parents=True)
    files = tissue(out)
    make_functional(cli, files, out)
    make_diffusion(cli, files, out)
    for name in ("raw", "still"):
        (out / name / "sub-01" / "anat").mkdir()
        (out / name / "sub-01" / "anat" / "sub-01_T1w.nii.gz").write_bytes((BRAIN / "t1.nii.gz").read_bytes())
        (out / name / "dataset_description.json").write_text(json.dumps({"Name": name, "BIDSVersion": "1.9.0"}))


def main():
    cli, out = sys.argv[1], Path(sys.argv[2])
    if not out.exists():
        make_studies(cli, out)
    print("study                 found   false   seconds    one fiber   crossing   both found   seconds", flush=True)
    for study, options in (("still", []), ("raw", []), ("raw", ["--prepare", "auto"]), ("still", ["--prepare", "auto"])):
        label = f"{study}{', prepared' if options else ''}"
        figures = []
        for analysis, score in (("activation", activation_found), ("fibers", fibers_found)):
            result = out / f"{analysis}_{label.replace(', ', '_')}"
            begun = time.monotonic()
            subprocess.run([cli, "bids", out / study, result, "participant", "--analysis", analysis, *options, "--quiet"],
                           check=True, stdout=subprocess.DEVNULL)
            figures += [*score(result, out / f"phantom_{analysis}"), time.monotonic() - begun]
        print("{:20} {:6.3f}  {:6.3f}  {:8.0f}   {:8.2f}°  {:8.2f}°  {:11.3f}  {:8.0f}".format(label, *figures), flush=True)


if __name__ == "__main__":
    main()
