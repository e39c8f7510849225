"""Ranks that exchange more than gradients: Python objects, messages between pipeline stages, every collective."""

import pytest

from scenario_runs import WAYS, ScenarioRuns, python_with_torch
from scenario_table import Scenario

JOBS = ("objects", "pipeline")


@pytest.fixture(scope="module", params=JOBS)
def runs(request, tmp_path_factory):
    python_with_torch()
    scenario = Scenario(request.param, "messages.py", f"--job {request.param}", ranks=2)
    return ScenarioRuns(scenario, tmp_path_factory.mktemp(request.param))


def test_all_messages_arrive_and_are_in_the_log(runs):
    for way in WAYS:
        assert (runs[way].status, runs[way].output) == (0, "trained 12 steps\n"), f"{way}: {runs[way].errors}"
    for way in ("recorded", "stacks"):
        assert "tauprof: " not in runs[way].errors
        assert runs[way].faults() == "", way
    quality = runs["recorded"].report()["quality"]
    assert quality["dropped"] == quality["unmatched_spans"] == 0
