"""Where tests find traces that others recorded."""

import os
import pathlib

import pytest

BESIDE = pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def folder_of_traces():
    folder = pathlib.Path(os.environ.get("TAUPROF_TEST_DATA", BESIDE))
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: set TAUPROF_TEST_DATA to the folder of recorded traces")
    return folder
