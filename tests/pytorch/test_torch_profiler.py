"""PyTorch's own profiler in a recorded job: its trace is complete, and our log says what it lacks."""

import pytest

from scenario_runs import without_times
from test_scenarios import STEPS

pytestmark = pytest.mark.every_wheel


@pytest.fixture
def runs(runs_of):
    return runs_of("torch_profiler")


def test_the_profilers_trace_is_complete(runs):
    """The script prints the numbers of kernels, copies and memsets in the trace."""
    assert "saw 0 kernel" not in runs["bare"].output
    for way in ("recorded", "stacks"):
        assert without_times(runs[way].output) == without_times(runs["bare"].output)


@pytest.mark.parametrize("way", ["recorded", "stacks"])
def test_our_log_lacks_only_work_that_it_reports_as_missing(runs, way):
    """Missing work was submitted during a recorded gap, or was running when the gap started and counts as dropped."""
    [log] = runs[way].read_logs()
    gaps = [(row["start"], row["start"] + row["duration"]) for row in log.rows["gap"]]
    assert all(row["reason"] == "somebody else uses CUPTI" for row in log.rows["gap"])
    assert all(row["reason"] == "not finished when CUPTI was given up" for row in log.rows["drop"])
    recorded = sum(row["activity"] in ("kernel", "memcpy", "memset") for row in log.rows["device_activity"])
    [spans] = runs.device_work(way).values()
    outside = sum(not any(start <= span.submitted < end for start, end in gaps) for span in spans)
    assert 0 < outside <= recorded + sum(row["count"] for row in log.rows["drop"]) <= len(spans)
    assert len(runs[way].report()["quality"]["gaps"]) == len(gaps)


def test_steps_under_the_profiler_have_device_times_only_from_events(runs):
    """Whoever asks for events gets all steps, and our events in the profiler's trace with them."""
    def steps_of(run):
        steps = run.report()["steps"]
        return steps["count"] + steps["warmup"]

    assert 0 < steps_of(runs["recorded"]) < STEPS
    assert steps_of(runs.with_events()) == STEPS
