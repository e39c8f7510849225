"""What the recorder does beside the program is interrupted, or comes at a bad moment."""

import pytest

from faults import fault, hostile
from idle_runs import assert_nothing_is_lost, run_idle_both


@fault("The first call is cancelled, a child is forked while the loader's list is read, or execve fails in many threads",
       loses="nothing")
@pytest.mark.parametrize("way", ["cancel", "fork", "execs"])
def test_an_interruption_is_not_noticed(recorder, way):
    bare, run = run_idle_both(recorder, hostile("interrupted", way), longer_s=1.5)
    assert bare.status == 7
    assert_nothing_is_lost(run)
