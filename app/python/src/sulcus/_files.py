"""The files that this package writes and reads itself: NIfTI-1, VTP as sulcus-cli writes it, OBJ, tables."""

from __future__ import annotations

import base64
import gzip
import struct
import xml.etree.ElementTree
import zipfile
import zlib

import numpy as np

# Codes of NIfTI-1. Other types are written as the next one that holds all their values.
TYPES = {"u1": 2, "i2": 4, "i4": 8, "f4": 16, "f8": 64, "i1": 256, "u2": 512, "u4": 768, "i8": 1024, "u8": 1280}
MISSING = {"None", "nan", "NaT", "<NA>"}
WIDER = {"b1": "u1", "f2": "f4"}


def unmasked(array):
    """The numbers of an array: NaN where a masked array is masked, which whole numbers cannot be."""
    if not np.ma.is_masked(array):
        return np.asarray(array)
    if array.dtype.kind != "f":
        raise TypeError(
            f"a masked array of {array.dtype} has nothing to stand for what is masked: give array.filled(0), "
            "or another value"
        )
    return array.filled(np.nan)


def real(name, values):
    """Rows of numbers as float64; TypeError for text, complex numbers and rows of different lengths."""
    try:
        array = unmasked(values)
        if array.dtype.kind in "cmM":
            raise ValueError(f"not {array.dtype}")
        if array.ndim > 2:
            raise ValueError(f"not an array of {array.ndim} axes")
        return array.astype(float)
    except (ValueError, TypeError, OverflowError) as fault:
        raise TypeError(f"{name}: rows of real numbers are expected ({fault})") from None


def write_nifti(path, array, affine, seconds=0.0, intent=0):
    """Writes array (i, j, k[, volume]) uncompressed. affine: 4 × 4, RAS+ mm from voxel; seconds: between volumes, 0
    unknown."""
    array, affine = unmasked(array), real("affine", affine)
    kind = array.dtype.str[1:]
    kind = WIDER.get(kind, kind)
    if kind not in TYPES:
        raise TypeError(
            f"an image cannot hold numbers of the type {array.dtype}: convert it with astype(numpy.float32)"
        )
    if not 3 <= array.ndim <= 5:
        raise TypeError(f"an image has 3 axes, or 4 with volumes, and this array has {array.ndim}")
    if affine.shape != (4, 4):
        raise TypeError(f"an affine has 4 × 4 numbers, and this has the shape {affine.shape}")
    if not np.all(np.abs(affine) <= np.finfo(np.float32).max):
        raise TypeError("an affine has finite numbers of single precision, and this has others")
    if not np.array_equal(affine[3], [0, 0, 0, 1]) or abs(np.linalg.det(affine[:3, :3])) < 1e-12:
        raise TypeError(f"an affine ends with 0, 0, 0, 1 and has three directions, and this is {affine.tolist()}")
    if max(array.shape) > 32767:
        raise TypeError(
            f"an axis of an image in memory has 32767 voxels at most, and this has {max(array.shape)}: give it "
            "as a file"
        )
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, array.ndim, *array.shape, *[1] * (7 - array.ndim))
    struct.pack_into("<3h", header, 68, intent, TYPES[kind], 8 * int(kind[1]))
    struct.pack_into("<8f", header, 76, 1, *np.linalg.norm(affine[:3, :3], axis=0), seconds, 0, 0, 0)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[123] = 2 + 8  # mm and seconds
    struct.pack_into("<2h", header, 252, 0, 1)
    struct.pack_into("<12f", header, 280, *affine[:3].ravel())
    header[344:348] = b"n+1\0"
    with open(path, "wb") as file:
        file.write(header)
        # By volumes: what is in the order of the file already, as nibabel reads it, is not copied, and the
        # rest not all at once.
        for volume in [array] if array.ndim == 3 else (array[..., k] for k in range(array.shape[-1])):
            np.ascontiguousarray(volume.T, "<" + kind).tofile(file)


def read_nifti(path):
    """The values (i, j, k[, volume[, component]]) and the affine of a NIfTI-1 or -2 file (.nii.gz) that sulcus-cli
    wrote."""
    with gzip.open(path, "rb") as file:
        data = file.read()
    two = struct.unpack_from("<i", data)[0] == 540
    dims = struct.unpack_from("<8q" if two else "<8h", data, 16 if two else 40)
    code = struct.unpack_from("<h", data, 12 if two else 70)[0]
    offset = int(struct.unpack_from("<q" if two else "<f", data, 168 if two else 108)[0])
    slope, shift = struct.unpack_from("<2d" if two else "<2f", data, 176 if two else 112)
    affine = np.eye(4)
    affine[:3] = np.reshape(struct.unpack_from("<12d" if two else "<12f", data, 400 if two else 280), (3, 4))
    kind = {value: key for key, value in TYPES.items()}[code]
    shape = dims[1 : dims[0] + 1]
    array = np.frombuffer(data, "<" + kind, int(np.prod(shape)), offset).reshape(shape, order="F")
    return (array if slope in (0, 1) and shift == 0 else array * slope + shift), affine


