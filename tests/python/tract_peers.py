"""Tracts compared with the reference implementations of the formats: nibabel (TCK, TRK), trx-python (TRX) and, if
installed, MRtrix (TCK, VTK). Each reads files written by Sulcus and writes files that Sulcus reads, on grids that are
oblique, flipped and anisotropic; points must agree to 1e-4 mm.

tract_peers.py SULCUS-CLI"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import nibabel
import numpy as np
import trx.trx_file_memmap as trx

CLI = sys.argv[1]
TOLERANCE = 1e-4
SIZE = np.array([40, 50, 30])


def sulcus(*arguments):
    run = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True)
    assert run.returncode == 0, f"{arguments}: {run.stderr}"
    return run.stdout


def grids():
    c, s = np.cos(0.3), np.sin(0.3)
    oblique = np.array([[c, -s, 0], [s * c, c * c, -s], [s * s, c * s, c]])
    for name, axes in {
        "straight": np.eye(3),
        "flipped": np.diag([-1, -1, 1]),
        "swapped": np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        "oblique": oblique,
        "oblique and flipped": oblique @ np.diag([-1, 1, -1]),
    }.items():
        affine = np.eye(4)
        affine[:3, :3] = axes @ np.diag([1.25, 2, 3.1])
        affine[:3, 3] = [-31.5, 12.25, 7.75]
        yield name, affine


def lines(affine):
    random = np.random.default_rng(5)
    middle = (affine @ [*(SIZE / 2), 1])[:3]
    made = []
    for i in range(25):
        steps = random.normal(size=(3 + i, 3))
        made.append((middle + np.cumsum(steps, axis=0)).astype(np.float32))
    return made


def expect_same(what, expected, got):
    assert len(expected) == len(got), f"{what}: {len(got)} lines instead of {len(expected)}"
    worst = max(np.abs(a - b).max() for a, b in zip(expected, got))
    assert worst <= TOLERANCE, f"{what}: {worst} mm apart"
    print(f"  {what}: {worst:.1e} mm")


def nibabel_file(file, made, affine, order=None):
    tractogram = nibabel.streamlines.Tractogram(
        made,
        data_per_streamline={"weight": np.arange(len(made))[:, None], "color": np.ones((len(made), 3))},
        data_per_point={"fa": [np.full((len(line), 1), i) for i, line in enumerate(made)]},
        affine_to_rasmm=np.eye(4))
    if file.suffix == ".tck":
        tractogram = nibabel.streamlines.Tractogram(made, affine_to_rasmm=np.eye(4))
        return nibabel.streamlines.save(tractogram, file)
    header = {"dimensions": SIZE, "voxel_sizes": nibabel.affines.voxel_sizes(affine), "voxel_to_rasmm": affine,
              "voxel_order": order or "".join(nibabel.aff2axcodes(affine))}
    nibabel.streamlines.save(tractogram, file, header=header)


def trx_file(file, made, affine, dtype):
    image = nibabel.Nifti1Image(np.zeros(SIZE, np.uint8), affine)
    count = sum(map(len, made))
    out = trx.TrxFile(nb_vertices=count, nb_streamlines=len(made), reference=image)
    out.streamlines._data = np.concatenate(made).astype(dtype)
    lengths = np.array([len(line) for line in made], np.uint32)
    out.streamlines._lengths = lengths
    out.streamlines._offsets = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.uint64)
    out.groups["some"] = np.array([1, 3], np.uint32)
    out.data_per_streamline["weight"] = np.arange(len(made), dtype=np.float32)[:, None]
    trx.save(out, str(file))


def trx_lines(file):
    loaded = trx.load(str(file))
    made = [np.array(line, np.float32) for line in loaded.streamlines]
    groups = {name: np.array(numbers) for name, numbers in loaded.groups.items()}
    affine = np.array(loaded.header["VOXEL_TO_RASMM"])
    loaded.close()
    return made, groups, affine


def main(folder):
    tckconvert = shutil.which("tckconvert")
    if not tckconvert:
        print("MRtrix is not installed (Debian package mrtrix3): left out")
    for name, affine in grids():
        print(name)
        made = lines(affine)
        for suffix in (".tck", ".trk"):
            peer, ours, again = folder / f"peer{suffix}", folder / "ours.trx", folder / f"again{suffix}"
            nibabel_file(peer, made, affine)
            sulcus("convert", peer, ours, "--overwrite", "--quiet")
            sulcus("convert", ours, again, "--overwrite", "--quiet")
            expect_same(f"nibabel's {suffix} as TRX, by trx-python", made, trx_lines(ours)[0])
            back = nibabel.streamlines.load(again)
            expect_same(f"ours {suffix}, by nibabel", made, list(back.streamlines))
            if suffix == ".trk":
                assert np.allclose(back.header["voxel_to_rasmm"], affine, atol=1e-5)
                assert tuple(back.header["dimensions"]) == tuple(SIZE)
                assert np.allclose(np.ravel(back.tractogram.data_per_streamline["weight"]), range(len(made)))
                assert back.tractogram.data_per_streamline["color"].shape == (len(made), 3)
                assert np.allclose(back.tractogram.data_per_point["fa"][7], 7)
                info = json.loads(sulcus("info", peer, "--json"))["files"][0]
                assert info["scan"]["shareOutside"] == 0
        # Points relative to voxels in a different order than the matrix: nibabel's own rule.
        codes = "".join(nibabel.aff2axcodes(affine))
        turned = "".join({"R": "L", "L": "R"}.get(code, code) for code in codes)
        nibabel_file(folder / "turned.trk", made, affine, turned)
        sulcus("convert", folder / "turned.trk", folder / "ours.tck", "--overwrite", "--quiet")
        expect_same(f"nibabel's .trk in the order {turned}", made,
                    list(nibabel.streamlines.load(folder / "ours.tck").streamlines))
        trx_file(folder / "peer.trx", made, affine, np.float32)
        sulcus("convert", folder / "peer.trx", folder / "ours.trx", "--overwrite", "--quiet")
        back, groups, matrix = trx_lines(folder / "ours.trx")
        expect_same("trx-python's TRX and back", made, back)
        assert list(groups["some"]) == [1, 3] and np.allclose(matrix, affine, atol=1e-5)
        sulcus("convert", folder / "peer.trx", folder / "half.trx", "--half", "--overwrite", "--quiet")
        assert np.array_equal(np.concatenate(trx_lines(folder / "half.trx")[0]),
                              np.concatenate(made).astype(np.float16).astype(np.float32))
        if tckconvert:
            for suffix in (".vtk", ".tck"):
                peer = folder / f"mrtrix{suffix}"
                subprocess.run([tckconvert, "-force", "-quiet", folder / "ours.tck", peer], check=True)
                sulcus("convert", peer, folder / "back.tck", "--overwrite", "--quiet")
                expect_same(f"MRtrix' {suffix}", made, list(nibabel.streamlines.load(folder / "back.tck").streamlines))
            sulcus("convert", folder / "ours.tck", folder / "ours.vtk", "--overwrite", "--quiet")
            subprocess.run([tckconvert, "-force", "-quiet", folder / "ours.vtk", folder / "back.tck"], check=True)
            expect_same("ours .vtk, by MRtrix", made, list(nibabel.streamlines.load(folder / "back.tck").streamlines))


with tempfile.TemporaryDirectory() as made_here:
    main(pathlib.Path(made_here))
