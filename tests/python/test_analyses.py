"""The analyses give the same results as the command line, whatever the form of the inputs."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import warnings

import nibabel
import numpy as np
import sulcus

CLI = os.environ["SULCUS_CLI"]
WORDS = ("--model", "csa", "--order", 4, "--starts", 16)


def command_line(*words):
    """The maps (.nii.gz) that the command line makes, by name."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([CLI, *map(str, words), "--quiet", "--out", folder + "/out"], check=True, stdout=subprocess.DEVNULL)
        return {p.name[:-7]: np.asanyarray(nibabel.load(p).dataobj).copy() for p in pathlib.Path(folder, "out").glob("*.nii.gz")}


class Same(unittest.TestCase):
    def assertSame(self, maps, result):
        self.assertEqual(set(maps), {name for name in result if result.path(name).name.endswith(".nii.gz")})
        for name, voxels in maps.items():
            np.testing.assert_array_equal(np.asanyarray(result[name].dataobj), voxels, name)
            np.testing.assert_array_equal(result.array(name), voxels, name)


class Fibers(Same):
    @classmethod
    def setUpClass(cls):
        cls.phantom = sulcus.phantom("fibers")
        cls.dwi, cls.mask = cls.phantom.path("dwi"), cls.phantom.path("mask")
        cls.gradients = {"bval": cls.phantom["dwi.bval"], "bvec": cls.phantom["dwi.bvec"]}
        cls.maps = command_line("fibers", "--dwi", cls.dwi, "--mask", cls.mask, *WORDS)
        cls.options = {"model": "csa", "order": 4, "starts": 16}

    def test_paths(self):
        shares = []
        result = sulcus.fibers(str(self.dwi), mask=self.mask, progress=lambda share, stage: shares.append((share, stage)), **self.options)
        self.assertSame(self.maps, result)
        self.assertEqual(shares, sorted(shares, key=lambda one: one[0]))
        self.assertEqual(shares[-1][0], 1)
        self.assertIn("Peaks", [stage for _, stage in shares])
        self.assertEqual(result.report["backend"], "cpu")
        self.assertEqual(result.provenance["Parameters"]["order"], 4)
        self.assertIn("SulcusKind", result.about("peaks"))
        self.assertIsNone(result.agreement)

    def test_the_response_of_one_run_is_given_to_another(self):
        first = sulcus.fibers(self.dwi, mask=self.mask, model="csd", order=8, false_peaks=1)
        self.assertEqual(first["response"].shape, (5,))
        second = sulcus.fibers(self.dwi, mask=self.mask, model="csd", order=8, false_peaks=1, response=first["response"])
        np.testing.assert_array_equal(first.array("peaks"), second.array("peaks"))

    def test_images_that_are_files_are_not_copied(self):
        result = sulcus.fibers(nibabel.load(self.dwi), mask=nibabel.load(self.mask), **self.options)
        self.assertSame(self.maps, result)
        self.assertIn(str(self.dwi), result.command)
        self.assertEqual(list(result._folder.inputs.iterdir()), [])

    def test_a_changed_image_is_not_taken_for_its_file(self):
        image = nibabel.load(self.mask)
        image.header["sform_code"] = 2
        result = sulcus.fibers(self.dwi, mask=image, **self.options)
        self.assertIn("inputs/mask.nii", result.command)

    def test_arrays_of_every_order_and_byte_order(self):
        image = self.phantom["dwi"]
        voxels, affine = np.asanyarray(image.dataobj), image.affine
        mask = np.asanyarray(self.phantom["mask"].dataobj)
        for array in (voxels, np.ascontiguousarray(voxels), voxels.astype(">f4"), voxels.astype("f8"), voxels[::-1][::-1]):
            result = sulcus.fibers(array, mask=mask > 0, affine=affine, **self.gradients, **self.options)
            self.assertSame(self.maps, result)
        pair = sulcus.fibers((voxels, affine), mask=(mask.astype(np.int64), affine), **self.gradients, **self.options)
        self.assertSame(self.maps, pair)

    def test_images_in_memory(self):
        image = nibabel.Nifti1Image(self.phantom["dwi"].get_fdata(), self.phantom["dwi"].affine)
        by_rows = {"bval": list(self.gradients["bval"]), "bvec": self.gradients["bvec"].T}
        self.assertSame(self.maps, sulcus.fibers(image, mask=self.phantom["mask"], **by_rows, **self.options))

    def test_files_of_other_types_and_names(self):
        """Big-endian, float64 and int16 with a slope, in a folder with spaces and non-ASCII letters."""
        image = self.phantom["dwi"]
        with tempfile.TemporaryDirectory(prefix="scans of Zoë 脳 ") as folder:
            for name, endian, kind in (("big.nii", ">", "f4"), ("-double.nii", "<", "f8"), ("ganz neu.nii.gz", "<", "i2"), ("big 16.nii", ">", "i2")):
                header = nibabel.Nifti1Header(endianness=endian)
                header.set_data_dtype(endian + kind)
                path = os.path.join(folder, name)
                nibabel.Nifti1Image(image.get_fdata(), image.affine, header).to_filename(path)
                told = command_line("fibers", "--dwi", path, "--bval", self.phantom.path("dwi.bval"), "--bvec", self.phantom.path("dwi.bvec"),
                                    "--mask", self.mask, *WORDS)
                files = {"bval": self.phantom.path("dwi.bval"), "bvec": self.phantom.path("dwi.bvec"), "mask": self.mask}
                self.assertSame(told, sulcus.fibers(path, **files, **self.options))
                self.assertSame(told, sulcus.fibers(nibabel.load(path), **files, **self.options))
                in_memory = nibabel.load(path).get_fdata()
                self.assertSame(told, sulcus.fibers(in_memory, affine=image.affine, **files, **self.options))
                if kind != "i2":
                    self.assertSame(self.maps, sulcus.fibers(path, **files, **self.options))

    def test_a_result_is_an_input(self):
        """The peaks of one run as the truth of the next, which keeps them after the first is gone."""
        first = sulcus.fibers(self.dwi, mask=self.mask, **self.options)
        second = sulcus.fibers(self.dwi, mask=self.mask, truth=first["peaks"], **self.options)
        del first
        self.assertTrue(second.report["truth"])
        self.assertTrue((second._folder.inputs / "truth.nii.gz").exists())


