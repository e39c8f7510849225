"""The simulated libraries export every name that the real ones do, with the same symbol version.

Looks for the real libraries in the folders of SIMGPU_REAL_LIBRARIES (separated by colons) and in /usr/local/cuda, with
all their subfolders. Skips a library that is not found.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

LIBRARIES = ("libcuda.so.1", "libcudart.so.12", "libcudart.so.13", "libcublas.so.12", "libcublas.so.13",
             "libcublasLt.so.12", "libcublasLt.so.13", "libcudnn.so.9", "libcupti.so.12", "libcupti.so.13",
             "libnccl.so.2")
# Only names that programs can call, not the linker's own symbols or names that a build left visible by mistake.
PUBLIC = re.compile(r"(__cuda|cu|p?nccl|InitializeInjectionNvtx)[A-Za-z]")


def exported(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], capture_output=True,
                             text=True, check=True).stdout
    names = (line.split()[-1].replace("@@", "@") for line in listing.splitlines() if " A " not in line)
    return {name for name in names if PUBLIC.match(name)}


def real_libraries(name):
    named = os.environ.get("SIMGPU_REAL_LIBRARIES", "").split(":")
    for folder in (*filter(None, named), "/usr/local/cuda"):
        yield from (path for path in pathlib.Path(folder).rglob(name) if not path.is_symlink())


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_name_is_exported(name):
    folder = os.environ.get("SIMGPU_LIBRARY_DIR")
    if not folder or not shutil.which("nm"):
        pytest.skip("needs nm, and SIMGPU_LIBRARY_DIR to name the simulated libraries")
    simulated = pathlib.Path(folder) / name
    real = list(real_libraries(name))
    if not real:
        pytest.skip(f"no real {name} here")
    for library in real:
        assert exported(library) - exported(simulated) == set(), library
