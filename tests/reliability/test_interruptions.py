"""The recorder's work beside the program is interrupted, or comes at a bad moment."""

import pytest

from faults import fault, hostile
from idle_runs import assert_losses_are_said, assert_nothing_is_lost, run_idle, run_idle_both
from recorded_run import program
from tiers import two_tiers


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
@pytest.mark.parametrize("microseconds", two_tiers([300, 1000, 3000, 30_000], (30_000).__ne__))
def test_a_first_call_that_is_left_is_not_noticed(recorder, chance, microseconds):
    after = chance.randint(microseconds // 2, microseconds)
    bare, run = run_idle_both(recorder, hostile("interrupted", "leave", after))
    assert bare.output.startswith("later calls were quick")
    assert_losses_are_said(run)


@fault("Other threads make calls while the first call of all takes more than a second",
       loses="their calls until it has returned; the log says from when to when")
def test_calls_during_a_long_start_are_recorded_or_said(recorder, tmp_path):
    (tmp_path / "hanging").mkdir()
    disk = hostile("libslow_disk.so")[0]
    run = run_idle(recorder, hostile("interrupted", "slow"), preload=False, variables={
        "LD_PRELOAD": f"{disk}:{program('TAUPROF_PRELOAD')}", "SLOW_DISK_S": "1.3", "SLOW_DISK_AFTER": "1000",
        "TAUPROF_DIR": str(tmp_path / "hanging")})
    assert run.status == 7
    run.logs = tmp_path / "hanging"
    assert_losses_are_said(run)
    assert {row["reason"] for row in run.only_log().rows["gap"]} <= {"the recorder took long to start"}


@fault("The program's thread runs before all others (SCHED_FIFO)", loses="nothing")
def test_a_thread_that_runs_before_all_others_waits_for_none_of_ours(recorder):
    bare, run = run_idle_both(recorder, hostile("interrupted", "first"))
    if bare.output.startswith("not possible"):
        pytest.skip("may not choose the order of threads")
    assert bare.output.startswith("the calls were quick")
    assert_nothing_is_lost(run)
