"""dlopen() passes through libtauprof.so unchanged: the caller's RUNPATH counts, as without it."""

import os
import pathlib
import subprocess
import sys

import pytest

LIBRARY = os.environ["TAUPROF_PRELOAD"]
NEIGHBOURS = pathlib.Path(os.environ["TAUPROF_PRELOAD_PROGRAMS"]) / "neighbours"
FINDS = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).find_neighbour())"
OPENS = """
import ctypes
ctypes.CDLL(None).getpid()
try:
    ctypes.CDLL("/nonexistent/libcupti.so.12")
except OSError as error:
    print(error)
"""


@pytest.mark.parametrize("program", [[FINDS, str(NEIGHBOURS / "libfinds_neighbour.so")], [OPENS]])
def test_a_program_opens_what_it_opens_without_us(program, tmp_path):
    command = [sys.executable, "-c", *program]
    bare = subprocess.run(command, capture_output=True, text=True, check=True)
    environment = {**os.environ, "LD_PRELOAD": LIBRARY, "TAUPROF_DIR": str(tmp_path)}
    recorded = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert (recorded.stdout, recorded.stderr) == (bare.stdout, bare.stderr)
    assert bare.stdout in ("42\n", "/nonexistent/libcupti.so.12: cannot open shared object file: No such file or directory\n")
