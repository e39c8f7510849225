"""A forked child has one thread, and locks that others held at the fork."""

from faults import fault, run_both
from recorded_run import program


@fault("The program forks while other threads make calls", loses="what the children do")
def test_no_child_waits_for_a_thread_that_it_does_not_have(recorder):
    _, run = run_both(recorder, [program("TAUPROF_RELIABILITY_PROGRAMS") + "/forks_while_busy", "100"])
    assert run.output == "0 children hung\n"
