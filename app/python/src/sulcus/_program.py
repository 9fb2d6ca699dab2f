"""The program sulcus-cli: where it is, what it says of itself, running it."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import warnings


class Error(Exception):
    """What went wrong, in the words of the program: *problem (why): what to do*.

    problem, why, what_to_do: the three parts, text; why and what_to_do may be empty.
    exit_code: of the program: 2 wrong usage, 3 bad input, 4 not enough memory or no such device, 5 internal, negative:
    ended by a signal.
    """

    def __init__(self, problem, why="", what_to_do="", exit_code=3):
        super().__init__(problem + (f" ({why})" if why else "") + (f": {what_to_do}" if what_to_do else ""))
        self.problem, self.why, self.what_to_do, self.exit_code = problem, why, what_to_do, exit_code

    def __reduce__(self):
        return Error, (self.problem, self.why, self.what_to_do, self.exit_code)

    @classmethod
    def parse(cls, text, exit_code):
        """Takes *problem (why): what to do* apart. The why ends where its parenthesis closes."""
        begin = text.find(" (")
        while begin >= 0:
            depth = 0
            for at in range(begin + 1, len(text)):
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                if depth == 0:
                    break
            if text[at + 1 : at + 3] == ": ":
                return cls(text[:begin], text[begin + 2 : at], text[at + 3 :], exit_code)
            begin = text.find(" (", begin + 1)
        return cls(text, "", "", exit_code)


def find():
    """The path of sulcus-cli: SULCUS_CLI, else beside this package, else on PATH. Throws Error when there is none."""
    chosen = os.environ.get("SULCUS_CLI")
    for place in [chosen] if chosen else [str(pathlib.Path(__file__).parent / "bin" / "sulcus-cli"), "sulcus-cli"]:
        found = shutil.which(place)
        if found:
            return os.path.abspath(found)
    if chosen:
        raise Error(f"There is no program {chosen!r}", "SULCUS_CLI names it", "correct SULCUS_CLI or unset it", 2)
    raise Error(
        "There is no sulcus-cli",
        "this package calls it, and it is neither in SULCUS_CLI nor on PATH",
        "install the Debian package of Sulcus (made by cpack), or build it with app/run --cli --version and set "
        "SULCUS_CLI to build/full/bin/sulcus-cli",
        2,
    )


def _command(arguments):
    """The program and its words. TypeError for one that no program can be given."""
    for word in arguments:
        try:
            whole = b"\0" not in os.fsencode(word)
        except UnicodeEncodeError:
            whole = False
        if not whole:
            raise TypeError(f"{word!r} cannot be passed to a program: remove characters that are not valid Unicode")
    return [find(), *arguments]


def ask(*arguments):
    """What a short command prints as JSON."""
    done = subprocess.run(_command(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise error_of(done.stderr.decode("utf-8", "replace").splitlines(), done.returncode)
    return json.loads(done.stdout)


def descriptor(analysis):
    """What the program says of an analysis (Boutiques descriptor), asked once for each program."""
    program = find()
    return _descriptor(analysis, program, os.stat(program).st_mtime_ns)


@functools.lru_cache(maxsize=None)
def _descriptor(analysis, program, _changed):
    said = ask(analysis, "--boutiques")
    _compare_versions(said["tool-version"], program)
    return said


@functools.lru_cache(maxsize=None)
def _compare_versions(theirs, program):
    from . import __version__ as ours

    if theirs.split(".")[:2] != ours.split(".")[:2]:
        warnings.warn(
            f"{program} is version {theirs}, this package {ours} (options and results may have other names): install "
            "the package that belongs to the program",
            stacklevel=2,
        )


def run(arguments, progress=None):
    """Runs sulcus-cli with --json and returns its report; progress(share, stage) is told how far it is, share in 0…1.

    The program has a session of its own, so that an interrupt reaches it once, from here; it is ended whatever
    exception leaves this.
    """
    with tempfile.TemporaryFile() as printed:
        child = subprocess.Popen(
            _command([*arguments, "--json"]),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        said = []
        try:
            for line in child.stderr:
                text = line.decode("utf-8", "replace").rstrip("\n")
                if not text.startswith('{"fraction":'):
                    said.append(text)
                elif progress:
                    step = json.loads(text)
                    progress(step["fraction"], step["stage"])
            code = child.wait()
        finally:
            _end(child)
            child.stderr.close()
        if code == 130:
            raise KeyboardInterrupt
        if code:
            raise error_of(said, code)
        for text in said:
            warnings.warn(text.replace("sulcus-cli: ", "", 1), stacklevel=4)
        printed.seek(0)
        return json.load(printed)


def _end(child):
    """Asks the program to stop, which takes its files back, and makes it when it does not within ten seconds."""
    if child.poll() is None:
        child.send_signal(signal.SIGINT)
        try:
            child.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def error_of(lines, code):
    text = "\n".join(lines).strip()
    begin = text.rfind("sulcus-cli: ")
    if begin >= 0:
        return Error.parse(text[begin + len("sulcus-cli: ") :], code)
    if code < 0:
        return Error(
            f"sulcus-cli was ended by signal {-code}",
            "often the memory is used up",
            "free memory, or take a smaller scan",
            code,
        )
    return Error(text or "sulcus-cli failed", "", "", code)


def devices():
    """The CUDA devices: a list of dicts, empty where there is none."""
    return ask("devices", "--json")["devices"]


def version():
    """The version of the program sulcus-cli, for example "0.3.0". That of this package is sulcus.__version__."""
    return descriptor("fibers")["tool-version"]


def info(path):
    """What is in a scan or surface: a dict with kind, size, spacing (mm), worldFromVoxel (3 × 4, RAS+ mm), range,
    notes"""
    return ask("info", os.path.abspath(os.fspath(path)), "--json")["files"][0]
