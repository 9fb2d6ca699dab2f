"""Sulcus from Python: fibers, activation, registration, surface and group, on CPU and GPU.

>>> result = sulcus.fibers("dwi.nii.gz", order=8, progress=print)
>>> result["peaks"]                     # a nibabel image, or Image(array, affine) without nibabel

Images go in as paths, nibabel images, arrays with affine=, or pairs (array, affine); tables as paths, pandas.DataFrame
or dict of columns. Positions are RAS+ mm, times seconds, b-values s/mm². Options have the names of the command line
with _ for -; help(sulcus.fibers) lists them. The work is done by the program sulcus-cli, which is found through
SULCUS_CLI or PATH. Research use only.
"""

__version__ = "0.3.0"

from . import _analysis
from ._analysis import phantom
from ._program import Error, devices, info, version
from ._result import Image, Result, Surface

_ANALYSES = ("activation", "fibers", "group", "prepare", "registration", "surface", "tracts")
__all__ = ["Error", "Image", "Result", "Surface", "devices", "info", "phantom", "version", *_ANALYSES]


def __getattr__(name):
    """The analyses are made when they are first asked for: their options are those of the program that is there
    then."""
    if name not in _ANALYSES:
        raise AttributeError(f"module 'sulcus' has no attribute {name!r}")
    globals()[name] = _analysis.make(name)
    return globals()[name]


def __dir__():
    return [*__all__, "__version__"]
