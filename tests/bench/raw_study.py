#!/usr/bin/env python3
"""raw_study.py SULCUS_CLI OUT: how much of an effect is found in raw scans of a head that moves in an uneven field.

Makes a BIDS study of one participant from the phantom of the average brain (resources/brain), whose truth is known: a
series of 120 volumes without noise is moved along a walk, distorted along the phase-encoding axis, signal being kept,
and given noise; images of both polarities lie in fmap/. Then analyzes it as it is, with motion taken out, and with
motion and distortion taken out, and prints which share of the active voxels is found and which share of what is shown
is false. Needs numpy, scipy and nibabel.
"""

import json
import subprocess
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from scipy import ndimage

BRAIN = Path(__file__).resolve().parents[2] / "resources" / "brain"
READOUT = 0.05  # s
VOLUMES = 120


def tissue(folder):
    """Maps of csf, gm and wm at 3 mm."""
    t1 = nib.load(BRAIN / "t1.nii.gz")
    gm, wm = (nib.load(BRAIN / f"{name}.nii.gz") for name in ("gm", "wm"))
    head = ndimage.zoom(t1.get_fdata() > 5, 0.5, order=1)[: gm.shape[0], : gm.shape[1], : gm.shape[2]]
    maps = {"gm": gm.get_fdata(), "wm": wm.get_fdata()}
    maps["csf"] = np.clip(100 * head - maps["gm"] - maps["wm"], 0, 100)
    files = []
    for name in ("csf", "gm", "wm"):
        files.append(folder / f"{name}.nii.gz")
        nib.save(nib.Nifti1Image((maps[name] / 100).astype(np.float32), gm.affine), files[-1])
    return files


def field_of(shape, affine):
    """Off the mean frequency, Hz: above the sinuses and the ears."""
    points = np.stack(np.meshgrid(*(np.arange(n) for n in shape), indexing="ij"), -1) @ affine[:3, :3].T + affine[:3, 3]

    def bump(center, width):
        return np.exp(-np.sum((points - center) ** 2, -1) / (2 * width**2))

    return (bump((0, 58, -22), 18) - 0.5 * bump((-52, -20, -28), 16) - 0.5 * bump((52, -20, -28), 16)) * 2.6 / READOUT


def distorted(image, shift):
    """The signal of each voxel goes along axis 1 to where the shift, in voxels, takes it; none is lost."""
    n = image.shape[1]
    faces = np.arange(n + 1) - 0.5
    result = np.empty_like(image)
    for i in range(image.shape[0]):
        for k in range(image.shape[2]):
            s = np.interp(faces, np.arange(n), shift[i, :, k])
            mass = np.concatenate([[0], np.cumsum(image[i, :, k])])
            result[i, :, k] = np.diff(np.interp(faces, faces + s, mass, left=0, right=mass[-1]))
    return result


def moved(image, affine, degrees, mm):
    turn = np.deg2rad(degrees)
    cx, cy, cz = np.cos(turn)
    sx, sy, sz = np.sin(turn)
    rotation = (
        np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
        @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        @ np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    )
    middle = affine[:3, :3] @ ((np.array(image.shape) - 1) / 2) + affine[:3, 3]
    volume_from_rest = np.eye(4)
    volume_from_rest[:3, :3] = rotation
    volume_from_rest[:3, 3] = middle - rotation @ middle + mm
    voxels = np.linalg.inv(affine) @ np.linalg.inv(volume_from_rest) @ affine
    return ndimage.affine_transform(image, voxels[:3, :3], voxels[:3, 3], order=3)


