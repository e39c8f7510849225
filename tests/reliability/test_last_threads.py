"""A process whose main has left by pthread_exit ends when its last thread does: not earlier, and not never."""

import subprocess

import pytest

from faults import fault, hostile, lines_of_recorder
from idle_runs import assert_looks_like, assert_nothing_is_lost, run_idle, run_idle_both, run_many

# The recorder's threads leave when no hook has been called for some seconds.
AFTER_THE_LAST_S = 15


def calls_at_exit(run):
    """The exit handler has run, and standard output was flushed."""
    [line] = [line for line in run.output.splitlines() if line.endswith("calls at exit")]
    return int(line.split()[0])


@fault("`main` leaves by `pthread_exit`, and the process ends with its last thread", loses="nothing")
@pytest.mark.parametrize("way", ["worker", "silent", "late", "pauses"])
def test_the_end_is_that_of_the_last_thread(recorder, way):
    _, run = run_idle_both(recorder, hostile("leaves_main", way), longer_s=AFTER_THE_LAST_S)
    assert run.status == 0
    assert lines_of_recorder(run) == []
    assert_nothing_is_lost(run, calls_at_exit(run))


@fault("`main` leaves by `pthread_exit` in a PID namespace that sees the outer /proc", loses="nothing")
def test_threads_in_a_pid_namespace_end(recorder):
    command = ["unshare", "-pf", "--kill-child", *hostile("leaves_main", "worker")]
    if subprocess.run(["unshare", "-pf", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("may not make a PID namespace")
    bare = run_idle(recorder, command, preload=False)
    run = run_idle(recorder, ["timeout", "-s", "KILL", "30", *command])
    assert_looks_like(bare, run, AFTER_THE_LAST_S)
    assert_nothing_is_lost(run, calls_at_exit(run))


@fault("A thread starts while another one is in the process's first call, and outlives main", loses="nothing")
def test_a_thread_that_starts_during_the_first_call_lives_on(recorder, chance):
    assert_threads_live_on(recorder, [500, *(chance.randint(200, 5000) for _ in range(8))])


@pytest.mark.full
def test_many_threads_that_start_during_the_first_call_live_on(recorder):
    assert_threads_live_on(recorder, range(200, 8200, 50))


def assert_threads_live_on(recorder, moments):
    """`moments`: when a thread starts, in µs after the first call began."""
    runs = list(run_many(recorder, [hostile("leaves_main", "during", moment) for moment in moments], simulation=True))
    assert {(run.status, *run.output.splitlines()[1:]) for run in runs} == {(7, "worker ends", "0 calls at exit")}
    assert any(run.output.startswith("during the first call") for run in runs), "no thread started in time"
