"""Runs programs on a runtime that does nothing (programs/idle): what happens there is the program's work or the
recorder's. What a log lacks has to be counted or said."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from faults import assert_same_outside, calls_of, dropped_calls, lines_of_recorder, rounds_of
from recorded_run import RecordedRun

# The first call waits for a new log, and the exit for the recorder; the machine may be busy.
LONGER_S = 1.5 + 2.0 + 3.0
WITHOUT_DEVICES = {"TAUPROF_DEVICE_TIMING": "off"}


@dataclass
class TimedRun(RecordedRun):
    seconds: float = 0.0


def start_idle(recorder, command, variables=None, simulation=False, **how):
    without = {} if simulation else WITHOUT_DEVICES
    return time.monotonic(), recorder.start(command, simulation=simulation, variables={**without, **(variables or {})},
                                            **how)


def finish_idle(recorder, started, timeout=40):
    began, process = started
    run = recorder.finish(process, timeout)
    return TimedRun(**vars(run), seconds=time.monotonic() - began)


def run_idle(recorder, command, timeout=40, **how):
    return finish_idle(recorder, start_idle(recorder, command, **how), timeout)


def run_many(recorder, commands, at_once=4, **how):
    """The runs of the commands, some at a time, one after another in their order."""
    with ThreadPoolExecutor(at_once) as pool:
        for first in range(0, len(commands), at_once):
            started = [start_idle(recorder, command, **how) for command in commands[first:first + at_once]]
            yield from pool.map(lambda one: finish_idle(recorder, one), started)


def run_idle_both(recorder, command, longer_s=LONGER_S, timeout=40, **how):
    """The bare run and the recorded one, at the same time: they look the same from outside, and take about as long."""
    started = [start_idle(recorder, command, preload=preload, **how) for preload in (False, True)]
    bare, recorded = [finish_idle(recorder, one, timeout) for one in started]
    assert_looks_like(bare, recorded, longer_s)
    return bare, recorded


def assert_looks_like(bare, recorded, longer_s=LONGER_S):
    assert_same_outside(bare, recorded)
    assert recorded.seconds < 2 * bare.seconds + longer_s  # a busy machine makes both slower


def losses_of(run, made):
    """How many of `made` calls are neither in the log nor in its count of drops; None where no log can be read."""
    if not run.log_files() or run.check().returncode not in (0, 4):
        return None
    log = run.only_log()
    return made - calls_of(log, "cudaMemsetAsync") - dropped_calls(log)


def assert_nothing_is_lost(run, made=None):
    made = rounds_of(run) if made is None else made
    assert losses_of(run, made) == 0, run.check().stdout
    assert run.check().returncode == 0, run.check().stdout


def assert_losses_are_said(run, made=None):
    """All calls are in the log or counted there, or the log says that something is missing, or a line on stderr did."""
    losses = losses_of(run, rounds_of(run) if made is None else made)
    if (losses is not None and losses <= 0) or lines_of_recorder(run):
        return
    assert losses is not None, "no log, and no word of it"
    assert run.check().returncode == 4 or run.only_log().rows["gap"], f"{losses} calls are lost, and no word of it"
