"""A thread that leaves a hooked call other than by its return goes on to be recorded."""

import pytest

from faults import calls_of, fault, hostile, rounds_of
from idle_runs import run_idle_both


@fault("A thread leaves a call by longjmp, by an exception or by a switch of fibres", loses="the call, counted")
@pytest.mark.parametrize("way", ["longjmp", "signal", "exception", "fibre", "fibres", "return", "deep"])
def test_calls_after_a_leap_are_recorded_or_counted(recorder, way):
    _, run = run_idle_both(recorder, hostile("leaps", way))
    assert run.status == 7
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") == rounds_of(run)
    assert run.check().returncode == 0, run.check().stdout
    assert {row["reason"] for row in log.rows["drop"]} <= {"left without returning"}