def read_vtp(path):
    """(vertices (V, 3) RAS+ mm, faces (F, 3), {name: value at each vertex}) of a surface that sulcus-cli wrote."""
    piece = xml.etree.ElementTree.parse(path).find(".//Piece")
    arrays = {(part.tag, array.get("Name")): _vtk_array(array) for part in piece for array in part.iter("DataArray")}
    points = next(value for (part, _), value in arrays.items() if part == "Points")
    faces = arrays["Polys", "connectivity"].reshape(-1, 3)
    return points, faces, {name: value for (part, name), value in arrays.items() if part == "PointData"}


def read_trx(path):
    """The lines of a TRX file as Sulcus writes it: arrays (points, 3), RAS+ mm."""
    with zipfile.ZipFile(path) as archive:
        points = np.frombuffer(archive.read("positions.3.float32"), "<f4").reshape(-1, 3)
        begins = np.frombuffer(archive.read("offsets.uint64"), "<u8")[:-1]
    return np.split(points, begins[1:].astype(int)) if len(begins) else []


def _vtk_array(element):
    """A DataArray of VTK in base64, compressed by zlib: 8-byte numbers of blocks, sizes of all and of the last, of each
    compressed."""
    text = element.text.strip()
    blocks = struct.unpack("<Q", base64.b64decode(text[:12])[:8])[0]
    head = 4 * -(-8 * (3 + blocks) // 3)
    sizes = struct.unpack(f"<{blocks}Q", base64.b64decode(text[:head])[24 : 24 + 8 * blocks])
    packed, parts = memoryview(base64.b64decode(text[head:])), []
    for size in sizes:
        parts.append(zlib.decompress(packed[:size]))
        packed = packed[size:]
    kind = element.get("type").lower()
    array = np.frombuffer(b"".join(parts), np.dtype(kind).newbyteorder("<"))
    width = int(element.get("NumberOfComponents") or 1)
    return array.reshape(-1, width) if width > 1 else array


def write_obj(path, vertices, faces):
    """Writes a surface with vertices in RAS+ mm as OBJ."""
    for name, rows in (("vertices", vertices), ("faces", faces)):
        if np.ndim(rows) != 2 or np.shape(rows)[1] != 3:
            raise TypeError(f"the {name} of a surface are rows of 3 numbers, and these have the shape {np.shape(rows)}")
    vertices, faces = real("vertices", vertices), real("faces", faces)
    if not np.array_equal(faces, np.floor(faces)):
        raise TypeError("the faces of a surface are numbers of its vertices, and these are not whole")
    with open(path, "w", encoding="utf-8") as file:
        np.savetxt(file, vertices, "v %.9g %.9g %.9g")
        np.savetxt(file, faces + 1, "f %d %d %d")


def write_table(path, columns):
    """Writes a dict of columns, or a DataFrame, as TSV; what is missing is n/a."""
    names, lists = [str(name) for name in columns], [_cells(name, columns[name]) for name in columns]
    if not names:
        raise TypeError("a table without columns says nothing")
    if len({len(cells) for cells in lists}) > 1:
        raise TypeError(f"the columns of a table are of different lengths: {dict(zip(names, map(len, lists)))}")
    rows = zip(*lists)
    with open(path, "w", encoding="utf-8") as file:
        for row in [names, *rows]:
            cells = ["n/a" if str(cell) in MISSING else str(cell) for cell in row]
            if any(set(cell) & set("\t\r\n") for cell in cells):
                raise TypeError(f"a cell of a table holds a tab or a new line: {cells}")
            if cells[0].startswith("#"):
                raise TypeError(f"a row that begins with # is a comment in a table: {cells}: put another column first")
            if any("\ud800" <= letter <= "\udfff" for cell in cells for letter in cell):
                raise TypeError(f"a cell of a table holds what is no Unicode text: {cells!r}")
            file.write("\t".join(cells) + "\n")


def _cells(name, column):
    """A column as a list, None where a masked array is masked; bytes as the text that they are."""
    column = column if np.ma.isMaskedArray(column) else np.asarray(column)
    if column.ndim != 1:
        raise TypeError(f"column {str(name)!r} of a table is a list of cells, not {column.ndim}-dimensional")
    return [cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell for cell in column.tolist()]


def read_table(path):
    """The columns of a TSV as a dict of arrays, of numbers where all are (n/a: NaN), else of text."""
    with open(path, encoding="utf-8") as file:
        names, *rows = (line.rstrip("\n").split("\t") for line in file)
    table = {}
    for name, cells in zip(names, zip(*rows) if rows else [()] * len(names)):
        try:
            table[name] = np.array([float("nan") if cell == "n/a" else float(cell) for cell in cells])
        except ValueError:
            table[name] = np.array(cells)
    return table
