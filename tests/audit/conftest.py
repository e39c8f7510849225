"""The fixtures of the tests of the parameter audit: see audited_run.py."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from audited_run import PYTORCH, TauprofRun  # noqa: E402


@pytest.fixture
def tauprof_run(tmp_path):
    return TauprofRun(tmp_path)


@pytest.fixture
def pytorch():
    if PYTORCH is None:
        pytest.skip("no PyTorch: name a Python that has it in TAUPROF_PYTORCH_PYTHON")
    return PYTORCH


def pytest_terminal_summary(terminalreporter):
    if PYTORCH is None:
        terminalreporter.write_line("SKIPPED: the parameter audit of PyTorch programs: no PyTorch here; name a Python "
                                    "that has it in TAUPROF_PYTORCH_PYTHON (scripts/test-pytorch does)")
