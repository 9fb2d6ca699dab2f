"""What an analysis gives: maps, tables and surfaces by name, read when they are asked for."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import shutil
import tempfile
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from . import _files
from ._program import Error

# Of the files of one name the first is the result, and .json beside it says how it came about.
KINDS = (".nii.gz", ".vtp", ".trx", ".tsv", ".csv", ".txt", ".json")
LONG = (".vtp", ".trx")  # whose file beside them is called NAME.vtp.json


class Image(NamedTuple):
    """An image without nibabel. array: (i, j, k[, volume]); affine: 4 × 4, RAS+ mm from voxel."""

    array: np.ndarray
    affine: np.ndarray


class Surface(NamedTuple):
    """vertices: (V, 3), RAS+ mm; faces: (F, 3) numbers of vertices; data: {name: a value at each vertex}."""

    vertices: np.ndarray
    faces: np.ndarray
    data: dict


class Result(Mapping):
    """The results of one run by name: list(result) tells the names, result[name] reads one.

    result[name]    image: nibabel image, or Image where nibabel is not installed; surface: Surface; table: dict of
                    columns;
                    tracts: list of lines (points, 3), RAS+ mm; text of numbers, such as affine and response: array;
                    report and diagnostics: dict
    report          dict of the run (of the first one in runs): backend, device, seconds, stages (s), notes, and what
                    the analysis says of itself
    warnings        list: what cannot be trusted of the inputs ("Warning: name: …") and of the result, and of the run
    provenance      dict: inputs with checksums, parameters, version
    waited          dict: what was waited for, s: Start, Read, Compute, Write, All
    command         the command line that recreates it
    cpu, gpu        of a run with backend="both": the results of each; the mapping itself shows those of the CPU
    agreement       of such a run: dict with agrees, differences and the worst places; else None

    The files lie in a temporary folder that goes with the object (and with the last image read from it); save(folder)
    keeps them.
    """

    def __init__(self, said, folder, command, part=""):
        self._said, self._folder, self._command, self._part = said, folder, command, part
        self._files = {}
        for path in map(pathlib.Path, said["files"]):
            where = path.parent.relative_to(folder.out).parts
            if where[:1] in (("cpu",), ("gpu",)) and where[0] != part:
                continue
            if path.name.endswith(tuple(kind + ".json" for kind in LONG)):
                continue
            name, kind = next(((path.name[: -len(k)], k) for k in KINDS if path.name.endswith(k)), (path.name, ""))
            if name in ("provenance", "comparison", "waited"):
                continue
            known = self._files.get(name)
            if not known or (kind in KINDS and KINDS.index(kind) < KINDS.index(known[1])):
                self._files[name] = (path, kind)
        self.runs = said.get("runs", [])
        self.report = next((run for run in self.runs if run["backend"] == (part or run["backend"])), {})
        self.agreement = said.get("comparison")
        self.warnings = said.get("warnings", [])
        self.waited = said.get("waited", {})
        self.cpu = self.gpu = None
        if self.agreement and not part:
            self.cpu, self.gpu = (Result(said, folder, command, backend) for backend in ("cpu", "gpu"))
            self._files.update(self.cpu._files)

    def __iter__(self):
        return iter(self._files)

    def __len__(self):
        return len(self._files)

    def path(self, name):
        """The file of a result, which is there as long as this object is."""
        if name not in self._files:
            raise KeyError(f"{name!r} is none of the results: {', '.join(self)}")
        return self._files[name][0]

    def __getitem__(self, name):
        path, kind = self.path(name), self._files[name][1]
        if kind == ".nii.gz":
            return self._image(path)
        if kind == ".vtp":
            return Surface(*_files.read_vtp(path))
        if kind == ".trx":
            return _files.read_trx(path)
        if kind == ".tsv":
            return _files.read_table(path)
        if kind == ".json":
            return _json(path)
        return np.loadtxt(path, delimiter="," if kind == ".csv" else None)

    def _image(self, path):
        try:
            import nibabel
        except ImportError:
            return Image(*_files.read_nifti(path))
        image = nibabel.load(path)
        image.dataobj.folder = self._folder  # its voxels are read later
        return image

    def array(self, name):
        """The voxels of an image (i, j, k[, volume]) as they are in the file, in most maps numpy.float32."""
        return _files.read_nifti(self.path(name))[0]

    def about(self, name):
        """What the JSON file beside a result says of it: Units, Notes, kind …"""
        path, kind = self.path(name), self._files[name][1]
        return _json(path.with_name((path.name if kind in LONG else path.name[: -len(kind)]) + ".json"))

    @property
    def provenance(self):
        part = self._part or ("cpu" if self.cpu else "")
        return _json(self._folder.out / part / "provenance.json")

    @property
    def command(self):
        return shlex.join(self._command)

    def save(self, folder):
        """Copies all results into a new folder, what was handed over in memory into its folder inputs, and returns its
        path."""
        folder = pathlib.Path(os.path.abspath(os.path.expanduser(os.fspath(folder))))
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Error(f"'{folder}' exists already", "nothing is replaced", "choose another place, or remove it")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=folder.parent) as part:
            part = pathlib.Path(part) / "run"
            shutil.copytree(self._folder.out, part)
            if any(self._folder.inputs.iterdir()):
                shutil.copytree(self._folder.inputs, part / "inputs")
            for path in part.rglob("*.json"):
                self._place(path, folder)
            os.replace(part, folder)
        return folder

    def _place(self, path, folder):
        """Writes a JSON file again with the places that its inputs and results have in `folder`."""
        said = _json(path)
        if not isinstance(said, dict) or "CommandLine" not in said:
            return
        said["CommandLine"] = shlex.join(
            word.replace(str(self._folder.out), str(folder)).replace(str(self._folder.inputs), str(folder / "inputs"))
            for word in self._command
        )
        said["Sources"] = [self._placed(source) for source in said.get("Sources", [])]
        for one in said.get("Inputs", []):
            one["Path"] = self._placed(one["Path"])
        path.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def _placed(self, source):
        return source.replace(str(self._folder.path) + "/", "", 1)

    def __repr__(self):
        return f"<sulcus.Result of {self._said.get('analysis', 'phantom')}: {', '.join(self)}>"


def _json(path):
    return json.loads(path.read_text(encoding="utf-8"))
