"""Everything around the analyses: options, errors, interrupts, saving, lifetime, the version, a run on both
backends."""
import gc
import inspect
import json
import os
import pathlib
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from unittest import mock

import nibabel
import numpy as np
import sulcus
from sulcus import _program

QUICK = {"model": "csa", "order": 4, "starts": 16}


def temporary_folders():
    return {path for place in (tempfile.gettempdir(), "/dev/shm") for path in pathlib.Path(place).glob("sulcus-????????")}


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.phantom = sulcus.phantom("fibers")
        cls.dwi, cls.mask = cls.phantom.path("dwi"), cls.phantom.path("mask")

    def test_version_is_that_of_the_program(self):
        self.assertEqual(sulcus.version(), sulcus.__version__)
        with mock.patch("sulcus.__version__", "9.1.0"), self.assertWarnsRegex(UserWarning, r"version 0\..*this package 9\.1\.0"):
            _program._compare_versions.__wrapped__(sulcus.version(), "sulcus-cli")

    def test_devices_and_info(self):
        self.assertIsInstance(sulcus.devices(), list)
        self.assertEqual(sulcus.info(self.dwi)["volumes"], 70)

    def test_every_option_of_the_program_is_a_parameter(self):
        for name in ("fibers", "activation", "registration", "surface"):
            told = json.loads(subprocess.run([os.environ["SULCUS_CLI"], name, "--boutiques"], stdout=subprocess.PIPE, check=True).stdout)
            function = getattr(sulcus, name)
            parameters = inspect.signature(function).parameters
            for one in told["inputs"]:
                # An option that is on by default is turned off by a flag; here it is True or False.
                id, description = one["id"].removeprefix("no_"), one["description"].removeprefix("Not: ")
                if id not in ("out", "overwrite"):
                    self.assertTrue({id, id + "_"} & set(parameters), id)
                    self.assertIn(" ".join(description.split()[:4]), " ".join(function.__doc__.split()))
            for word in ("preset", "progress", "compare"):
                self.assertIn(word, parameters)
        self.assertIn("lambda_", inspect.signature(sulcus.registration).parameters)
        self.assertTrue(set(sulcus.__all__) <= set(dir(sulcus)))

    def test_wrong_calls(self):
        for call, words in (
            (lambda: sulcus.fibers(self.dwi, oder=8), "no option 'oder': did you mean 'order'"),
            (lambda: sulcus.fibers(self.dwi, qqqqqq=8), "see help"),
            (lambda: sulcus.fibers(self.dwi, self.mask), "without names"),
            (lambda: sulcus.fibers(self.dwi, dwi=self.dwi), "two values"),
            (lambda: sulcus.fibers(self.dwi, out="here"), r"result\.save"),
            (lambda: sulcus.fibers(np.zeros((4, 4, 4, 9))), "affine="),
            (lambda: sulcus.fibers(np.zeros((4, 4)), affine=np.eye(4)), "3 axes"),
            (lambda: sulcus.fibers(np.zeros((4, 4, 4), complex), affine=np.eye(4)), "astype"),
            (lambda: sulcus.fibers(np.zeros((4, 4, 4)), affine=np.eye(3)), "4 × 4"),
            (lambda: sulcus.fibers(3), "int is no input"),
            (lambda: sulcus.activation(self.dwi, events={"onset": [1, 2], "duration": [1]}), "different lengths"),
            (lambda: sulcus.activation(self.dwi, events={"onset": [1], "trial_type": ["a\tb"]}), "holds a tab"),
            (lambda: sulcus.registration(self.dwi, self.dwi, symmetric="yes"), "True or False"),
            (lambda: sulcus.surface(np.ma.masked_array(np.ones((9, 9, 9), "u1"), mask=True), affine=np.eye(4)), "masked array"),
            (lambda: sulcus.surface(np.ones((40000, 3, 3), "u1"), affine=np.eye(4)), "32767 voxels"),
            (lambda: sulcus.surface(np.ones((9, 9, 9), "u1"), affine=np.eye(4) * 1e40), "finite numbers"),
            (lambda: sulcus.surface(nibabel.Nifti1Image(np.ones((9, 9, 9), "u1"), None)), "no affine"),
            (lambda: sulcus.surface(mesh=(np.ones((3, 2)), [[0, 1, 2]])), "rows of 3 numbers"),
            (lambda: sulcus.activation(self.dwi, contrast=[]), "an empty list"),
            (lambda: sulcus.activation(self.dwi, events={"trial_type": ["#a"], "onset": [1.0]}), "comment"),
            (lambda: sulcus.activation(self.dwi, events={"trial_type": ["\ud800"], "onset": [1.0]}), "no Unicode text"),
            (lambda: sulcus.phantom("--help"), "no phantom"),
            (lambda: sulcus.fibers("\ud800.nii"), "cannot be passed to a program"),
            (lambda: sulcus.fibers("a\0b"), "cannot be passed to a program"),
            (lambda: sulcus.registration({}, {}), "without columns"),
            (lambda: sulcus.surface(np.ones((9, 9, 9), "u1"), affine=np.diag([1, 1, 0, 1.0])), "three directions"),
            (lambda: sulcus.surface(np.ones((9, 9, 9), "u1"), affine=np.eye(4) + np.eye(4)[[3, 0, 1, 2]]), "ends with 0, 0, 0, 1"),
            (lambda: sulcus.surface(mesh=(np.ones((3, 3)), [[0, 1, 1.5]])), "not whole"),
            (lambda: sulcus.surface(mesh=(np.ones((3, 3), complex), [[0, 1, 2]])), "real numbers"),
            (lambda: sulcus.activation(self.dwi, design=np.array([["x", "y"]], object)), "design: rows of real numbers"),
            (lambda: sulcus.activation(self.dwi, design=np.ones((70, 2), complex)), "design: rows of real numbers"),
            (lambda: sulcus.activation(self.dwi, design=np.ones((70, 2, 2))), "3 axes"),
            (lambda: sulcus.activation(self.dwi, design=10**400), "design: rows of real numbers"),
            (lambda: sulcus.surface(np.ones((9, 9, 9), "u1"), affine=np.array(["a"])), "affine: rows of real numbers"),
            (lambda: sulcus.activation(self.dwi, contrast={"a": 1}), "a text or a list"),
            (lambda: sulcus.activation(self.dwi, events={"onset": np.ones((2, 2)), "duration": [1, 1]}), "a list of cells"),
        ):
            with self.assertRaisesRegex(TypeError, words):
                call()

    def test_what_is_masked_is_missing(self):
        image = np.ma.masked_array(np.ones((3, 3, 3), "f4"), mask=np.arange(27).reshape(3, 3, 3) < 2)
        with tempfile.TemporaryDirectory() as folder:
            sulcus._files.write_nifti(folder + "/a.nii", image, np.eye(4))
            self.assertEqual(np.isnan(nibabel.load(folder + "/a.nii").get_fdata()).sum(), 2)
            sulcus._files.write_table(folder + "/a.tsv", {"onset": np.ma.masked_array([1.0, 2.0], mask=[False, True])})
            self.assertEqual(pathlib.Path(folder + "/a.tsv").read_text(), "onset\n1.0\nn/a\n")
            sulcus._files.write_table(folder + "/a.tsv", {"trial_type": [b"left"]})
            self.assertEqual(pathlib.Path(folder + "/a.tsv").read_text(), "trial_type\nleft\n")

    def test_errors_are_those_of_the_program(self):
        with self.assertRaises(sulcus.Error) as caught:
            sulcus.fibers("/nowhere (really): no/dwi.nii")
        error = caught.exception
        self.assertEqual((error.problem, error.what_to_do, error.exit_code), ("There is no file 'dwi.nii'", "check the path", 3))
        self.assertEqual(error.why, "'/nowhere (really): no/dwi.nii' does not exist")
        self.assertEqual(str(error), f"{error.problem} ({error.why}): {error.what_to_do}")
        self.assertEqual(pickle.loads(pickle.dumps(error)).why, error.why)
        for call, code in ((lambda: sulcus.fibers(self.dwi, order=99), 2), (lambda: sulcus.fibers(self.dwi, preset="x"), 2),
                           (lambda: sulcus.fibers(), 2)):
            with self.assertRaises(sulcus.Error) as caught:
                call()
            self.assertEqual(caught.exception.exit_code, code)
        self.assertEqual(sulcus.Error.parse("Strange words", 5).problem, "Strange words")
        self.assertEqual(temporary_folders() - {self.phantom._folder.path}, self.before)

    def setUp(self):
        self.before = temporary_folders() - {self.phantom._folder.path}

    def test_no_program(self):
        for environment, words in (({"PATH": "/nowhere"}, "SULCUS_CLI"), ({"SULCUS_CLI": "/no/such"}, "SULCUS_CLI names it")):
            with mock.patch.dict(os.environ, environment, clear=True), self.assertRaisesRegex(sulcus.Error, words):
                sulcus.fibers(self.dwi)
        code = "import sulcus; print(sulcus.fibers.__doc__)"
        told = subprocess.run([sys.executable, "-c", code], env={"PATH": "/nowhere"}, stdout=subprocess.PIPE, check=True, text=True)
        self.assertIn("no sulcus-cli", told.stdout)

    def test_an_interrupt_ends_the_program_and_leaves_nothing(self):
        bold = sulcus.phantom("activation")["bold"]
        before, pids = temporary_folders(), []
        start = subprocess.Popen

        def started(*words, **options):
            child = start(*words, **options)
            pids.append(child.pid)
            return child

        timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
        with mock.patch("sulcus._program.subprocess.Popen", started), self.assertRaises(KeyboardInterrupt):
            timer.start()
            begun = time.monotonic()
            sulcus.activation(bold, events={"onset": [0.0, 60], "duration": [30.0, 30], "trial_type": ["a", "b"]}, draws=1000000)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertFalse(os.path.exists(f"/proc/{pids[-1]}"))
        gc.collect()
        self.assertEqual(temporary_folders(), before)

    def test_an_exception_of_progress_ends_the_run(self):
        def stop(share, stage):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            sulcus.fibers(self.dwi, progress=stop)

    def test_files_live_as_long_as_the_result_and_its_images(self):
        result = sulcus.fibers(self.dwi, mask=self.mask, **QUICK)
        folder, peaks = result.path("peaks").parent, result["peaks"]
        del result
        gc.collect()
        self.assertEqual(peaks.get_fdata().shape, (32, 32, 1, 9))
        del peaks
        gc.collect()
        self.assertFalse(folder.parent.exists())

    def test_save(self):
        result = sulcus.fibers(np.asanyarray(self.phantom["dwi"].dataobj), affine=self.phantom["dwi"].affine, mask=self.phantom["mask"],
                               bval=self.phantom["dwi.bval"], bvec=self.phantom["dwi.bvec"], **QUICK)
        with tempfile.TemporaryDirectory(prefix="Läufe von heute ") as folder:
            saved = result.save(folder + "/one")
            self.assertEqual(sorted(p.name for p in saved.glob("*.nii.gz")), sorted(result.path(n).name for n in result))
            self.assertEqual(list(result.waited), ["Start", "Read", "Compute", "Write", "All"])
            provenance = json.loads((saved / "provenance.json").read_text())
            wanted = {"inputs/" + name for name in ("dwi.nii", "mask.nii.gz", "bval.txt", "bvec.txt")}
            self.assertEqual({one["Path"] for one in provenance["Inputs"]}, wanted)
            for one in provenance["Inputs"]:
                self.assertTrue((saved / one["Path"]).exists())
            peaks = (saved / "peaks.nii.gz").read_bytes()
            del result
            gc.collect()
            program = pathlib.Path(os.environ["SULCUS_CLI"]).parent
            subprocess.run(provenance["CommandLine"] + " --overwrite --quiet", shell=True, check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "PATH": f"{program}:{os.environ['PATH']}"})
            self.assertEqual((saved / "peaks.nii.gz").read_bytes(), peaks)
            again = sulcus.fibers(self.dwi, mask=self.mask, **QUICK)
            with self.assertRaisesRegex(sulcus.Error, "exists already"):
                again.save(saved)
            self.assertEqual([p.name for p in pathlib.Path(folder).iterdir()], ["one"])

    def test_without_nibabel(self):
        code = f"""
import sys; sys.modules["nibabel"] = None
import sulcus
result = sulcus.fibers({str(self.dwi)!r}, mask=(sulcus.phantom("fibers")["mask"]), model="csa", order=4, starts=16)
peaks = result["peaks"]
print(type(peaks).__name__, peaks.array.shape, peaks.affine[0, 0])"""
        told = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(told.stdout, "Image (32, 32, 1, 9) 2.0\n")

    def test_auto_takes_the_gpu_where_there_is_one(self):
        wanted = "gpu" if sulcus.devices() else "cpu"
        self.assertEqual(sulcus.fibers(self.dwi, mask=self.mask, backend="auto", **QUICK).report["backend"], wanted)

    def test_both(self):
        if sulcus.devices():
            self.check_both()
        else:
            with self.assertRaisesRegex(sulcus.Error, "no GPU") as caught:
                sulcus.fibers(self.dwi, compare=True)
            self.assertEqual(caught.exception.exit_code, 4)

    def test_layout_of_both(self):
        """A replacement for a program with a GPU: it writes the folders and the report of --backend both from two runs
        on the CPU."""
        with tempfile.TemporaryDirectory() as folder:
            stand_in = pathlib.Path(folder, "sulcus-cli")
            stand_in.write_text(STAND_IN.format(python=sys.executable, program=os.environ["SULCUS_CLI"]))
            stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
            with mock.patch.dict(os.environ, {"SULCUS_CLI": str(stand_in)}):
                self.check_both()

    def check_both(self):
        result = sulcus.fibers(self.dwi, mask=self.mask, compare=True, **QUICK)
        self.assertTrue(result.agreement["agrees"])
        self.assertEqual([result.report["backend"], result.cpu.report["backend"], result.gpu.report["backend"]], ["cpu", "cpu", "gpu"])
        np.testing.assert_array_equal(result.array("peaks"), result.cpu.array("peaks"))
        self.assertEqual(result.gpu.path("peaks").parent.name, "gpu")
        self.assertEqual(result["difference"].shape[:3], (32, 32, 1))
        self.assertEqual(result.gpu.provenance["Analysis"], "fibers")
        self.assertEqual(result.provenance["Backend"], "cpu")


STAND_IN = """#!{python}
import json, os, shutil, subprocess, sys
words = sys.argv[1:]
if "--backend=both" not in words:
    os.execv({program!r}, [{program!r}, *words])
out, at = words[words.index("--out") + 1], words.index("--out") + 1
runs, files = [], []
for backend in ("cpu", "gpu"):
    words[words.index("--backend=both") if backend == "cpu" else words.index("--backend=cpu")] = "--backend=cpu"
    words[at] = out + "/" + backend
    said = json.loads(subprocess.run([{program!r}, *words], stdout=subprocess.PIPE, check=True).stdout)
    runs.append(dict(said["runs"][0], backend=backend))
    files += said["files"]
shutil.copy(out + "/cpu/count.nii.gz", out + "/difference.nii.gz")
files += [out + "/difference.nii.gz"]
comparison = {{"agrees": True, "differences": [], "worst": []}}
print(json.dumps({{"analysis": "fibers", "out": out, "runs": runs, "comparison": comparison, "files": files}}))
"""
