"""The examples of the help page run as printed."""
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest
import warnings

PAGE = pathlib.Path(__file__).parents[2] / "resources" / "help" / "python.md"


class Examples(unittest.TestCase):
    def test_page(self):
        text = PAGE.read_text(encoding="utf-8")
        blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
        self.assertGreaterEqual(len(blocks), 6)
        names, here = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as printed:
            warnings.filterwarnings("ignore", "the chains have not converged")
            os.chdir(folder)
            try:
                for block in blocks:
                    line = text.count("\n", 0, block.start(1))
                    exec(compile("\n" * line + block.group(1), str(PAGE), "exec"), names)
            finally:
                os.chdir(here)
            self.assertTrue(pathlib.Path(folder, "registered", "displacement.nii.gz").exists())
        self.assertIn("There is no file 'no-such-scan.nii.gz' |", printed.getvalue())
        self.assertEqual(names["peaks"].shape, (32, 32, 1, 9))
        self.assertEqual(names["probability"].shape, (32, 32, 12))
