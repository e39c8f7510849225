"""CUPTI as NVIDIA ships it: what its versions get wrong, and clients that no hook sees. The simulated CUPTI has a mode for
each (SIMGPU_CUPTI_FAULTS)."""

import os
import pathlib
import re
import shutil
import signal
import time
from collections import Counter

import pytest

from faults import dropped_calls, fault, lines_of_recorder, run_both
from recorded_run import fault_program
from test_descriptors import hostile

CUDA_12_4, CUDA_12_8, CUDA_12_9 = "version=22", "version=26", "version=28"
MILLISECOND = 1_000_000


def job(way, *arguments):
    return hostile("device_jobs", way, *arguments)


def faulty(*faults, **variables):
    return {"variables": {"SIMGPU_CUPTI_FAULTS": ",".join(faults), **variables}}


def work_of(log, activity="memset"):
    return [row for row in log.rows["device_activity"] if row["activity"] == activity]


def drops(log):
    counts = Counter()
    for row in log.rows["drop"]:
        if row["kind"] == "device_activity":
            counts[row["reason"]] += row["count"]
    return counts


def attributes(log):
    return {row["name"]: row["value"] for row in log.rows["attribute"]}


def killed(recorder, command, marker, seconds, **how):
    """The run, and the time of the kill."""
    started = recorder.start(command, **how)
    assert started[0].stdout.readline() == marker + "\n"
    time.sleep(seconds)
    at = time.monotonic_ns()
    started[0].send_signal(signal.SIGKILL)
    run = recorder.finish(started)
    assert run.status == -signal.SIGKILL
    return run, at


@fault("CUPTI runs out of buffers, and crashes when it is refused one (CUDA 12.4 to 12.8)",
       loses="device times, counted")
def test_no_buffer_is_refused_where_that_crashes(recorder):
    _, run = run_both(recorder, job("backlog"), **faulty(CUDA_12_8, TAUPROF_BUFFER_MB="8"))
    assert run.output == "done\n"
    assert lines_of_recorder(run) == []
    log = run.only_log()
    lost = drops(log)
    assert set(lost) == {"no buffer for CUPTI"}
    assert len(work_of(log)) + sum(lost.values()) == 64 * 500
    assert work_of(log)
    assert len(log.rows["call"]) + dropped_calls(log) == 64 * 502 + 2  # each once


@fault("CUPTI runs out of buffers (CUDA 12.9 and newer)", loses="device times, counted")
def test_what_finds_no_buffer_is_counted_without_its_call(recorder):
    """With a little more work than the buffers hold, so that CUPTI is refused none: scratch has room for the rest."""
    _, run = run_both(recorder, job("backlog"), **faulty(TAUPROF_BUFFER_MB="16"))
    assert lines_of_recorder(run) == []
    lost = drops(run.only_log())
    assert set(lost) == {"no buffer for CUPTI"}
    assert len(work_of(run.only_log())) + sum(lost.values()) == 64 * 500


@fault("Another profiler takes CUPTI by dlsym and frees every buffer that it gets, as Proton does",
       loses="device times until CUDA events take over",
       says="that CUPTI gives no records")
def test_a_client_that_no_hook_sees_is_noticed(recorder):
    check_unseen_client(recorder, job("client"))


def check_unseen_client(recorder, command):
    """It has all of its records, and the log has a gap from then on until CUDA events take over."""
    for preload in (False, True):
        run = recorder.run(command, preload=preload)
        assert run.status == 0
        sets, rounds = re.fullmatch(r"(\d+) sets in (\d+) rounds\n", run.output).groups()
        assert sets == rounds
    [line] = lines_of_recorder(run)
    assert "CUPTI gives no records" in line and "CUDA events" in line
    log = run.only_log()
    [gap] = [row for row in log.rows["gap"] if row["scope"] == "device"]
    assert gap["reason"] == "CUPTI gave no records"
    assert any(row["start"] > gap["start"] + gap["duration"] for row in work_of(log))


@fault("Another profiler brings a second copy of CUPTI, as Proton does; a process can use one",
       loses="device times until CUDA events take over",
       says="that CUPTI gives no records")
