"""The analyses as functions, whose options and help are what the program says of itself."""

from __future__ import annotations

import difflib
import inspect
import keyword
import os
import textwrap
import warnings

from . import _program
from ._inputs import Folder, paths_of, size_of, words_of
from ._result import Result

# Inputs that may be given without their names, and what comes out, for the help.
POSITIONAL = {
    "fibers": ["dwi"],
    "activation": ["bold"],
    "registration": ["template", "reference"],
    "surface": ["mask"],
    "group": ["maps"],
    "tracts": ["fod"],
    "template": ["images"],
    "prepare": ["bold"],
}
RESULTS = {
    "fibers": """peaks (i, j, k, 3 · peaks): directions x, y, z in RAS+, as long as their amplitude, largest
        first, NaN where there is none. amplitude, count, anisotropy, residual, iterations,
        response_voxels (i, j, k); response: zonal harmonics of a single fiber, a row for each shell;
        fractions and volumes of the tissues with model="msmt".""",
    "activation": """For each regressor and contrast NAME: mean_NAME, sd_NAME, interval_NAME (two volumes: from,
        to), ppm_NAME (probability of an effect above gamma), lfdr_NAME, t_NAME, z_NAME, shown_NAME
        (i, j, k), in the unit of the option response; for each F contrast f_NAME, z_NAME, ppm_NAME
        (probability that any row differs from 0), lfdr_NAME and shown_NAME. sigma2, rhat, ess (i, j,
        k); tables shown, delta and vbeta; diagnostics: dict.""",
    "registration": """On the grid of the reference: warped, aligned, logjac (log of the volume ratio J),
        displacement and inverse (i, j, k, 1, 3; mm; LPS+, the convention of ITK and ANTs),
        inverse_residual; affine (4, 4): template point = affine × reference point, RAS+ mm; table
        energy; report: dict.""",
    "surface": """surface and input_surface: Surface (vertices in RAS+ mm); phi (i, j, k): signed distance in
        mm, negative inside; mask (i, j, k); table energy; report: dict.""",
    "group": """For each contrast NAME: shown_NAME (t where p is small enough, else NaN), effect_NAME in the
        unit of the maps, t_NAME, z_NAME, tfce_NAME, logp_tfce_NAME, logp_voxel_NAME,
        logp_extent_NAME, logp_mass_NAME (-log10 p, corrected for the image), all (i, j, k); tables
        contrasts and design.""",
    "template": """On the grid of the template (i, j, k): template and template_sd; for each person NAME, as its
        file is called, NAME_logjac (log of the volume ratio of the whole map, above 0 where the
        person is larger), NAME_warped, NAME_displacement (i, j, k, 1, 3; mm; LPS+); with labels,
        template_labels; tables people and rounds; report: dict.""",
    "tracts": """tracts: list of lines (points, 3), RAS+ mm, as TRX in path("tracts"); density and ends (i, j,
        k): lines through and ends in each voxel; table seeds: what became of the seeds and why lines
        end; with labels, table connectome: lines and mean length (mm) for each pair of regions, and
        the arrays connectome_count and connectome_length; with image, table profile: mean and s.d. of
        each image at 100 places along the lines.""",
    "prepare": """Names begin with that of the scan: desc_preproc_bold or desc_preproc_dwi (the series),
        desc_brain_mask, boldref or dwiref (means), table desc_confounds_timeseries: motion and
        displacement; desc_preproc_fieldmap (Hz) where distortion was found; of diffusion
        desc_noise_dwimap and desc_rank_dwimap.""",
}
OWN = {
    "preset": "Start from the parameters of this name; options override them. `sulcus-cli ANALYSIS --help` lists them",
    "params": "JSON file with parameters; options override it",
    "affine": "(4, 4), RAS+ mm from voxel: where the arrays among the inputs lie. Or give pairs (array, affine)",
    "compare": 'True: on CPU and GPU, with result.agreement; the same as backend="both"',
    "progress": "Called as progress(share, stage) with a share of 0…1 and text",
}
NOT_HERE = {
    "out": "results stay with the object, result.save(folder) keeps them",
    "overwrite": "nothing is replaced: see result.save(folder)",
}


def _python_name(id):
    return id + "_" if keyword.iskeyword(id) else id  # lambda_


def _described(analysis):
    """The inputs and options of an analysis by the names they have here."""
    kinds = {}
    for kind in _program.descriptor(analysis)["inputs"]:
        if kind["type"] == "Flag" and kind["command-line-flag"].startswith("--no-"):
            kind = dict(kind, id=kind["id"][3:], description=kind["description"].removeprefix("Not: "))
            kind["command-line-flag"] = "--" + kind["command-line-flag"][5:]
        if kind["id"] not in NOT_HERE:
            kinds[_python_name(kind["id"])] = kind
    return kinds


