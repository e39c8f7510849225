"""Collectives that are captured into a graph count when the graph that their stream captured is launched."""

import pytest

from recorded_run import fault_program


@pytest.mark.parametrize("way", ["overlapping", "forked", "threads", "grouped", "reused"])
def test_each_graph_launch_runs_the_collectives_of_its_capture(recorder, way):
    run = recorder.run([fault_program("captures"), way])
    assert run.what_the_user_sees() == (0, "", "")
    assert run.faults() == ""


def test_a_graph_captured_before_the_window_counts_when_launched_in_it(recorder):
    """The first launches are not recorded, but sequence numbers count them."""
    whole = recorder.run([fault_program("captures"), "grouped"]).only_log()
    late = recorder.run([fault_program("captures"), "grouped"],
                        variables={"TAUPROF_CAPTURE_RANGE": "cudaProfilerApi"}).only_log()
    numbers = [[row["sequence"] for row in log.rows["collective"] if row["communicator"] == 1 and row["sequence"]]
               for log in (whole, late)]
    assert numbers[1]
    assert numbers[1] == numbers[0][-len(numbers[1]):]
