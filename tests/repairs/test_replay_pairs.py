"""The replay predicts the run without the defect: pairs of scripts/bench replay, one of them in every run."""

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "capture")]

from recorded_run import program  # noqa: E402
from replay_pairs import PAIRS, SCATTER, Simulated, run_pair  # noqa: E402

IN_EVERY_RUN = {"a rank with 25 % more work"}


def pairs():
    for pair in PAIRS:
        yield pytest.param(pair, id=pair.name, marks=[] if pair.name in IN_EVERY_RUN else [pytest.mark.full])


@pytest.mark.parametrize("pair", pairs())
def test_the_prediction_is_what_the_run_without_the_defect_takes(tmp_path, pair):
    simulated = Simulated(program("TAUPROF_BIN"), program("TAUPROF_TRAINING"), program("SIMGPU_LIBRARY_DIR"), tmp_path)
    outcome = run_pair(simulated, pair)
    assert outcome.off is not None, outcome.reason
    assert outcome.equal_off < SCATTER, "inconclusive: equal runs differ by more than half of what is to be shown"
    assert outcome.off < 0.05, outcome
