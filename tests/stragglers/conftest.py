"""The fixtures of the tests that record: see recorded_job.py."""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture")]

from recorded_run import Recorder  # noqa: E402


@pytest.fixture
def recorder(tmp_path):
    return Recorder(tmp_path)
