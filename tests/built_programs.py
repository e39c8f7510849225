"""Where the programs of a build are, in the variables that ctest sets for tests: for commands that run tests by themselves."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def set_programs(build):
    os.environ.update({
        "TAUPROF_BIN": str(build / "analyzer/cli/tauprof"),
        "TAUPROF_PRELOAD": str(build / "lib/libtauprof.so"),
        "TAUPROF_TRAINING": str(build / "tests/workloads/training"),
        "TAUPROF_CAPTURE_PROGRAMS": str(build / "tests/capture/programs"),
        "TAUPROF_DOOR_PROGRAMS": str(build / "tests/doors"),
        "TAUPROF_PYTHON_PACKAGE": str(build / "python"),
        "TAUPROF_GENERATE": str(build / "tests/support/tauprof-generate"),
        "TAUPROF_WITH_SIMGPU": str(ROOT / "scripts/with-simgpu"),
        "SIMGPU_LIBRARY_DIR": str(build / "lib/simgpu"),
    })
    python = ROOT / "build/pytorch/cuda13/bin/python"
    if python.exists():
        os.environ.setdefault("TAUPROF_PYTORCH_PYTHON", str(python))