def test_who_brings_a_second_copy_of_cupti_gets_the_one_in_use(recorder, tmp_path):
    copy = shutil.copy(pathlib.Path(os.environ["SIMGPU_LIBRARY_DIR"]) / "libcupti.so.13", tmp_path / "libcupti.so.12")
    check_unseen_client(recorder, job("copy", copy))


@fault("Nsight or another tool holds CUPTI", loses="nothing: times come from CUDA events", says="that CUPTI is taken")
@pytest.mark.parametrize("held", ["registered_elsewhere", "subscribe=39"])
def test_a_tool_that_holds_cupti_is_left_alone(recorder, held):
    _, run = run_both(recorder, [fault_program("ends"), "return", "30"], **faulty(held))
    [line] = lines_of_recorder(run)
    assert "CUPTI cannot be used: another tool has it" in line
    assert len(work_of(run.only_log())) == 30


@fault("CUPTI refuses when the recording window opens", loses="nothing: times come from CUDA events",
       says="that CUPTI cannot be used")
def test_a_late_refusal_ends_in_events(recorder):
    _, run = run_both(recorder, job("busy", 0.8), **faulty("enable=999", TAUPROF_START_AFTER="0.3"))
    [line] = lines_of_recorder(run)
    assert "CUPTI cannot be used" in line
    assert len(work_of(run.only_log())) > 100


@fault("A job hangs and is killed after some seconds", loses="device times of the work that hangs")
def test_work_that_ended_before_a_hang_is_in_the_log(recorder, chance):
    run, _ = killed(recorder, job("hang"), "hangs", chance.uniform(5.5, 6.5))
    assert lines_of_recorder(run) == []
    log = run.only_log()
    assert len(work_of(log)) == 200
    assert drops(log) == {"not finished when a forced flush took the work before it": 3}


@fault("A job whose device is never idle is killed",
       loses="device times of the last 200 ms (600 ms before CUDA 13.0 Update 1)")
@pytest.mark.parametrize("version", ["", CUDA_12_9])
def test_work_of_a_busy_job_is_in_the_log(recorder, chance, version):
    run, at = killed(recorder, job("busy", 60), "works", chance.uniform(1.5, 2.5), **faulty(version))
    log = run.only_log()
    last = max(row["start"] + row["duration"] for row in work_of(log))
    assert at - last < (200 if not version else 600) * MILLISECOND
    assert drops(log) == {}


@fault("Recording ends, and CUPTI's function for that would hang (before CUDA 13.0 Update 1)",
       loses="nothing: CUPTI stays on, and work outside of the window is discarded")
def test_nothing_is_disabled_where_that_hangs(recorder):
    start = time.monotonic()
    _, run = run_both(recorder, job("busy", 1.5), **faulty(CUDA_12_9, "disable_hangs", TAUPROF_DURATION="0.4"))
    assert time.monotonic() - start < 8
    log = run.only_log()
    assert work_of(log)
    window = max(row["start"] for row in log.rows["call"]) - min(row["start"] for row in log.rows["call"])
    assert window < 600 * MILLISECOND
    assert None not in [log.owner(row["correlation"]) for row in work_of(log)]
    assert int(attributes(log)["device_records_outside_window"]) > 100


@fault("A program exits with work under way, and a forced flush would crash (before CUDA 13.0 Update 1)",
       loses="device times of the work under way")
def test_no_flush_is_forced_where_that_crashes(recorder):
    _, run = run_both(recorder, job("leave", 0.3), **faulty(CUDA_12_9, "flush_crashes"))
    assert work_of(run.only_log())


@fault("A graph with copies is launched where tracing it as a whole crashes (CUDA 12.4)",
       loses="nothing: its nodes are recorded one by one")
def test_graphs_are_traced_by_node_where_copies_crash(recorder):
    _, run = run_both(recorder, job("graph"), **faulty(CUDA_12_4))
    assert run.output == "done\n"
    log = run.only_log()
    assert len(work_of(log, "memset")) == len(work_of(log, "memcpy")) == 10
