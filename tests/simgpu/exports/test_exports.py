"""The simulated libraries export every name that the real ones do, with the same symbol version.

The real ones are looked for where SIMGPU_REAL_LIBRARIES says (folders separated by colons, searched with all that is
below), and in /usr/local/cuda; of a library that is found nowhere nothing is tested.
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
# Only what programs can call: the linker's own marks and what a build has left visible by mistake are not.
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
