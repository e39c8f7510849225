"""TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER: the wanted steps are recorded completely and reported
alone."""

import os
import threading
import time

import pytest

import expected_report
from recorded_run import fault_program, tauprof, training
from simgpu_truth.reader import read_directory


NOBODY_COUNTS = "nobody counts this program's steps while it runs: it is recorded from here on"


def recorded_kernels(log):
    return {row["start"] for row in log.rows["device_activity"] if row["activity"] == "kernel"}


def kernels_of(truth, first, last):
    """The device start times of the kernels launched in these steps."""
    return {span.device_start for span in truth.process.spans
            if span.kind in ("kernel", "collective") and truth.step_of(span) in range(first, last + 1)}


LOOPS = [(1, ""), (2, "--loss-every 1"), (2, "--micro-batches 3"), (1, "--eval-every 5"),
         (2, "--backward-on-main-thread --clip 1"), (1, "--graph")]


@pytest.mark.parametrize("ranks,text", LOOPS)
def test_the_report_has_exactly_the_wanted_steps_of_a_program_that_marks_none(recorder, ranks, text):
    run = recorder.run(training(f"--layers 2 --steps 12 {text}", ranks), options="wander_us=0",
                       variables={"TAUPROF_START_STEP": "4", "TAUPROF_STEPS": "5"})
    assert [NOBODY_COUNTS in line for line in run.errors.splitlines()] == [True] * ranks
    report = run.report()
    steps = report["steps"]
    assert (steps["count"] + steps["warmup"], steps["origin"]) == (5, "inferred"), steps["reason"]
    assert [step["step"] for step in steps["list"]] == [4, 5, 6, 7, 8][steps["warmup"]:]
    assert (report["quality"]["unmatched_spans"], steps["unwanted"]) == (0, 7 * ranks)
    truths = {process.pid: expected_report.RankTruth(process) for process in read_directory(run.truth) if process.spans}
    for log in run.read_logs():
        assert kernels_of(truths[log.pid], 0, 11) <= recorded_kernels(log) or "--graph" in text


@pytest.mark.parametrize("variables,reason", [({"TAUPROF_STEPS": "2"}, "TAUPROF_MAX_MB reached"),
                                              ({}, "gave way to newer records (TAUPROF_MAX_MB)")])
def test_the_oldest_is_kept_where_nobody_counts(recorder, variables, reason):
    """The wanted steps come early, and a flight recorder would lose them."""
    log = recorder.run([fault_program("short_threads"), "15", "4", "1200"],
                       variables={"TAUPROF_MAX_MB": "1", "TAUPROF_ON_FULL": "wrap"} | variables).only_log()
    assert {row["reason"] for row in log.rows["gap"]} == {reason}


@pytest.mark.parametrize("ranks,text", [(2, "--micro-batches 3 --eval-every 2"), (1, "--unfused-optimizer --clip 1")])
def test_the_window_counts_the_steps_that_the_user_marks(recorder, ranks, text):
    run = recorder.run(training(f"--layers 2 --steps 12 --nvtx {text}", ranks), options="wander_us=0",
                       variables={"TAUPROF_START_STEP": "4", "TAUPROF_STEPS": "5", "TAUPROF_STEP_MARKER": "nvtx:step*"})
    assert run.errors == ""
    steps = run.report()["steps"]
    assert (steps["detected_by"], steps["count"] + steps["warmup"]) == ("marker nvtx:step*", 5)
    truths = {process.pid: expected_report.RankTruth(process) for process in read_directory(run.truth) if process.spans}
    for log in run.read_logs():
        wanted = kernels_of(truths[log.pid], 4, 8)
        assert wanted and wanted <= recorded_kernels(log)
        assert not recorded_kernels(log) & (kernels_of(truths[log.pid], 0, 3) | kernels_of(truths[log.pid], 9, 11))


def test_all_steps_from_the_start_step_on(recorder):
    run = recorder.run(training("--layers 2 --steps 9"), variables={"TAUPROF_START_STEP": "3"})
    steps = run.report()["steps"]
    assert steps["count"] + steps["warmup"] == 6
    assert steps["list"][-1]["step"] == 8


def test_the_first_steps_alone(recorder):
    run = recorder.run(training("--layers 2 --steps 9"), variables={"TAUPROF_STEPS": "3"})
    assert run.report()["steps"]["count"] == 3


def test_whole_steps_are_recorded_while_the_trigger_file_exists(recorder, tmp_path):
    trigger = tmp_path / "record"

    def watch():
        time.sleep(1.5)
        trigger.touch()
        time.sleep(1.5)
        trigger.unlink()

    thread = threading.Thread(target=watch)
    thread.start()
    run = recorder.run(training("--layers 2 --steps 60 --loader-on-main-thread --loader-ms 60"),
                       variables={"TAUPROF_TRIGGER": os.fspath(trigger)})
    thread.join()
    steps = run.report()["steps"]
    assert 5 <= steps["count"] + steps["warmup"] <= 40
    assert run.report()["quality"]["unmatched_spans"] == 0


def test_a_start_step_that_never_comes_is_reported(recorder):
    run = recorder.run(training("--layers 2 --steps 3 --nvtx"),
                       variables={"TAUPROF_START_STEP": "7", "TAUPROF_STEP_MARKER": "nvtx:step*"})
    assert "tauprof: TAUPROF_START_STEP=7 did not come: the steps seen ended with 2" in run.errors
    assert run.status == 0


def test_a_start_step_that_never_came_is_said_by_the_report(recorder):
    run = recorder.run(training("--layers 2 --steps 3"), variables={"TAUPROF_START_STEP": "7"})
    assert run.status == 0
    assert "3 were found, and TAUPROF_START_STEP and TAUPROF_STEPS want none" in tauprof("analyze", str(run.logs), "--show", "steps").stdout


def test_a_step_that_starts_with_a_kernel_is_cut_out_afterwards(recorder):
    run = recorder.run(training("--layers 2 --steps 9"), variables={
        "TAUPROF_START_STEP": "3", "TAUPROF_STEPS": "2", "TAUPROF_STEP_MARKER": "kernel:*embedding_forward*"})
    assert NOBODY_COUNTS in run.errors
    steps = run.report()["steps"]
    assert (steps["origin"], [step["step"] for step in steps["list"]]) == ("marker", [3, 4][steps["warmup"]:])


def test_a_bad_number_of_steps_is_reported(recorder):
    run = recorder.run(training("--layers 2 --steps 2"), variables={"TAUPROF_STEPS": "two"})
    assert "TAUPROF_STEPS=two is not understood (accepted: a whole number of steps)" in run.errors
    assert run.status == 0
