"""Calls that do not return: the log of a process that hangs says which call each thread is in."""

import signal
import time

from recorded_run import fault_program

SECOND_NS = 1_000_000_000
BLOCKING = "cudaStreamSynchronize"


def open_at_the_end(log):
    """The last row of each thread that is in a call."""
    last = {row["thread"]: row for row in log.rows["open_call"]}
    return [row for row in last.values() if row["function"]]


def os_thread(log, row):
    return next(thread for thread in log.rows["thread"] if thread["thread"] == row["thread"])


def test_the_log_of_a_process_killed_while_it_hangs_says_where_it_was(recorder):
    started = recorder.start([fault_program("blocks"), "30", "0"])
    assert started[0].stdout.readline() == "blocks\n"
    time.sleep(1.8)
    killed_at = time.monotonic_ns()
    started[0].send_signal(signal.SIGKILL)
    log = recorder.finish(started).only_log()
    [row] = open_at_the_end(log)
    assert row["function"] == BLOCKING
    assert not os_thread(log, row)["is_main"]
    assert row["time"] - row["start"] >= SECOND_NS
    assert killed_at - 2 * SECOND_NS < row["time"] < killed_at


def test_a_call_that_returns_late_is_recorded_like_any_other(recorder):
    log = recorder.run([fault_program("blocks"), "1.5", "0"]).only_log()
    assert [row["function"] for row in log.rows["open_call"]][:1] == [BLOCKING]
    assert open_at_the_end(log) == []
    [call] = [row for row in log.rows["call"] if row["function"] == BLOCKING]
    assert call["duration"] > SECOND_NS


def test_calls_open_at_the_end_of_the_program_are_recorded_whatever_their_age(recorder):
    run = recorder.run([fault_program("blocks"), "30", "300"])
    assert run.status == 0
    [row] = open_at_the_end(run.only_log())
    assert row["function"] == BLOCKING
    assert row["time"] - row["start"] < SECOND_NS
    assert run.check().returncode == 0


def test_a_busy_program_has_no_open_calls(recorder):
    log = recorder.run([fault_program("short_threads"), "4", "4", "50"]).only_log()
    assert log.rows["open_call"] == []
