"""Shared by all tests: the path to the modules beside this file, the analyzer's programs, the recorded traces."""

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))

from programs import program  # noqa: E402
from recorded_traces import RECORDED  # noqa: E402


@pytest.fixture(scope="session")
def tauprof():
    return program("TAUPROF_BIN")


@pytest.fixture(scope="session")
def tauprof_generate():
    return program("TAUPROF_GENERATE")


@pytest.fixture(scope="session")
def data_folder():
    return RECORDED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """With pytest-xdist's --dist loadgroup, tests that share runs of programs are done by one worker."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group("scenarios" if "runs_of" in item.fixturenames else item.path.name))
