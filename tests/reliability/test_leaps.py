"""A thread that leaves a hooked call other than by its return goes on to be recorded."""

import pytest

from faults import fault, hostile
from idle_runs import assert_nothing_is_lost, run_idle_both


@fault("A thread leaves a call by longjmp, by an exception or by a switch of fibres", loses="nothing")
@pytest.mark.parametrize("way", ["longjmp", "signal", "exception", "fibre", "fibres", "return", "deep"])
def test_calls_after_a_leap_are_recorded_or_counted(recorder, way):
    _, run = run_idle_both(recorder, hostile("leaps", way))
    assert run.status == 7
    assert_nothing_is_lost(run)
