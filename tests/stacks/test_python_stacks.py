"""Python frames of calls: the recorder, which reads them without the interpreter's lock, agrees with the
interpreter."""

import json
import os
import platform
import signal
import sys
import time

import pytest

from recorded_run import tauprof
from recorded_stacks import interpreters, line_with, python_stack, script, stack_of, with_each_interpreter

MOST_FRAMES = 64
STEPS = 12  # of scripts/collate.py
SLOW = {"TAUPROF_STACKS": "slow"}


def copies_of(log):
    return sorted((row for row in log.rows["call"] if row["function"] == "cudaMemcpy"), key=lambda row: row["start"])


@with_each_interpreter
@pytest.mark.parametrize("stacks", ["slow", "all"])
def test_every_blocking_call_has_the_stack_that_the_interpreter_gives(recorder, python, stacks):
    run = recorder.run(script(python, "blocking.py"), variables={"TAUPROF_STACKS": stacks})
    assert (run.status, run.errors) == (0, "")
    expected = [json.loads(line) for line in run.output.splitlines()]
    log = run.only_log()
    copies = copies_of(log)
    assert len(copies) == len(expected) > 50
    for copy, frames in zip(copies, expected):
        assert copy["duration"] > 100_000, "the copies of this script are slow"
        assert python_stack(log, copy["stack"]) == frames[:MOST_FRAMES]


@with_each_interpreter
def test_the_slow_line_between_calls_is_named(recorder, python):
    run = recorder.run(script(python, "collate.py"), variables=SLOW)
    assert (run.status, run.errors) == (0, "")
    report = run.report()
    collate = f"scripts/collate.py:{line_with('collate.py', 'the slow line')} read_sample"
    item = f"scripts/collate.py:{line_with('collate.py', 'the blocking line')} item"
    pauses = [row for row in report["slow_calls"] if row["call"] is None]
    assert pauses[0]["where"].endswith(collate)
    copies = [row for row in report["slow_calls"] if row["call"] == "cudaMemcpy"]
    assert len(copies) == 1 and copies[0]["where"].endswith(item) and copies[0]["count"] == STEPS
    # The largest row of the ledger is due to the loader, and the finding about it names the line.
    [finding] = [finding for finding in report["findings"] if finding["id"] in ("host-stall", "data-wait")]
    assert finding["where"].endswith(collate)
    text = tauprof("analyze", str(run.logs), "--show", "all").stdout
    assert "SLOW CALLS BY PLACE" in text and f"at {finding['where']}" in text


@with_each_interpreter
def test_reading_threads_that_never_rest_is_safe(recorder, python):
    run = recorder.run(script(python, "restless.py"), variables=SLOW)
    assert (run.status, run.output, run.errors) == (0, "whole\n", "")
    log = run.only_log()
    functions = {frame[2] for row in log.rows["stack_sample"] for frame in python_stack(log, row["stack"])}
    assert "churn" in functions
    # An inconsistent reading would give frames that cannot call each other.
    for row in log.rows["stack_sample"]:
        names = [function for _, _, function in python_stack(log, row["stack"])]
        assert names[-1] in ("<module>", "Thread._bootstrap", "_bootstrap"), names


@with_each_interpreter
def test_forked_children_are_not_affected(recorder, python):
    run = recorder.run(script(python, "forking.py"), variables=SLOW)
    assert (run.status, run.output, run.errors) == (0, "whole\n", "")
    log = run.only_log()
    assert [python_stack(log, copy["stack"])[0][2] for copy in copies_of(log)] == ["copy"] * 6


def test_the_line_of_a_hanging_call_is_recorded(recorder):
    started = recorder.start(script(sys.executable, "hangs.py"), variables=SLOW, start_new_session=True)
    process = started[0]
    assert process.stdout.readline() == "waiting\n"
    time.sleep(2)
    os.killpg(process.pid, signal.SIGKILL)
    log = recorder.finish(started).only_log()
    row = log.rows["open_call"][-1]
    assert row["function"] == "cudaDeviceSynchronize"
    assert python_stack(log, row["stack"])[0][1:] == [line_with("hangs.py", "the line"), "wait_for_the_device"]


def test_with_stacks_all_every_call_has_a_stack(recorder):
    log = recorder.run(script(sys.executable, "collate.py"), variables={"TAUPROF_STACKS": "all"}).only_log()
    assert all(row["stack"] for row in log.rows["call"]) and len(log.rows["call"]) > 200


def test_with_stacks_slow_short_calls_have_no_stack(recorder):
    log = recorder.run(script(sys.executable, "collate.py"),
                       variables={**SLOW, "TAUPROF_STACK_MIN_US": "100000"}).only_log()
    for row in log.rows["call"]:
        assert bool(row["stack"]) == (row["duration"] >= 100_000_000 or row["thread_cpu_ns"] != 0)


def test_without_the_variable_no_stacks_are_taken(recorder):
    log = recorder.run(script(sys.executable, "collate.py")).only_log()
    assert not log.rows["stack"] and not log.rows["stack_sample"] and not log.rows["frame"]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the script's filter names a system call by its number there")
@with_each_interpreter
def test_one_line_says_that_memory_cannot_be_read(recorder, python):
    run = recorder.run(script(python, "confined.py"), variables=SLOW)
    assert (run.status, run.output) == (0, "whole\n")
    [line] = run.errors.splitlines()
    assert line.startswith("tauprof: no Python stacks: the frames of this Python ") and line.endswith("cannot be read")
    log = run.only_log()
    assert {frame["language"] for copy in copies_of(log) for frame in stack_of(log, copy["stack"])} <= {"native"}


OTHERS = {version: path for version, path in interpreters().items() if version < (3, 8)}


@pytest.mark.parametrize("python", OTHERS.values(), ids=[".".join(map(str, version)) for version in OTHERS])
def test_one_line_says_that_the_version_is_unknown(recorder, python):
    run = recorder.run(script(python, "forking.py"), variables=SLOW)
    assert (run.status, run.output) == (0, "whole\n")
    [line] = run.errors.splitlines()
    assert line.startswith("tauprof: no Python stacks: this build of Python ") and line.endswith("is not known")
    log = run.only_log()
    assert {frame["language"] for copy in copies_of(log) for frame in stack_of(log, copy["stack"])} <= {"native"}
