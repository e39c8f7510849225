"""PyTorch's own profiler inside a recorded job: its trace is complete, ours says what it could not see."""

import pytest

from scenario_runs import without_times

pytestmark = pytest.mark.every_wheel


@pytest.fixture
def runs(runs_of):
    return runs_of("torch_profiler")


def test_the_profilers_trace_is_complete(runs):
    """The script prints how many kernels, copies and sets the trace has."""
    assert "saw 0 kernel" not in runs["bare"].output
    for way in ("recorded", "stacks"):
        assert without_times(runs[way].output) == without_times(runs["bare"].output)


@pytest.mark.parametrize("way", ["recorded", "stacks"])
def test_our_log_has_a_stated_gap_at_most(runs, way):
    """Work that it lacks was submitted while a gap was open, or was running as it began: both are said."""
    [log] = runs[way].read_logs()
    gaps = [(row["start"], row["start"] + row["duration"]) for row in log.rows["gap"]]
    assert all(row["reason"] == "somebody else uses CUPTI" for row in log.rows["gap"])
    assert all(row["reason"] == "not finished when CUPTI was given up" for row in log.rows["drop"])
    recorded = sum(row["activity"] in ("kernel", "memcpy", "memset") for row in log.rows["device_activity"])
    [spans] = runs.device_work(way).values()
    outside = sum(not any(start <= span.submitted < end for start, end in gaps) for span in spans)
    assert 0 < outside <= recorded + sum(row["count"] for row in log.rows["drop"]) <= len(spans)
    assert len(runs[way].report()["quality"]["gaps"]) == len(gaps)
