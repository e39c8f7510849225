"""Runs commands for the tests of the parameter audit, and finds the Python that has PyTorch."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOOK = ROOT / "preload" / "python"
PROGRAMS = ROOT / "tests" / "audit" / "programs"
sys.path.insert(0, str(HOOK))


def named_program(variable):
    path = os.environ.get(variable)
    if not path or not os.path.exists(path):
        pytest.skip(f"{variable} does not name the program to test")
    return path


def clean_environment(variables):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("TAUPROF_") and name != "PYTHONPATH"}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", **variables}


class TauprofRun:
    """Runs `tauprof run` in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, **variables):
        command = [named_program("TAUPROF_BIN"), "run", "-o", self.folder / "logs", *arguments]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                              cwd=self.folder, env=clean_environment(variables), timeout=300)


def python_with_torch():
    """Checked without an import, which takes seconds."""
    python = os.environ.get("TAUPROF_PYTORCH_PYTHON", sys.executable)
    asked = subprocess.run([python, "-c", "import importlib.util as i; exit(i.find_spec('torch') is None)"],
                           capture_output=True, check=False)
    return python if asked.returncode == 0 else None


PYTORCH = python_with_torch()
