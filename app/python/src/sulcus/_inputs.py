"""How what a caller has in memory is handed to the program: files in a temporary folder, and words of a command
line."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
import weakref
from collections.abc import Mapping

import numpy as np

from . import _files
from ._result import Image, Surface

# Inputs that may be rows of numbers. All others are images, tables or surfaces.
ROWS = {
    "bval",
    "bvec",
    "grad",
    "response",
    "response_gm",
    "response_csf",
    "initial",
    "landmarks",
    "design",
    "confounds",
}
TITLES = {"initial": "Template point (RAS, mm) = this matrix × reference point (RAS, mm)"}
READ_AS_THEY_ARE = (".nii", ".nii.gz", ".hdr", ".img", ".mgh", ".mgz")
GIGABYTE = 1 << 30


class Folder:
    """A temporary folder that lives as long as this object: inputs/ and out/ in it.

    bytes: of the inputs. It is in memory (/dev/shm) where there is room for four times as much and a gigabyte, which
    saves waiting for a disk; None: never there.
    """

    def __init__(self, bytes):
        memory = "/dev/shm"
        try:
            roomy = (
                bytes is not None
                and os.access(memory, os.W_OK)
                and shutil.disk_usage(memory).free > 4 * bytes + GIGABYTE
            )
        except OSError:
            roomy = False
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="sulcus-", dir=memory if roomy else None)).resolve()
        self.remove = weakref.finalize(self, _remove, self.path, os.getpid())
        self.inputs, self.out = self.path / "inputs", self.path / "out"
        self.inputs.mkdir()


def _remove(path, owner):
    if os.getpid() == owner:  # not in a process that was forked off
        shutil.rmtree(path, ignore_errors=True)


def size_of(value):
    """About how many bytes the images of an input have, those in files as if they were unpacked."""
    if isinstance(value, (list, tuple)):
        return sum(size_of(one) for one in value)
    if isinstance(value, (str, os.PathLike)):
        path = os.path.expanduser(os.fspath(value))
        return os.path.getsize(path) * (3 if str(path).endswith("z") else 1) if os.path.isfile(path) else 0
    if _is_nibabel(value):
        return int(np.prod(value.shape)) * max(4, np.dtype(value.get_data_dtype()).itemsize)
    return getattr(value, "nbytes", 0)


def paths_of(name, value, many, affine, folder):
    """The paths, as a list of text, of the files that stand for `value` of the input `name`; what is in memory is
    written into folder."""
    if many and isinstance(value, list) and not _is_numbers(value):
        return [paths_of(f"{name}_{i + 1}", one, False, affine, folder)[0] for i, one in enumerate(value)]
    if isinstance(value, (str, os.PathLike)):
        return [os.path.abspath(os.path.expanduser(os.fspath(value)))]
    if _is_nibabel(value) and _unchanged_file(value):
        path = _unchanged_file(value)
        return [_kept(path, name, folder) if hasattr(value.dataobj, "folder") else path]
    return [str(_write(name, value, affine, folder))]


def _write(name, value, affine, folder):
    def to(extension):
        return folder / (name + extension)

    if _is_nibabel(value):
        if value.affine is None:
            raise TypeError(f"{name}: the image has no affine, so it does not say where it lies")
        spatial, seconds, intent = _header_of(value)
        matrix = np.diag([spatial, spatial, spatial, 1]) @ value.affine
        _files.write_nifti(to(".nii"), np.asanyarray(value.dataobj), matrix, seconds, intent)
        return to(".nii")
    if isinstance(value, Mapping) or hasattr(value, "columns"):
        _files.write_table(to(".tsv"), value)
        return to(".tsv")
    if isinstance(value, Surface) or (name == "mesh" and isinstance(value, tuple)):
        _files.write_obj(to(".obj"), value[0], value[1])
        return to(".obj")
    if name in ROWS:
        rows = np.atleast_2d(_files.real(name, value))
        if name == "bvec" and rows.shape[0] != 3:
            rows = rows.T
        np.savetxt(
            to(".txt"),
            rows,
            "%.17g",
            header=TITLES.get(name, ""),
            comments="# " if name in TITLES else "",
            encoding="utf-8",
        )
        return to(".txt")
    if isinstance(value, tuple) and len(value) == 2:
        value, affine = value
    if not isinstance(value, np.ndarray):
        raise TypeError(
            f"{name}: {type(value).__name__} is no input: give a path, a nibabel image, an array with affine=, "
            "or a table"
        )
    if affine is None:
        raise TypeError(
            f"{name}: an array does not say where it lies: give affine= (4 × 4, RAS+ mm from voxel) or the pair "
            "(array, affine)"
        )
    _files.write_nifti(to(".nii"), value, affine)
    return to(".nii")


def _kept(path, name, folder):
    """A map of another Result as a file of this run, with what lies beside it, so that it is there as long as this
    one."""
    end = path.find(".nii")
    for extension in (path[end:], ".json", ".bval", ".bvec"):
        if os.path.exists(path[:end] + extension):
            try:
                os.link(path[:end] + extension, folder / (name + extension))
            except OSError:
                shutil.copyfile(path[:end] + extension, folder / (name + extension))
    return str(folder / (name + path[end:]))


def _is_numbers(values):
    return bool(values) and all(isinstance(one, (int, float, np.number)) for one in values)


def _is_nibabel(value):
    return hasattr(value, "dataobj") and hasattr(value, "affine")


def _unchanged_file(image):
    """The file that a nibabel image was loaded from, when it still is what the file says; else None."""
    name = image.get_filename()
    if (
        not name
        or not getattr(image.dataobj, "is_proxy", False)
        or not str(name).endswith(READ_AS_THEY_ARE)
        or not os.path.exists(name)
    ):
        return None
    stored = type(image).from_filename(name)
    same = stored.shape == image.shape and stored.header == image.header and np.array_equal(stored.affine, image.affine)
    return os.path.abspath(name) if same else None


def _header_of(image):
    """Of a nibabel image: how many mm its unit of length is, seconds between volumes (0: unknown), NIfTI's code of its
    intent."""
    header = image.header
    if not hasattr(header, "get_xyzt_units"):
        return 1, 0, 0
    length, time = header.get_xyzt_units()
    seconds = header.get_zooms()[3] if len(image.shape) > 3 else 0
    scale = {"meter": 1e3, "micron": 1e-3}.get(length, 1)
    return scale, float(seconds) * {"msec": 1e-3, "usec": 1e-6}.get(time, 1), int(header["intent_code"])


def words_of(flag, value, kind):
    """The words that say an option: a bool, number or text; lists are parted as the command line wants them.

    kind: the option in the program's description. A dict of contrasts gives them names: {"a-b": [0, 1, -1]}, and a list
    of several contrasts there is an F contrast of these rows: {"any": ["a - b", "b - c"]}.
    """
    if kind["type"] == "Flag":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{kind['id']}: True or False, not {value!r}")
        return [flag if value else _negated(flag)]
    if isinstance(value, Mapping):
        value = [f"{name}: {_rows(weights)}" for name, weights in value.items()]
    if isinstance(value, (list, tuple, np.ndarray)):
        if len(value) == 0:
            raise TypeError(f"{kind['id']}: an empty list says nothing")
        if kind.get("list"):
            return [flag, *(_text(one, " ") for one in value)]
        if kind["id"] == "contrast":
            value = (
                _text(value, " ")
                if np.ndim(value[0]) == 0 and not isinstance(value[0], str)
                else ";".join(_text(one, " ") for one in value)
            )
        else:
            value = _text(value, "/" if kind["id"] == "iterations" else ";")
    return [f"{flag}={_text(value, ' ')}"]


def _rows(weights):
    if not isinstance(weights, (str, list, tuple, np.ndarray)) or len(weights) == 0:
        raise TypeError(f"contrast: the weights of one are a text or a list, not {weights!r}")
    if isinstance(weights, str) or np.ndim(weights[0]) == 0 and not isinstance(weights[0], str):
        return _text(weights, " ")
    return f"F({'; '.join(_text(row, ' ') for row in weights)})"


def _negated(flag):
    return "--" + flag[5:] if flag.startswith("--no-") else "--no-" + flag[2:]


def _text(value, between):
    if isinstance(value, (list, tuple, np.ndarray)):
        return between.join(_text(one, between) for one in value)
    return repr(float(value)) if isinstance(value, np.floating) else str(value)
