"""What the recorder does beside the program is interrupted, or comes at a bad moment."""

import pytest

from faults import fault, hostile
from idle_runs import assert_losses_are_said, assert_nothing_is_lost, run_idle_both


@fault("The first call is cancelled, a child is forked while the loader's list is read, or execve fails in many threads",
       loses="nothing")
@pytest.mark.parametrize("way", ["cancel", "fork", "execs"])
def test_an_interruption_is_not_noticed(recorder, way):
    bare, run = run_idle_both(recorder, hostile("interrupted", way), longer_s=1.5)
    assert bare.status == 7
    assert_nothing_is_lost(run)


@fault("A signal handler leaves the process's first call by `siglongjmp`",
       loses="everything, if the recorder had not started yet",
       says="the program has left the first call; nothing is recorded, or nothing")
@pytest.mark.parametrize("microseconds", [300, 1000, 3000, 30_000])
def test_a_first_call_that_is_left_is_not_noticed(recorder, chance, microseconds):
    after = chance.randint(microseconds // 2, microseconds)
    bare, run = run_idle_both(recorder, hostile("interrupted", "leave", after))
    assert bare.output.startswith("later calls were quick")
    assert_losses_are_said(run)


@fault("The program's thread runs before all others (SCHED_FIFO)", loses="nothing")
def test_a_thread_that_runs_before_all_others_waits_for_none_of_ours(recorder):
    bare, run = run_idle_both(recorder, hostile("interrupted", "first"))
    if bare.output.startswith("not possible"):
        pytest.skip("may not choose the order of threads")
    assert bare.output.startswith("the calls were quick")
    assert_nothing_is_lost(run)