class Others(Same):
    def setUp(self):
        # Few draws suffice for a comparison with the command line.
        catching = warnings.catch_warnings()
        catching.__enter__()
        self.addCleanup(catching.__exit__, None, None, None)
        warnings.filterwarnings("ignore", "the chains have not converged")

    def test_activation(self):
        phantom = sulcus.phantom("activation")
        design, bold = phantom["design"], phantom["bold"]
        words = ("--draws", 300, "--contrast", "v-a: 0 1 -1; -1 0 0.5", "--gamma", "-0.1")
        maps = command_line("activation", "--bold", phantom.path("bold"), "--design", phantom.path("design"), *words)
        options = {"draws": 300, "gamma": -0.1}
        result = sulcus.activation(bold, design=design, contrast=["v-a: 0 1 -1", [-1, 0, 0.5]], **options)
        self.assertSame(maps, result)
        self.assertEqual(list(result["shown"]["contrast"][:3]), ["visual", "auditory", "v-a"])
        self.assertEqual(result["diagnostics"]["draws"], 300)
        joint = sulcus.activation(bold, design=design, contrast={"any": ["visual", [0, 0, 1]], "d": [0, 1, -1]}, **options)
        self.assertIn("any: F(visual; 0 0 1)", joint.command)
        self.assertGreater(np.nanmax(joint.array("f_any")), 10)
        rows = np.column_stack([design["visual"], design["auditory"]])
        volumes = [nibabel.Nifti1Image(bold.dataobj[..., k], bold.affine) for k in range(bold.shape[3])]
        by_rows = sulcus.activation(volumes, design=rows, tr=3, draws=300)
        np.testing.assert_array_equal(by_rows.array("sigma2"), maps["sigma2"])

    def test_what_cannot_be_trusted_of_an_input_is_a_warning(self):
        phantom = sulcus.phantom("activation")
        with tempfile.TemporaryDirectory() as folder:
            bold = pathlib.Path(folder) / "bold.nii.gz"
            shutil.copy(phantom.path("bold"), bold)
            bold.with_name("bold.json").write_text('{"RepetitionTime": 2.5}')
            with self.assertWarnsRegex(UserWarning, "bold: 'bold.json' says 2.5 s per volume, the image itself 3 s"):
                result = sulcus.activation(bold, design=phantom["design"], slice=6, draws=100)
        self.assertEqual(len([one for one in result.warnings if one.startswith("Warning: bold: ")]), 1)

    def test_events_as_a_table(self):
        phantom = sulcus.phantom("activation")
        bold = phantom["bold"]
        events = {"onset": np.array([0.0, 60.0, 120.0]), "duration": [30, 30, 30], "trial_type": ["see", "hear", "see"], "speed": [1.5, None, 2]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "events.tsv")
            path.write_text("onset\tduration\ttrial_type\n0\t30\tsee\n60\t30\thear\n120\t30\tsee\n")
            maps = command_line("activation", "--bold", phantom.path("bold"), "--events", path, "--draws", 100)
        with self.assertWarnsRegex(UserWarning, "not converged"):
            result = sulcus.activation(np.asanyarray(bold.dataobj), affine=bold.affine, tr=3, events=events, draws=100)
        self.assertSame(maps, result)
        self.assertSame(maps, sulcus.activation(bold, events=Frame(events), draws=100))

    def test_registration(self):
        phantom = sulcus.phantom("registration", size=32)
        words = ("--affine", "none", "--lambda", "0.001", "--iterations", "20/10", "--levels", 2, "--symmetric")
        files = ("--template", phantom.path("template"), "--reference", phantom.path("reference"))
        maps = command_line("registration", *files, *words)
        options = {"affine": "none", "lambda_": 0.001, "iterations": [20, 10], "levels": 2, "symmetric": True}
        template, reference = phantom["template"], phantom["reference"]
        result = sulcus.registration(template, reference, **options)
        self.assertSame(maps, result)
        pairs = sulcus.registration(*((one.get_fdata(), one.affine) for one in (template, reference)), **options)
        self.assertSame(maps, pairs)
        np.testing.assert_array_equal(result["affine"], np.eye(4))
        np.testing.assert_array_equal(result["warped"].affine, reference.affine)
        moved = np.eye(4)
        moved[0, 3] = 2
        started = sulcus.registration(template, reference, initial=moved, **options)
        np.testing.assert_array_equal(started["affine"], moved)
        two = sulcus.registration([template, template], [reference, reference], channel_weights=[1, 3], **options)
        self.assertIn("--channel-weights 1 3", two.command)

    def test_surface(self):
        phantom = sulcus.phantom("surface", size=32)
        maps = command_line("surface", "--mask", phantom.path("mask"))
        result = sulcus.surface(phantom["mask"])
        self.assertSame(maps, result)
        for name in ("surface", "input_surface"):
            self.assertSurface(result.path(name), result[name])
        self.assertIn("displacement", result["surface"].data)
        again = sulcus.surface(mesh=result["surface"], iterations=1)
        vertices, faces, _ = result["surface"]
        self.assertEqual(list(again), list(sulcus.surface(mesh=(vertices, faces), iterations=1)))
        self.assertAlmostEqual(again.report["report"]["input_surface"]["area_mm2"] / result.report["report"]["surface"]["area_mm2"], 1, delta=0.02)

    def test_what_is_told_beside_a_surface_is_no_result(self):
        result = sulcus.surface(sulcus.phantom("surface", size=32)["mask"], iterations=1)
        self.assertEqual(sorted(result), ["energy", "input_surface", "mask", "phi", "report", "surface"])
        self.assertIn("SulcusKind", result.about("surface"))

    def test_tracts(self):
        phantom = sulcus.phantom("tracts")
        result = sulcus.tracts(phantom["fod"], labels=phantom["labels"], lines=30)
        self.assertEqual(sorted(result), ["connectome", "connectome_count", "connectome_length", "density", "ends", "length", "seeds", "tracts"])
        self.assertEqual(np.triu(result["connectome_count"]).sum(), result["connectome"]["lines"].sum())
        self.assertIn("SulcusKind", result.about("tracts"))
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([CLI, "convert", str(result.path("tracts")), folder + "/t.tck"], check=True, stdout=subprocess.DEVNULL)
            lines = nibabel.streamlines.load(folder + "/t.tck").streamlines
        self.assertEqual(len(result["tracts"]), 30)
        for ours, theirs in zip(result["tracts"], lines):
            np.testing.assert_allclose(ours, theirs, atol=1e-4)

    def assertSurface(self, path, surface):
        """VTP is read as the program reads it, and as nibabel reads GIFTI."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([CLI, "convert", str(path), folder + "/s.gii"], check=True, stdout=subprocess.DEVNULL)
            gifti = nibabel.load(folder + "/s.gii")
            vertices, faces = (gifti.agg_data(kind) for kind in ("pointset", "triangle"))
        np.testing.assert_allclose(surface.vertices, vertices, atol=1e-5)
        np.testing.assert_array_equal(surface.faces, faces)


class Frame:
    """What this package uses of a pandas.DataFrame."""

    def __init__(self, columns):
        self._columns, self.columns = columns, list(columns)

    def __iter__(self):
        return iter(self.columns)

    def __getitem__(self, name):
        return self._columns[name]
