"""The state that the C library keeps for the program, and the program's own replacement by another."""

import pytest

from faults import calls_of, dropped_calls, fault, hostile, lines_of_recorder
from idle_runs import assert_losses_are_said, run_idle_both


@fault("The program asks for an error of the loader's, or for errno, after calls", loses="nothing")
@pytest.mark.parametrize("simulation", [False, True])
def test_pending_errors_are_the_programs(recorder, simulation):
    bare, run = run_idle_both(recorder, hostile("keeps_errors") + hostile("build1.so"), simulation=simulation)
    assert bare.status == 7
    assert_losses_are_said(run, 200_002)
    if not simulation:
        assert bare.output.count("errno 77, ") == bare.output.count("undefined symbol: no_such_function") == 7


@fault("The process replaces itself by another program (`execve`)",
       loses="the last 100 ms, or nothing; the log says that the process was replaced")
@pytest.mark.parametrize("thread", ["main", "thread"])
def test_a_process_that_replaces_itself_says_so(recorder, thread):
    _, run = run_idle_both(recorder, hostile("replaces_itself", thread, "echo", "the next program"))
    assert run.output == "900 calls\nthe next program\n"
    assert lines_of_recorder(run) == []
    log = run.only_log()
    calls = calls_of(log, "cudaMemsetAsync") + dropped_calls(log)
    # 400 calls in 400 ms, and then 500 at once.
    assert calls == 900 or (calls >= 300 and "replaced" in run.check().stdout), f"{calls}: {run.check().stdout}"
