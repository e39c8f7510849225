"""TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER: the wanted steps are recorded completely and reported
alone."""

import functools
import os
import threading
import time

import pytest

import expected_report
from recorded_run import training
from simgpu_truth.reader import read_directory
from tiers import two_tiers


def recorded_kernels(log):
    return {row["start"] for row in log.rows["device_activity"] if row["activity"] == "kernel"}


def kernels_of(truth, first, last):
    """The device start times of the kernels launched in these steps."""
    return {span.device_start for span in truth.process.spans
            if span.kind in ("kernel", "collective") and truth.step_of(span) in range(first, last + 1)}


LOOPS = [(1, ""), (2, "--loss-every 1"), (2, "--micro-batches 3"), (1, "--eval-every 5"), (1, "--unfused-optimizer"),
         (2, "--unfused-optimizer --micro-batches 2"), (2, "--backward-on-main-thread --clip 1"), (1, "--graph")]


def recorded_window(recorder, ranks, text, first, behind=3):
    """Records five steps. Gives the report and, for each rank, the kernels in the log and a function for those of
    steps."""
    run = recorder.run(training(f"--layers 2 --steps {first + 5 + behind} {text}", ranks), options="wander_us=0",
                       variables={"TAUPROF_START_STEP": str(first), "TAUPROF_STEPS": "5"})
    assert run.errors == ""
    truths = {process.pid: expected_report.RankTruth(process) for process in read_directory(run.truth) if process.spans}
    return run.report(), [(recorded_kernels(log), functools.partial(kernels_of, truths[log.pid]))
                          for log in run.read_logs()]


@pytest.mark.parametrize("ranks,text", LOOPS)
def test_the_report_has_exactly_the_wanted_steps(recorder, ranks, text):
    report, logs = recorded_window(recorder, ranks, text, 4)
    steps = report["steps"]
    assert steps["count"] + steps["warmup"] == 5, steps["reason"]
    assert [step["step"] for step in steps["list"]] == [4, 5, 6, 7, 8][steps["warmup"]:]
    assert report["quality"]["unmatched_spans"] == 0
    for recorded, of_steps in logs:
        assert of_steps(4, 8) <= recorded or "--graph" in text  # whose kernels the truth has one by one


@pytest.mark.parametrize("ranks,text", two_tiers(
    [loop for loop in LOOPS if loop != (1, "--graph")],
    [(1, ""), (2, "--micro-batches 3"), (1, "--eval-every 5")].__contains__))
def test_the_log_has_little_beside_the_wanted_steps(recorder, ranks, text):
    """The search settles the steps and confirms the end of the window. On a busy machine it is some steps late."""
    first, last, late = 42, 46, 20
    _, logs = recorded_window(recorder, ranks, f"--loader-on-main-thread --loader-ms 10 {text}", first, behind=40)
    for recorded, of_steps in logs:
        assert of_steps(first, last) <= recorded
        # Without names each backward pass could be a step's, until the steps are settled.
        earliest = 0 if "unfused" in text else first - late
        seen = {step for step in range(last + 41) if of_steps(step, step) & recorded}
        assert seen <= set(range(earliest, last + late))


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
    run = recorder.run(training("--layers 2 --steps 3"), variables={"TAUPROF_START_STEP": "7"})
    assert "tauprof: TAUPROF_START_STEP=7 did not come: the steps seen ended with 2" in run.errors
    assert run.status == 0


def test_a_bad_number_of_steps_is_reported(recorder):
    run = recorder.run(training("--layers 2 --steps 2"), variables={"TAUPROF_STEPS": "two"})
    assert "TAUPROF_STEPS=two is not understood (accepted: a whole number of steps)" in run.errors
    assert run.status == 0
