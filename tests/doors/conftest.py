"""The fixtures of the tests of the recorder's doors."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "capture"))

from recorded_run import Recorder  # noqa: E402


@pytest.fixture
def recorder(tmp_path):
    return Recorder(tmp_path)
