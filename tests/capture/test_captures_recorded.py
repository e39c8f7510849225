"""Collectives that are captured into graphs count when the graph runs, in the graph that their stream captured."""

import pytest

from recorded_run import fault_program


@pytest.mark.parametrize("way", ["overlapping", "forked", "threads", "grouped", "reused"])
def test_every_launch_carries_out_what_its_capture_held(recorder, way):
    run = recorder.run([fault_program("captures"), way])
    assert run.what_the_user_sees() == (0, "", "")
    assert run.faults() == ""


def test_a_capture_outside_the_window_is_launched_within_it(recorder):
    """Nothing is recorded of the first launches; the numbers go on from there."""
    whole = recorder.run([fault_program("captures"), "grouped"]).only_log()
    late = recorder.run([fault_program("captures"), "grouped"],
                        variables={"TAUPROF_CAPTURE_RANGE": "cudaProfilerApi"}).only_log()
    numbers = [[row["sequence"] for row in log.rows["collective"] if row["communicator"] == 1 and row["sequence"]]
               for log in (whole, late)]
    assert numbers[1]
    assert numbers[1] == numbers[0][-len(numbers[1]):]