def run(analysis, given):
    """Runs an analysis. given: {name: value} of inputs, options and what is in OWN; None stands for not given."""
    given = {_python_name(name): value for name, value in given.items() if value is not None}
    kinds = _described(analysis)
    _check_names(analysis, given, kinds)
    progress, affine = given.pop("progress", None), given.pop("affine", None)
    if given.pop("compare", False):
        given["backend"] = "both"
    if given.get("backend") == "auto":
        given["backend"] = "gpu" if _program.devices() else "cpu"
    words, is_file = [analysis], {name for name in given if name in kinds and kinds[name]["type"] == "File"}
    folder = Folder(None if given.get("save_draws") else sum(size_of(given[name]) for name in is_file))
    if isinstance(affine, str):  # the pre-alignment of a registration
        words.append(f"--affine={affine}")
        affine = None
    for name, value in given.items():
        if name in is_file:
            files = paths_of(name, value, kinds[name].get("list", False), affine, folder.inputs)
            words += [kinds[name]["command-line-flag"], *files]
        elif name in kinds:
            words += words_of(kinds[name]["command-line-flag"], value, kinds[name])
        else:
            words.append(f"--{name}={os.path.abspath(value) if name == 'params' else value}")
    words += ["--out", str(folder.out)]
    result = Result(_program.run(words, progress), folder, ["sulcus-cli", *words])
    of_runs = (note for one in result.runs for note in one["warnings"])
    for note in dict.fromkeys([*result.warnings, *of_runs]):
        warnings.warn(note.removeprefix("Warning: "), stacklevel=3)
    return result


def _check_names(analysis, given, kinds):
    known = [*kinds, *OWN]
    for name in given:
        if name in NOT_HERE:
            raise TypeError(f"{analysis}() takes no {name!r}: {NOT_HERE[name]}")
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.5)
            raise TypeError(
                f"{analysis}() has no option {name!r}"
                + (f": did you mean {near[0]!r}?" if near else f": see help(sulcus.{analysis})")
            )


def make(analysis):
    """The function of an analysis, with the signature and help of the program; where there is none, with those that are
    known without."""

    def function(*inputs, **options):
        names = POSITIONAL[analysis]
        if len(inputs) > len(names):
            raise TypeError(f"{analysis}() takes {', '.join(names)} without names, the rest by name")
        for name, value in zip(names, inputs):
            if name in options:
                raise TypeError(f"{analysis}() got two values of {name!r}")
            options[name] = value
        return run(analysis, options)

    function.__name__ = function.__qualname__ = analysis
    function.__module__ = "sulcus"
    try:
        kinds, summary = _described(analysis), _program.descriptor(analysis)["description"]
    except (_program.Error, OSError):
        function.__doc__ = "There is no sulcus-cli to ask for its options.\n" + _section(
            "Results", {"": RESULTS[analysis]}
        )
        return function
    first = [name for name in POSITIONAL[analysis] if name in kinds]
    rest = [name for name in [*kinds, *OWN] if name not in first]
    parameter = inspect.Parameter
    function.__signature__ = inspect.Signature(
        [parameter(name, parameter.POSITIONAL_OR_KEYWORD, default=None) for name in first]
        + [parameter(name, parameter.KEYWORD_ONLY, default=None) for name in dict.fromkeys(rest)],
        return_annotation=Result,
    )
    function.__doc__ = _help(analysis, summary, kinds)
    return function


def _help(analysis, summary, kinds):
    inputs = {name: kind["description"] for name, kind in kinds.items() if kind["type"] == "File"}
    options = {name: kind["description"] + _choices(kind) for name, kind in kinds.items() if kind["type"] != "File"}
    options["backend"] = options["backend"].replace(
        "compare ", "compare; auto: the GPU where there is one, which report says. "
    )
    own = dict(OWN)
    if analysis == "registration":
        options["affine"] += " Or a matrix: " + own.pop("affine") + "."
    return (
        f"{summary}.\n\nReturns a sulcus.Result, raises sulcus.Error. None stands for the default.\n"
        + _section("Inputs: paths, nibabel images, arrays with affine, tables", inputs)
        + _section("Options", {**options, **own})
        + _section("Results", {"": RESULTS[analysis]})
    )


def _choices(kind):
    if "value-choices" in kind:
        return " One of: " + ", ".join(map(str, kind["value-choices"])) + "."
    return f" ({kind['minimum']:g} … {kind['maximum']:g})" if "maximum" in kind and "minimum" in kind else ""


def _section(title, entries):
    lines = [f"\n{title}\n{'-' * len(title)}"]
    for name, text in entries.items():
        lines += [name] if name else []
        lines.append(textwrap.indent(textwrap.fill(" ".join(text.split()), 96), "    "))
    return "\n".join(lines) + "\n"


def phantom(kind, *, progress=None, **options):
    """A test scan with a known answer: kind is "fibers", "activation", "registration", "surface", "group", "tracts",
    "template" or "prepare".

    The options are those of `sulcus-cli phantom KIND --help`. Returns a sulcus.Result with scan and truth:
    sulcus.phantom("fibers")["dwi"]; .path("dwi") is the file, with its gradients beside it.
    """
    if not isinstance(kind, str) or not kind.isalpha():
        raise TypeError(
            f"{kind!r} is no phantom: fibers, activation, registration, surface, group, tracts, template or prepare"
        )
    folder = Folder(0)
    words = ["phantom", kind]
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if isinstance(value, bool):
            words += [flag] if value else []
        else:
            words.append(f"{flag}={value}")
    words += ["--out", str(folder.out)]
    return Result(_program.run(words, progress), folder, ["sulcus-cli", *words])
