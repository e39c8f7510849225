"""CUDA events in place of CUPTI, with programs that use devices in unusual ways."""

import pytest

from faults import fault, lines_of_recorder, run_both
from recorded_run import tauprof
from test_cupti import drops, work_of
from test_descriptors import hostile

import simgpu_truth.reader as truth  # recorded_run has put its folder on the path

EVENTS = {"TAUPROF_DEVICE_TIMING": "events"}
CLOSE_NS = 300_000


def run_events(recorder, way, **variables):
    _, run = run_both(recorder, hostile("device_choice", way), variables={**EVENTS, **variables})
    assert lines_of_recorder(run) == []
    return run


@fault("CUDA events time a program that uses another device than 0, chosen by the runtime or the driver",
       loses="nothing, and no device gets a context")
@pytest.mark.parametrize("way", ["second", "driver"])
def test_no_context_is_made_on_another_device(recorder, way):
    run = run_events(recorder, way)
    assert run.output == "contexts: 1\n"
    log = run.only_log()
    assert len(work_of(log)) == len(work_of(log, "memcpy")) == 40
    assert {row["device"] for row in work_of(log)} == {1}
    assert drops(log) == {}


@fault("CUDA events time a program that resets its device", loses="device times of the last milliseconds, counted")
def test_a_reset_makes_new_events(recorder):
    log = run_events(recorder, "reset").only_log()
    [reset] = [row for row in log.rows["call"] if row["function"] == "cudaDeviceReset"]
    work = work_of(log) + work_of(log, "memcpy")
    lost = drops(log)
    assert set(lost) <= {"its CUDA events failed"}
    assert len(work) + sum(lost.values()) == 160
    assert sum(row["start"] > reset["start"] for row in work) == 80


@fault("CUDA events time a program with CUDA_DEVICE_MAX_CONNECTIONS=1", loses="nothing")
def test_all_streams_in_one_queue(recorder):
    run = run_events(recorder, "line", CUDA_DEVICE_MAX_CONNECTIONS="1")
    log = run.only_log()
    assert len(work_of(log)) == 5500
    assert drops(log) == {}
    [process] = truth.read_directory(run.truth)
    true = sorted((span for span in process.spans if span.kind == "memset"), key=lambda span: span.device_end)
    rows = sorted(work_of(log), key=lambda row: row["start"] + row["duration"])
    off = sorted(abs(row["start"] + row["duration"] - span.device_end) for row, span in zip(rows, true, strict=True))
    assert off[len(off) * 95 // 100] < CLOSE_NS


@pytest.mark.parametrize("variables,why", [
    ({"TAUPROF_DEVICE_TIMING": "off"}, "not wanted: TAUPROF_DEVICE_TIMING=off"),
    ({"TAUPROF_DEVICE_TIMING": "cupti", "SIMGPU_CUPTI_FAULTS": "enable=15"}, "CUPTI_ERROR"),
])
def test_a_report_without_device_times_says_why(recorder, variables, why):
    _, run = run_both(recorder, hostile("device_jobs", "busy", "0.3"), variables=variables)
    text = tauprof("analyze", str(run.logs), "--show", "recording")
    assert text.returncode == 0, text.stderr
    [line] = [line for line in text.stdout.splitlines() if ": no device times: " in line]
    assert why in line


@pytest.mark.parametrize("way", ["second", "driver"])
def test_cupti_makes_no_context_on_another_device_either(recorder, way):
    _, run = run_both(recorder, hostile("device_choice", way))
    assert run.output == "contexts: 1\n"
