"""Where the end-to-end tests find the programs and the recorded traces."""

import os
import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))  # for the oracle


def program(variable):
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} does not name the program to test")
    return path


@pytest.fixture(scope="session")
def tauprof():
    return program("TAUPROF_BIN")


@pytest.fixture(scope="session")
def tauprof_generate():
    return program("TAUPROF_GENERATE")


@pytest.fixture(scope="session")
def data_folder():
    folder = pathlib.Path(os.environ.get("TAUPROF_TEST_DATA", TESTS.parent.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: set TAUPROF_TEST_DATA to the folder of recorded traces")
    return folder
