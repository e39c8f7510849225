"""The fixtures of the tests that record: see recorded_job.py."""

import pathlib
import sys

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "capture")]

from recorded_run import Recorder  # noqa: E402


@pytest.fixture
def recorder(tmp_path):
    return Recorder(tmp_path)