def make_study(cli, out, walk_mm=2.0, noise=0.01):
    phantom = out / "phantom"
    out.mkdir(parents=True)
    files = tissue(out)
    subprocess.run([cli, "phantom", "activation", "--tissue", *files, "--scans", str(VOLUMES), "--noise", "0.01",
                    "--out", phantom, "--quiet"], check=True)
    bold = nib.load(phantom / "bold.nii.gz")
    data, affine = bold.get_fdata(), bold.affine
    random = np.random.default_rng(1)
    path = np.cumsum(random.normal(size=(VOLUMES, 6)), 0)
    path -= path.mean(0)  # the mean place is that of the truth
    path *= walk_mm / np.abs(path[:, 3:]).max()
    field = field_of(data.shape[:3], affine)
    sigma = noise * data[data > 0.2 * data.max()].mean()

    def scan(volume, sign, v):
        """The field goes with the head."""
        shift = sign * READOUT * moved(field, affine, path[v, :3], path[v, 3:])
        image = moved(data[..., volume], affine, path[v, :3], path[v, 3:])
        return distorted(image, shift) + sigma * random.normal(size=image.shape)

    study = out / "study"
    func, fmap = study / "sub-01" / "func", study / "sub-01" / "fmap"
    func.mkdir(parents=True), fmap.mkdir()
    series = np.stack([scan(v, 1, v) for v in range(VOLUMES)], -1)
    opposite = np.mean([scan(0, -1, 0) for _ in range(4)], 0)

    def save(image, file, sidecar):
        nib.save(nib.Nifti1Image(image.astype(np.float32), affine), f"{file}.nii.gz")
        Path(f"{file}.json").write_text(json.dumps(sidecar))

    (study / "dataset_description.json").write_text(json.dumps({"Name": "raw", "BIDSVersion": "1.9.0"}))
    encoded = {"TotalReadoutTime": READOUT}
    save(series, func / "sub-01_task-a_bold",
         {"RepetitionTime": 3, "TaskName": "a", "PhaseEncodingDirection": "j", **encoded})
    save(opposite, fmap / "sub-01_dir-AP_epi",
         {"PhaseEncodingDirection": "j-", "IntendedFor": "func/sub-01_task-a_bold.nii.gz", **encoded})
    events = ["onset\tduration\ttrial_type"]
    for kind, seconds in (("visual", 30), ("auditory", 45)):  # as the phantom has them
        events += [f"{onset}\t{seconds}\t{kind}" for onset in range(seconds, 3 * VOLUMES, 2 * seconds)]
    (func / "sub-01_task-a_events.tsv").write_text("\n".join(events) + "\n")
    return study, phantom


def scored(result, phantom, prefix):
    """Which share of the active voxels is shown, and which share of what is shown is false."""
    truth = nib.load(phantom / "true_beta.nii.gz").get_fdata()
    active, found, false = 0, 0, 0
    for i, name in ((1, "visual"), (2, "auditory")):
        shown = np.nan_to_num(nib.load(next(result.rglob(prefix.format(name)))).get_fdata()) != 0
        response = truth[..., i] > 0.005 * truth[..., 0].max()
        active += response.sum()
        found += (shown & response).sum()
        false += (shown & (np.abs(truth[..., i]) < 1e-3 * truth[..., 0].max())).sum()
    return found / active, false / max(1, found + false)


def main():
    cli, out = sys.argv[1], Path(sys.argv[2])
    study, phantom = make_study(cli, out)
    func, fmap = study / "sub-01" / "func", study / "sub-01" / "fmap"
    scans = ["--bold", func / "sub-01_task-a_bold.nii.gz", "--events", func / "sub-01_task-a_events.tsv"]
    runs = {
        "as it is": [],
        "motion taken out": ["--prepare", "auto"],
        "motion and distortion": ["--prepare", "auto", "--fieldmap", fmap / "sub-01_dir-AP_epi.nii.gz"],
    }
    print("series                 found   false")
    for name, options in runs.items():
        result = out / name.replace(" ", "_")
        subprocess.run([cli, "activation", *scans, *options, "--out", result, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        print("{:22} {:5.3f}   {:5.3f}".format(name, *scored(result, phantom, "shown_{}.nii.gz")), flush=True)
    result = out / "bids"
    subprocess.run([cli, "bids", study, result, "participant", "--analysis", "activation", "--prepare", "auto",
                    "--quiet"], check=True, stdout=subprocess.DEVNULL)
    print("{:22} {:5.3f}   {:5.3f}".format("as a study", *scored(result, phantom, "*contrast-{}_stat-shown*.nii.gz")))


if __name__ == "__main__":
    main()
