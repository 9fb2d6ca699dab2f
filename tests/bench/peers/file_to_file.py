#!/usr/bin/env python3
"""Another program for a command that `sulcus-bench files` measures: from its input files to its output files.

    file_to_file.py PEER INPUT...

PEER INPUT...   greedy|ants|fireants TEMPLATE REFERENCE: affine, then deformable, the warp saved
                dipy DWI, mrtrix DWI (.bval and .bvec beside it): constrained spherical deconvolution of order 8 and peaks

Prints the seconds of the second of two runs in one process, after libraries and kernels have been loaded. Exit code 77
if the peer is not installed: greedy is the package picsl_greedy, ants antspyx; MRtrix is searched on the PATH.
"""
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MISSING = 77


def greedy(out, template, reference):
    from picsl_greedy import Greedy3D

    program = Greedy3D()
    program.execute(f"-d 3 -V 0 -a -i {reference} {template} -ia-image-centers -n 100x50x10 -m NCC 2x2x2 -o {out}/affine.mat")
    program.execute(f"-d 3 -V 0 -i {reference} {template} -it {out}/affine.mat -n 100x50x10 -m NCC 2x2x2 -o {out}/warp.nii.gz")
    program.execute(f"-d 3 -V 0 -rf {reference} -rm {template} {out}/warped.nii.gz -r {out}/warp.nii.gz {out}/affine.mat")


def ants(out, template, reference):
    import ants as library

    fixed, moving = library.image_read(reference), library.image_read(template)
    result = library.registration(fixed, moving, "SyN", outprefix=f"{out}/")
    library.image_write(result["warpedmovout"], f"{out}/warped.nii.gz")


def fireants(out, template, reference):
    from fireants.io import BatchedImages, Image
    from fireants.registration.affine import AffineRegistration
    from fireants.registration.greedy import GreedyRegistration

    fixed, moving = BatchedImages([Image.load_file(reference)]), BatchedImages([Image.load_file(template)])
    affine = AffineRegistration([8, 4, 2, 1], [200, 100, 50, 20], fixed, moving)
    affine.optimize()
    deformed = GreedyRegistration([4, 2, 1], [200, 100, 50], fixed, moving, init_affine=affine.get_affine_matrix().detach())
    deformed.optimize()
    deformed.save_as_ants_transforms([f"{out}/warp.nii.gz"])


def dipy(out, dwi):
    from dipy.core.gradients import gradient_table
    from dipy.data import default_sphere
    from dipy.direction import peaks_from_model
    from dipy.io.gradients import read_bvals_bvecs
    from dipy.io.image import load_nifti, save_nifti
    from dipy.reconst.csdeconv import ConstrainedSphericalDeconvModel, auto_response_ssst

    data, affine = load_nifti(dwi)
    base = dwi.removesuffix(".gz").removesuffix(".nii")
    bvals, bvecs = read_bvals_bvecs(f"{base}.bval", f"{base}.bvec")
    gradients = gradient_table(bvals, bvecs=bvecs)
    response, _ = auto_response_ssst(gradients, data, roi_radii=10, fa_thr=0.7)
    model = ConstrainedSphericalDeconvModel(gradients, response, sh_order_max=8)
    found = peaks_from_model(model, data, default_sphere, 0.5, 25, npeaks=3, parallel=True)
    save_nifti(f"{out}/peaks.nii.gz", found.peak_dirs.reshape(*data.shape[:3], -1).astype("float32"), affine)


def mrtrix(out, dwi):
    base = dwi.removesuffix(".gz").removesuffix(".nii")
    gradients = ["-fslgrad", f"{base}.bvec", f"{base}.bval", "-quiet"]
    for words in (
        ["dwi2response", "tournier", dwi, f"{out}/response.txt", *gradients],
        ["dwi2fod", "csd", dwi, f"{out}/response.txt", f"{out}/fod.nii.gz", "-lmax", "8", *gradients],
        ["sh2peaks", f"{out}/fod.nii.gz", f"{out}/peaks.nii.gz", "-num", "3", "-quiet"],
    ):
        if not shutil.which(words[0]):
            raise ImportError(words[0])
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


PEERS = {f.__name__: f for f in (greedy, ants, fireants, dipy, mrtrix)}


def main(peer, *inputs):
    for _ in range(2):
        with tempfile.TemporaryDirectory() as out:
            begin = time.perf_counter()
            with contextlib.redirect_stdout(sys.stderr):  # for output of the peer
                PEERS[peer](out, *inputs)
            seconds = time.perf_counter() - begin
            assert any(Path(out).iterdir()), "it wrote nothing"
    print(seconds)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except ImportError:
        sys.exit(MISSING)
