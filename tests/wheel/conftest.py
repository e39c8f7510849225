"""The files that scripts/wheel built, and an environment with the wheel; tests are skipped where nothing is built."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = pathlib.Path(os.environ.get("TAUPROF_WHEEL_FOLDER", ROOT / "build" / "wheel" / "dist"))


def built(pattern):
    found = sorted(BUILT.glob(pattern))
    if not found:
        pytest.skip(f"no {pattern} in build/wheel/dist: scripts/wheel builds it")
    return found[-1]


@pytest.fixture(scope="session")
def wheel():
    return built(f"*_{os.uname().machine}.whl")


@pytest.fixture(scope="session")
def user_environment():
    """The environment without what ctest tells other tests about the build."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("TAUPROF_", "SIMGPU_"))}


@pytest.fixture(scope="session")
def installed(wheel, user_environment, tmp_path_factory):
    """The folder of a virtual environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder], env=user_environment, check=True)
    subprocess.run([folder / "bin" / "pip", "install", "-q", "--no-index", wheel], env=user_environment, check=True)
    return folder
