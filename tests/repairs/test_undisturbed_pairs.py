"""The report of a job without the recorder says what the job's own clock says: pairs of scripts/bench undisturbed.

Hosts run in real time, and equal runs differ on a busy machine. So a quick turn holds the report to the clock of the very run
whose host times it has, and to the error that it states itself; the whole table holds it to bare runs.
"""

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "capture")]

from recorded_run import program  # noqa: E402
from undisturbed_pairs import PAIRS, Simulated, run_pair  # noqa: E402

TURNS = 5


@pytest.fixture
def simulated(tmp_path):
    return Simulated(program("TAUPROF_BIN"), program("TAUPROF_TRAINING"), program("SIMGPU_LIBRARY_DIR"), tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.in_every_run], ids=lambda pair: pair.name)
def test_the_report_is_of_the_light_run(simulated, pair):
    [turn] = run_pair(simulated, pair, 1).turns
    assert turn.disturbance["source"] == "second-run", turn.disturbance
    assert turn.step == pytest.approx(turn.light, rel=max(0.03, 2 * turn.disturbance["error"]))


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_report_is_of_the_bare_run(simulated, pair):
    outcome = run_pair(simulated, pair, TURNS)
    assert outcome.noise < 2 * pair.step_tolerance, "inconclusive: equal bare runs differ by more than is to be shown"
    assert outcome.faults() == [], outcome
