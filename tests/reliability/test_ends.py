"""However a process ends, it ends as without the recorder, at most two seconds later, and its calls are in the log."""

import os
import signal
import time

import pytest

from faults import assert_same_outside, calls_of, dropped_calls, fault, hostile, lines_of_recorder, rounds_of, run_both
from recorded_run import WITH_SIMGPU, program

LATER_S = 2.0
# The time that starting the recorder and reading the logs may take on a busy machine; a hang takes longer.
PATIENCE_S = 3.0
# Where the disk hangs earlier, the program's first call gives up the log.
WRITES_OF_A_NEW_LOG = 4


def with_slow_disk(seconds, writes=0):
    """The variables of a run with the recorder, and a disk that takes so long for each write but the first `writes`."""
    return {"LD_PRELOAD": f"{hostile('libslow_disk.so')[0]}:{program('TAUPROF_PRELOAD')}", "SLOW_DISK_S": str(seconds),
            "SLOW_DISK_AFTER": str(writes)}


def seconds_of(recorder, command, **how):
    started = time.monotonic()
    run = recorder.run(command, **how)
    return time.monotonic() - started, run


def assert_all_calls_are_there(run):
    log = run.only_log()
    assert calls_of(log, "cudaMemsetAsync") + dropped_calls(log) == rounds_of(run)
    assert run.check().returncode == 0, run.check().stdout


@fault("`main` ends with `pthread_exit`, and a thread goes on", loses="nothing")
@pytest.mark.parametrize("timing", ["off", "events"])
def test_no_thread_of_ours_outlives_the_program_for_long(recorder, timing):
    """Where there are no threads of a driver, the process ends with the program's last thread, bare; recorded, when no
    call has been made for some seconds."""
    _, run = run_both(recorder, hostile("last_moments", "pthread_exit"), timeout=20,
                      options="driver_threads=0",
                      variables={"TAUPROF_DEVICE_TIMING": timing})
    assert run.status == 0
    assert lines_of_recorder(run) == []
    assert_all_calls_are_there(run)


@fault("`main` ends with `pthread_exit` where the driver has threads of its own", loses="nothing")
def test_a_process_that_stays_because_of_the_driver_stays(recorder):
    """Anything that goes on then, long after the last call, is none of the recorder's business."""
    command = hostile("last_moments", "pthread_exit")
    both = [recorder.start(command, preload=preload, start_new_session=True) for preload in (False, True)]
    time.sleep(9)
    assert [process.poll() for process, _, _ in both] == [None, None]
    for process, _, _ in both:
        os.killpg(process.pid, signal.SIGKILL)
    bare, run = [recorder.finish(started) for started in both]
    assert_same_outside(bare, run)
    assert calls_of(run.only_log(), "cudaMemsetAsync") == rounds_of(run)


@fault("The process ends with `_exit`", loses="nothing")
def test_calls_before__exit_are_in_the_log(recorder):
    _, run = run_both(recorder, hostile("last_moments", "_exit"))
    assert run.status == 3
    assert_all_calls_are_there(run)


@fault("Exit handlers of the program make calls after the recorder's own", loses="the device times of those calls")
def test_calls_of_exit_handlers_are_in_the_log(recorder):
    _, run = run_both(recorder, hostile("last_moments", "late_calls"))
    assert_all_calls_are_there(run)


@fault("A signal handler ends the process while its thread is inside a call",
       loses="what the device did, where the interrupted thread holds a lock of CUPTI's")
@pytest.mark.parametrize("way,status", [("exit_in_handler", 8), ("_exit_in_handler", 7)])
@pytest.mark.parametrize("mode", ["all", "trigger", "steps"])
def test_an_exit_in_a_signal_handler_does_not_hang(recorder, tmp_path, chance, way, status, mode):
    (tmp_path / "trigger").touch()
    variables = {"all": {}, "trigger": {"TAUPROF_TRIGGER": str(tmp_path / "trigger")},
                 "steps": {"TAUPROF_START_STEP": "100000"}}[mode]
    # Without files of the simulation: it writes them under a lock.
    command = [WITH_SIMGPU, "--", *hostile("last_moments", way, chance.randint(5_000, 60_000))]
    started = time.monotonic()
    run = recorder.run(command, simulation=False, variables=variables, timeout=20)
    assert run.status == status
    assert time.monotonic() - started < LATER_S + PATIENCE_S


@fault("The disk of the log hangs while the process ends", loses="what was not written yet")
def test_a_hanging_disk_delays_the_end_by_two_seconds_at_most(recorder, chance):
    bare_s, bare = seconds_of(recorder, hostile("last_moments", "return"), preload=False)
    disk = with_slow_disk(60, WRITES_OF_A_NEW_LOG + chance.randint(0, 6))
    run_s, run = seconds_of(recorder, hostile("last_moments", "return"), preload=False, variables=disk)
    assert bare_s + 1 < run_s < bare_s + LATER_S + PATIENCE_S  # the disk did hang
    assert (run.status, run.output, run.errors) == (bare.status, bare.output, "")


@fault("The program's last thread ends, and there is no log", loses="everything", says="cannot make the log directory …")
def test_no_thread_of_ours_outlives_the_program_without_a_log(recorder):
    command = hostile("last_moments", "pthread_exit")
    bare_s, bare = seconds_of(recorder, command, preload=False, options="driver_threads=0")
    run_s, run = seconds_of(recorder, command, options="driver_threads=0", timeout=20,
                            variables={"TAUPROF_DIR": "/dev/null/logs"})
    assert run_s < bare_s + LATER_S + PATIENCE_S
    assert (run.status, run.output) == (bare.status, bare.output)
    assert ["cannot make the log directory" in line for line in lines_of_recorder(run)] == [True]


@fault("The log directory does not answer", loses="everything",
       says="the log directory … does not answer; nothing is recorded")
def test_a_hanging_directory_is_given_up(recorder, tmp_path):
    (tmp_path / "hanging").mkdir()
    variables = {**with_slow_disk(20), "TAUPROF_DIR": str(tmp_path / "hanging")}
    started = time.monotonic()
    run = recorder.run(hostile("last_moments", "return"), preload=False, variables=variables, timeout=30)
    assert time.monotonic() - started < LATER_S + PATIENCE_S
    assert (run.status, run.output) == (0, "20 rounds\n")
    assert ["does not answer" in line for line in lines_of_recorder(run)] == [True]
