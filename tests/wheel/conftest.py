"""The wheel that scripts/wheel built; the tests of it are skipped where there is none."""

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def wheel():
    found = sorted(pathlib.Path(os.environ.get("TAUPROF_WHEEL_FOLDER", ROOT / "build" / "wheel" / "dist")).glob("*.whl"))
    if not found:
        pytest.skip("no wheel in build/wheel/dist: scripts/wheel builds it")
    return found[-1]
